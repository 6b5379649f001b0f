import Foundation
import OssicleAcoustics
import OssicleAVFAudio
import OssicleCore
import OssicleDevices
import OssicleGraph
import OssicleRender
import OssicleSoundEvents
import Synchronization

/// Everything behind one `PHASEEngine`, under one lock: what the client has asked for, and what runs.
///
/// The client's calls only change values here and raise a flag; what a game sets with every frame goes into a mailbox and waits for no lock
/// (`Mailbox`). An update (`EngineCore+Update`) turns values into plans, parameters and commands, and sends those across the real-time line. The
/// render thread never takes the lock.
final class EngineCore: @unchecked Sendable {
    static let defaultFormat: AVAudioFormat =
        AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) ?? AVAudioFormat(unchecked: AudioStreamBasicDescription())

    private let lock = NSRecursiveLock()
    let mailbox = Mailbox()
    /// How often the thread that holds the lock has taken it.
    private var depth = 0
    weak var engine: PHASEEngine?
    let updateMode: PHASEEngine.UpdateMode
    let executor = Executor()
    /// Handlers run here in automatic mode: never on the thread that renders.
    let callbacks = DispatchQueue(label: "ossicle.phase.callbacks")
    /// Handlers waiting for the end of an update.
    var pendingHandlers: [@Sendable () -> Void] = []

    // What the client set.
    /// The engine keeps it; every object keeps its core.
    weak var root: PHASEObject?
    var assets: [String: PHASEAsset] = [:]
    /// What is taken for granted until the client says more.
    let air = Medium()
    let settings = PostedSettings()
    var quality = AcousticQuality.medium
    /// Seconds one simulation may take while somebody listens; nil for the usual.
    var askedBudget: Double?
    var spatializationMode = PHASESpatializationMode.automatic
    var head = EngineHead()
    var seed: UInt64 = 0
    /// What clients call their objects, by number. Under the mailbox's lock.
    var names: [UInt64: String] = [:]
    var groups: [String: PHASEGroup] = [:]
    let groupMix = GroupMix()
    var trackedHead = FollowedHead()
    private let objectCount = Atomic<UInt64>(0)
    var eventCount: UInt64 = 0

    // What went wrong without a way to throw. Under the mailbox's lock.
    private var errors: [any Error] = []
    /// The oldest are forgotten beyond this many.
    private static let keptErrors = 100
    private var handlerOfErrors: (@Sendable (any Error) -> Void)?
    /// Errors the handler has not been called with yet. Under the engine's lock.
    private var unreported: [any Error] = []
    private var letGone: [AnyObject] = []

    // What runs.
    var renderingState = PHASESoundEvent.RenderingState.stopped
    /// A thread waits, without the lock, for the render side to come to rest.
    var isHalting = false
    var manual: ManualRendering?
    var device: DeviceSession?
    /// Whether rendering keeps up with the device.
    var overload = OverloadWatch()
    var output: OutputStage? { didSet { outputRate.store((output?.sampleRate ?? 48_000).bitPattern, ordering: .relaxed) } }
    private let outputRate = Atomic<UInt64>((48_000.0).bitPattern)
    var events: [EventInstance] = []
    /// Voices that are not over, as of the present update.
    var voiceCount = 0
    /// The default limit of voices was met, which is recorded once.
    var hasRecordedVoiceLimit = false
    let readers = StreamReaders()
    /// The streams of every event that is not gone, started or not.
    var eventStreams: [WeakEventStreams] = []
    var streamTotals = StreamTotals()
    /// Assets that are unregistered and still in use.
    var leavingAssets: [LeavingAsset] = []
    /// What host time it is when a frame is heard.
    var clock: RenderClock { outlets.clock }
    /// The engine is gone: nobody calls `update()` any more.
    var isShutDown = false
    let paths = ScenePaths()
    let rooms = RoomFields()
    var budget = SimulationBudget(asked: .medium, interval: simulationInterval)
    /// As of the last change of the scene, and from where rays find what they sound like, by number.
    var zones: [PHASEReverbZone] = []
    var zonePlaces: [UInt64: Vector] = [:]
    let outlets = Outlets()

    // What has changed since the last update.
    private(set) var needsUpdate = true
    /// Something that stands in everyone's way has changed, or the tree itself.
    private(set) var sceneIsStale = true
    var planIsStale = true
    var lastUpdate: Int64 = 0

    init(updateMode: PHASEEngine.UpdateMode) {
        self.updateMode = updateMode
        outlets.inserts.core = self
    }

    /// What was posted before takes effect before `body`: calls keep their order.
    func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        enter()
        defer {
            leave()
            settleMailbox()
        }
        return try body()
    }

    private func enter() {
        depth += 1
        if depth == 1 { applyMailbox() }
    }

    /// The client's error handler, and what the client does when an object of its own goes, may wait for another thread that waits
    /// for the lock: both come behind the outermost unlock.
    private func leave() {
        depth -= 1
        guard depth == 0 else { return lock.unlock() }
        let (errors, gone) = (unreported, letGone)
        (unreported, letGone) = ([], [])
        lock.unlock()
        guard !errors.isEmpty || !gone.isEmpty else { return }
        let handler = errorHandler
        withExtendedLifetime(gone) { errors.forEach { handler?($0) } }
    }

    /// Under the lock.
    func applyMailbox() {
        let delivered = mailbox.deliver(to: self)
        letGone += delivered
    }

    /// Applies what is posted if the lock is free; otherwise the thread that holds it does so when it leaves.
    func settleMailbox() {
        while !mailbox.isEmpty, lock.try() {
            // This thread is inside already, and applies it when it leaves, or with its next update.
            guard depth == 0 else { return lock.unlock() }
            enter()
            leave()
        }
    }

    /// Gives up an object of the client's. Under the lock.
    func letGo(_ object: AnyObject) { letGone.append(object) }

    /// Any thread.
    func nextObjectNumber() -> UInt64 { objectCount.wrappingAdd(1, ordering: .relaxed).newValue }

    // MARK: Errors

    /// The last hundred, in order.
    var recordedErrors: [any Error] { mailbox.locked { errors } }
    var lastError: (any Error)? { recordedErrors.last }

    var errorHandler: (@Sendable (any Error) -> Void)? {
        get { mailbox.locked { handlerOfErrors } }
        set { mailbox.locked { handlerOfErrors = newValue } }
    }

    /// Any thread, but not under the mailbox's lock. The handler is called on this thread, once it holds no lock of the engine's.
    func record(_ error: any Error) {
        mailbox.locked { errors = (errors + [error]).suffix(Self.keptErrors) }
        guard lock.try() else {
            // Another thread is inside, and this one is not.
            errorHandler?(error)
            return
        }
        enter()
        unreported.append(error)
        leave()
        settleMailbox()
    }

    // MARK: Changes

    func valuesChanged() { needsUpdate = true }

    /// Something begins or ends that the plan has to know of. Any thread.
    func planChanged() {
        locked {
            planIsStale = true
            valuesChanged()
        }
    }

    func poseChanged(of object: PHASEObject) {
        needsUpdate = true
        // What hangs below an object moves with it. Where sources and listeners are is looked at in every update.
        if !(object is PHASESource || object is PHASEListener) || !object.isLeaf { sceneIsStale = true }
    }

    func sceneChanged() {
        sceneIsStale = true
        needsUpdate = true
    }

    func changesTaken() {
        needsUpdate = false
        sceneIsStale = false
    }

    // MARK: Time

    /// Seconds of engine time at the next frame to be rendered. Any thread.
    var now: Double { Double(executor.position) / Double(bitPattern: outputRate.load(ordering: .relaxed)) }
}

extension Double {
    /// Moved into lowest…highest; NaN becomes the lowest.
    func clamped(_ lowest: Double, _ highest: Double) -> Double { isNaN ? lowest : min(max(self, lowest), highest) }

    /// The smallest positive number in place of anything that is not above 0.
    func clampedAboveZero() -> Double { self > 0 ? self : .leastNonzeroMagnitude }
}
