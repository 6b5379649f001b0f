import Foundation
import OssicleAcoustics
import OssicleAVFAudio
import OssicleCore
import OssicleGraph
import OssicleRender
import OssicleSoundEvents

/// Everything behind one `PHASEEngine`, under one lock: what the client has asked for, and what runs.
///
/// The client's calls only change values here and raise a flag. An update (`EngineCore+Update`) turns them into plans, parameters and
/// commands, and sends those across the real-time line. The render thread never takes the lock.
final class EngineCore: @unchecked Sendable {
    static let defaultFormat: AVAudioFormat =
        AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) ?? AVAudioFormat(unchecked: AudioStreamBasicDescription())

    private let lock = NSRecursiveLock()
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
    var medium: PHASEMedium?
    var reverbPreset = PHASEReverbPreset.none
    var unitsPerSecond = 1.0
    var unitsPerMeter = 1.0
    var spatializationMode = PHASESpatializationMode.automatic
    var seed: UInt64 = 0
    var names: [UInt64: String] = [:]
    var groups: [String: PHASEGroup] = [:]
    private var objectCount: UInt64 = 0
    var eventCount: UInt64 = 0

    // What went wrong without a way to throw.
    private(set) var recordedErrors: [any Error] = []
    var lastError: (any Error)? { recordedErrors.last }
    /// The oldest are forgotten beyond this many.
    private static let keptErrors = 100
    var errorHandler: (@Sendable (any Error) -> Void)?
    /// Errors the handler has not heard of yet.
    private var unreported: [any Error] = []
    private var letGone: [AnyObject] = []

    // What runs.
    var renderingState = PHASESoundEvent.RenderingState.stopped
    var manual: ManualRendering?
    var device: DeviceSession?
    var output: OutputStage?
    var events: [EventInstance] = []
    var streams: [StreamFeeder] = []
    let paths = DirectPaths()

    // What has changed since the last update.
    private(set) var needsUpdate = true
    private(set) var moves = Moves(everything: true)
    var planIsStale = true
    var lastUpdate: Int64 = 0

    /// Whose direct paths have to be traced anew.
    struct Moves {
        /// Something that stands in everyone's way, or the tree itself.
        var everything = false
        /// Sources and listeners, by number.
        var objects: Set<UInt64> = []
    }

    init(updateMode: PHASEEngine.UpdateMode) { self.updateMode = updateMode }

    func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock.lock()
        depth += 1
        defer { unlockAndReport() }
        return try body()
    }

    /// The client's error handler, and what the client does when an object of its own goes, may wait for another thread that waits
    /// for the lock: both come behind the outermost unlock.
    private func unlockAndReport() {
        depth -= 1
        guard depth == 0, !unreported.isEmpty || !letGone.isEmpty else { return lock.unlock() }
        let (errors, handler, gone) = (unreported, errorHandler, letGone)
        (unreported, letGone) = ([], [])
        lock.unlock()
        withExtendedLifetime(gone) { errors.forEach { handler?($0) } }
    }

    /// Gives up an object of the client's. Under the lock.
    func letGo(_ object: AnyObject) { letGone.append(object) }

    func nextObjectNumber() -> UInt64 {
        locked {
            objectCount += 1
            return objectCount
        }
    }

    func record(_ error: any Error) {
        locked {
            recordedErrors = (recordedErrors + [error]).suffix(Self.keptErrors)
            unreported.append(error)
        }
    }

    // MARK: Changes

    func valuesChanged() { needsUpdate = true }

    func poseChanged(of object: PHASEObject) {
        needsUpdate = true
        // What hangs below an object moves with it.
        if (object is PHASESource || object is PHASEListener) && object.isLeaf {
            moves.objects.insert(object.number)
        } else {
            moves.everything = true
        }
    }

    func sceneChanged() {
        moves.everything = true
        needsUpdate = true
    }

    func changesTaken() {
        needsUpdate = false
        moves = Moves()
    }

    // MARK: Time

    /// Seconds of engine time at the next frame to be rendered.
    var now: Double { Double(executor.position) / (output?.sampleRate ?? 48_000) }
}

extension Double {
    /// Moved into lowest…highest; NaN becomes the lowest.
    func clamped(_ lowest: Double, _ highest: Double) -> Double { isNaN ? lowest : min(max(self, lowest), highest) }

    /// The smallest positive number in place of anything that is not above 0.
    func clampedAboveZero() -> Double { self > 0 ? self : .leastNonzeroMagnitude }
}
