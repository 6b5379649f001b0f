import Foundation
import OssicleAVFAudio
import OssiclePlayback
import OssicleRender
import OssicleSpatial

/// What is behind one `PHASEEngine`, under one lock: the client's settings, the life cycle, and the engine that plays.
///
/// The client's calls only change values here and raise a flag; what a game sets with every frame goes into a mailbox
/// and waits for no lock (`Mailbox`). An update applies them to `spatial`, which sends plans, parameters and commands
/// across the real-time line. The render thread never takes the lock.
final class EngineControl: @unchecked Sendable {
    static let defaultFormat: AVAudioFormat =
        AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) ?? AVAudioFormat()

    let lock = SimulationLock()
    weak var engine: PHASEEngine?
    let updateMode: PHASEEngine.UpdateMode
    let session = RenderSession()
    var executor: Executor { session.executor }
    let handlers: HandlerQueue
    let settings = PostedSettings()
    let objects = SceneObjects()
    let store = AssetStore()
    let trackedHead = FollowedHead()
    let recorder = CommandRecorder()
    var renderingState = PHASESoundEvent.RenderingState.stopped {
        didSet { lock.mailbox.locked { lock.mailbox.isUpdated = renderingState == .started } }
    }
    /// A thread waits, without the lock, for the render side to come to rest.
    var isHalting = false
    var manual: ManualOutput?
    /// There while somebody watches.
    var inspection: SceneInspection?
    /// Files that were loaded, for recordings of commands that begin later.
    var loaded: (hrtf: URL?, room: (url: URL, level: Double)?) = (nil, nil)
    /// Adopted when the engine starts.
    var spatializationMode = PHASESpatializationMode.automatic
    let spatial: SpatialEngine
    var outlets: Outlets { spatial.plans.outlets }

    init(updateMode: PHASEEngine.UpdateMode) {
        self.updateMode = updateMode
        handlers = HandlerQueue(session, waitsForUpdates: updateMode == .manual)
        spatial = SpatialEngine(session, presumedFormat: Self.defaultFormat)
        lock.control = self
        objects.control = self
        store.control = self
        trackedHead.control = self
        outlets.inserts.errorHandler = { [weak self] in self?.record($0) }
        outlets.inserts.changeHandler = { [weak self] unit, change in self?.note(change, on: unit) }
        spatial.serve(self, objects)
    }

    /// Seconds of engine time at the next frame to be rendered. Any thread.
    var now: Double { spatial.player.now }

    func locked<Result>(_ body: () throws -> Result) rethrows -> Result { try lock.locked(body) }

    /// Carries out `change` on requested values and has `item` applied as soon as the lock is free. Never waits for it.
    func post<Result>(_ item: any Posting, _ change: () throws -> Result) rethrows -> Result {
        try lock.post(item, change)
    }

    /// Changes the engine's settings. Any thread; never waits for the engine's lock.
    func set(_ change: (inout EngineSettings) -> Void) {
        post(settings) {
            change(&settings.requested)
            noteSettings()
        }
    }

    /// A client's duration in seconds, by the units that were set last; what is negative or not finite counts as 0. Any
    /// thread.
    func requestedSeconds(_ duration: Double) -> Double {
        (duration / requested { settings.requested.unitsPerSecond }).usableDuration
    }

    /// Reads what was requested last. Never waits for the lock.
    func requested<Result>(_ read: () -> Result) -> Result { lock.mailbox.locked(read) }

    // MARK: Changes

    /// Something begins or ends that the plan has to know of. Any thread.
    func planChanged() {
        locked {
            spatial.planChanged()
        }
    }

    func poseChanged(of object: PHASEObject) {
        spatial.valuesChanged()
        // What hangs below an object moves with it.
        if object.movesAlone { objects.noteMove(of: object) } else { spatial.sceneChanged() }
    }

    /// Under the lock. What was posted until now takes effect together.
    func update() {
        lock.applyMailbox()
        guard spatial.output != nil, renderingState != .stopped else { return }
        trackedHead.follow()
        spatial.update(
            SpatialEngine.Conditions(
                preset: settings.current.reverbPreset.room, response: settings.current.measuredRoom,
                usesGeometry: settings.current.usesGeometry,
                isPeriodic: manual != nil && updateMode == .automatic, isOffline: manual?.rendering.isOffline == true))
    }
}

extension EngineControl: SpatialHost {
    /// Any thread.
    func record(_ error: any Error) { lock.record((error as? SpatialError)?.bridged ?? error) }

    func call(_ handler: @escaping @Sendable () -> Void) { handlers.call(handler) }

    func release(_ object: AnyObject) { lock.release(object) }

    func eventHasEnded() { store.releaseUnused() }

    func timeHasBegunAnew() { store.groups.values.forEach { $0.arrive() } }
}

/// Calls the client's handlers: never on the thread that renders, and without the engine's lock. Under that lock.
final class HandlerQueue {
    /// Handlers run here in automatic mode.
    let queue = DispatchQueue(label: "ossicle.phase.callbacks")
    /// Handlers that wait for the end of an update.
    private var pending: [@Sendable () -> Void] = []
    private let session: RenderSession
    private var waitsForUpdates: Bool

    init(_ session: RenderSession, waitsForUpdates: Bool) {
        self.session = session
        self.waitsForUpdates = waitsForUpdates
    }

    func call(_ handler: @escaping @Sendable () -> Void) {
        if waitsForUpdates {
            pending.append(handler)
        } else {
            session.callbacks.run("A handler of a PHASEEngine", on: queue, handler)
        }
    }

    /// Those that waited, to be called without the lock: a handler may call anything.
    func takePending() -> [@Sendable () -> Void] {
        defer { pending = [] }
        return pending
    }

    /// The engine is gone: there are no more updates.
    func shutDown() { waitsForUpdates = false }
}

/// The engine follows the program's session while it is at a device.
extension EngineControl: SessionParticipant {
    var deviceReport: DeviceReport? {
        locked {
            guard manual == nil, renderingState == .started, let device = session.device else { return nil }
            return DeviceReport(
                sampleRate: device.sampleRate, channelCount: device.channelCount, outputLatency: device.latency,
                inputLatency: nil)
        }
    }

    func pauseForSession() {
        if locked({ manual == nil && renderingState == .started }) { pause() }
    }
}
