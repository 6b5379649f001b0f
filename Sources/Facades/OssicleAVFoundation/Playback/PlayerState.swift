// What a player is doing, by theme.

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes

/// The queues of a player.
struct PlayerQueues {
    let reading = DispatchQueue(label: "ossicle.player.reading", qos: .userInitiated)
    let clock = DispatchQueue(label: "ossicle.player.clock", qos: .userInitiated)
}

/// What a client learns: its feed of changes, and calls of handlers, which are collected under the player's lock and
/// made behind it.
final class PlayerReports: @unchecked Sendable {
    let changes = ChangeFeed<AVPlayer.Change>()
    /// Calls handlers at a device.
    let queue = DispatchQueue(label: "ossicle.player.handlers", qos: .userInitiated)
    /// Held while handlers are called.
    private let delivery = NSRecursiveLock()
    /// The player's.
    private let lock: NSCondition
    private var calls: ArraySlice<() -> Void> = []

    init(of lock: NSCondition) { self.lock = lock }

    /// Under the player's lock.
    var areWaiting: Bool { !calls.isEmpty }

    /// Under the player's lock.
    func add(_ call: @escaping () -> Void) { calls.append(call) }

    /// Has the calls made: in step with the sound of a device that renders offline, else on a queue.
    func deliver(at device: OfflineAudioDevice?) {
        if device?.deliver(makeCalls) != true { queue.async(execute: makeCalls) }
    }

    /// Makes the calls that are left, oldest first and one thread at a time, so that what was left before rendering is
    /// not called behind what rendering leaves. A handler that itself waits for the thread that renders holds that up
    /// for a second.
    @Sendable private func makeCalls() {
        let isAlone = delivery.lock(before: Date(timeIntervalSinceNow: 1))
        defer { if isAlone { delivery.unlock() } }
        while let call = lock.withLock({ calls.popFirst() }) { call() }
    }
}

/// Whether and how fast sound moves.
struct Transport {
    var rate: Float = 0
    var defaultRate: Float = 1
    var status = AVPlayer.TimeControlStatus.paused
    var reason: AVPlayer.WaitingReason?
    var actionAtEnd = AVPlayer.ActionAtItemEnd.pause
    var waitsForData = true
    /// Plays with whatever is there, until the next stall or pause.
    var isImmediate = false
    var volume: Float = 1
    var isMuted = false
    /// Identifier or name of the output; `nil` for the default.
    var outputDevice: String?
    var error: (any Error)?
    var policy = AVPlayerAudiovisualBackgroundPlaybackPolicy.automatic
    var sourceClock: CMClock?
    /// Whether an item has been ready.
    var isReady = false

    var direction: Int64 { rate < 0 ? -1 : 1 }
}

/// What the reading queue works on.
struct Reading {
    enum Condition {
        case idle
        case going
        /// The item has been read, and the next one is being opened.
        case opening
        /// The item has been read to its end.
        case ended
        case failed
    }

    var item: AVPlayerItem?
    /// The item's frame that comes next, in the ring's rate; backwards the one behind it.
    var frame: Int64 = 0
    /// Where to stop, in the same frames.
    var limit: Int64 = 0
    var direction: Int64 = 1
    var condition = Condition.idle
    /// Counts jumps: what was decoded before one is dropped.
    var generation = 0
    var isScheduled = false
    /// Nothing came in time; until something does.
    var isStarved = false

    /// Whether more sound is to come by itself.
    var isGoing: Bool { condition == .going || condition == .opening }
}

/// Seeks and prerolls under way.
struct Seeking {
    /// Where the current item will stand.
    var target: CMTime?
    var handlers: [SeekHandler] = []
    /// Whether the jump was a client's, to be reported.
    var isJump = false
    var prerolls: [SeekHandler] = []
}

/// Rendering by an `OfflineAudioDevice`.
struct OfflineRendering {
    /// Seconds that a render call waits for sound.
    var dataTimeLimit = 10.0
    /// The device's frame at which a start at a host time begins.
    var start: Int64 = 0
    /// Whether time moves in the slice that is prepared.
    var isSlicePlaying = false
}

/// What is called as time goes by.
struct TimeObserver {
    enum Kind {
        /// Each multiple of so many seconds, jumps, starts and stops.
        case periodic(Double, (CMTime) -> Void)
        /// Certain times, in seconds.
        case boundary([Double], () -> Void)
    }

    let token: TimeObserverToken
    let queue: DispatchQueue?
    let kind: Kind
}

/// What stands for an observer.
final class TimeObserverToken: NSObject, @unchecked Sendable {
    private(set) weak var machine: PlayerMachine?

    init(_ machine: PlayerMachine) {
        self.machine = machine
        super.init()
    }
}
