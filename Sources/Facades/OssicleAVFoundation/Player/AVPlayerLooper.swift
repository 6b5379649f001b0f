// Plays an item again and again.

import Foundation
import OssicleAVFAudio
import OssicleCoreAudioTypes

/// Has a queue player repeat an item, or a range of it, without a gap. It inserts copies of the item, each of which
/// goes back to the end of the loop when it is over. A loop lasts at least a millisecond. Keep it for as long as it is
/// to loop. Any thread.
open class AVPlayerLooper: NSObject, @unchecked Sendable {
    /// Where the loop stands among the items that the player has already.
    public enum ItemOrdering: Int, Sendable {
        /// Ahead of them: they are played when looping has been disabled.
        case loopingItemsPrecedeExistingItems = 0
        /// Behind them.
        case loopingItemsFollowExistingItems = 1
    }

    /// Whether it loops.
    public enum Status: Int, Sendable {
        /// The item is not open yet.
        case unknown = 0
        /// It loops.
        case ready = 1
        /// The item, or the range, cannot be played; `error` says why.
        case failed = 2
        /// Looping has been disabled.
        case cancelled = 3
    }

    private let core: LoopCore

    /// Repeats a whole item. The item itself is not played; copies of it are.
    public convenience init(player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem) {
        self.init(player: player, templateItem: itemToLoop, timeRange: .invalid)
    }

    /// Repeats a range of an item, the whole of it for an invalid range.
    public convenience init(
        player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem, timeRange loopRange: CMTimeRange
    ) {
        self.init(
            player: player, templateItem: itemToLoop, timeRange: loopRange,
            existingItemsOrdering: .loopingItemsPrecedeExistingItems)
    }

    /// Repeats a range of an item, ahead of the player's items or behind them.
    public init(
        player: AVQueuePlayer, templateItem itemToLoop: AVPlayerItem, timeRange loopRange: CMTimeRange,
        existingItemsOrdering itemOrdering: ItemOrdering
    ) {
        core = LoopCore(itemToLoop, loopRange)
        super.init()
        player.machine.locked {
            core.begin($0, at: itemOrdering == .loopingItemsPrecedeExistingItems ? 0 : $0.queue.count)
        }
    }

    /// Whether it loops.
    open var status: Status { core.locked { $0.status } }

    /// Why it does not; `nil` unless `status` is `.failed`.
    open var error: (any Error)? { core.locked { $0.error } }

    /// How often the item has been played to its end and begun again.
    open var loopCount: Int { core.locked { $0.count } }

    /// The copies that are played in turn; at least three.
    open var loopingPlayerItems: [AVPlayerItem] { core.locked { $0.replicas } }

    /// Ends looping: the pass that sounds is played to its end, and the player goes on with its other items.
    open func disableLooping() { core.end() }
}

/// The copies of an item and their turns. Its own lock guards it; a player's lock comes before it.
final class LoopCore: @unchecked Sendable {
    struct State {
        var replicas: [AVPlayerItem] = []
        var count = 0
        var status = AVPlayerLooper.Status.unknown
        var error: OssicleError?
        weak var machine: PlayerMachine?
    }

    private let template: AVPlayerItem
    private let range: CMTimeRange
    private let lock = NSLock()
    private var state = State()

    /// Replicas that a loop begins with, and has at most.
    private static let least = 3, most = 256
    /// Seconds of the shortest loop.
    private static let shortest = 0.001
    /// Seconds that all replicas together last at least, so that the player is never short of one.
    private static let span = 1.0

    init(_ template: AVPlayerItem, _ range: CMTimeRange) {
        self.template = template
        self.range = range
    }

    func locked<Result>(_ body: (inout State) -> Result) -> Result { lock.withLock { body(&state) } }

    /// Under the player's lock: inserts the first replicas at a place of its queue.
    func begin(_ machine: PlayerMachine, at place: Int) {
        guard !range.isValid || range.duration.seconds >= Self.shortest else {
            return fail(PlayerFault.shortLoop(range))
        }
        machine.transport.actionAtEnd = .advance
        locked { $0.machine = machine }
        for index in 0..<Self.least { machine.insert(makeReplica(), at: min(place + index, machine.queue.count)) }
    }

    /// Under the player's lock: a replica is open. Short loops get more of them.
    func didOpen(_ item: AVPlayerItem, _ machine: PlayerMachine) {
        guard item.status == .readyToPlay else {
            return fail(item.failure ?? PlayerFault.shortLoop(range))
        }
        guard locked({ $0.status }) == .unknown else { return }
        let end = range.isValid ? min(range.end, item.duration) : item.duration
        let length = (end - (range.isValid ? range.start : .zero)).seconds
        guard length >= Self.shortest else { return fail(PlayerFault.shortLoop(range)) }
        locked { $0.status = .ready }
        let wanted = min(Int((Self.span / length).rounded(.up)), Self.most)
        let last = machine.queue.lastIndex { $0.loop === self } ?? machine.queue.count - 1
        for _ in 0..<max(0, wanted - locked { $0.replicas.count }) { machine.insert(makeReplica(), at: last + 1) }
    }

    /// Under the player's lock: a replica is over and goes to the end of the loop.
    func requeue(_ item: AVPlayerItem, _ machine: PlayerMachine) {
        let goesOn = locked { state in
            guard state.status == .ready else { return false }
            state.count += 1
            return true
        }
        guard goesOn else { return }
        item.restTime = range.isValid ? range.start : .zero
        let last = machine.queue.lastIndex { $0.loop === self } ?? -1
        machine.insert(item, at: last + 1)
    }

    /// The replica that sounds is the last.
    func end() {
        let (machine, replicas) = locked { state in
            if state.status != .failed { state.status = .cancelled }
            return (state.machine, state.replicas)
        }
        machine?.locked { machine in
            for item in replicas where item !== machine.queue.first { machine.remove(item) }
        }
    }

    private func makeReplica() -> AVPlayerItem {
        let item = template.copy() as? AVPlayerItem ?? AVPlayerItem(asset: template.asset)
        if range.isValid {
            item.restTime = range.start
            item.change { $0.forwardEnd = range.end }
        }
        item.loop = self
        locked { $0.replicas.append(item) }
        return item
    }

    private func fail(_ error: OssicleError) {
        locked { state in
            guard state.status != .cancelled else { return }
            state.status = .failed
            state.error = error
        }
    }
}

extension PlayerFault {
    fileprivate static func shortLoop(_ range: CMTimeRange) -> OssicleError {
        error(
            "a loop shorter than a millisecond, from \(range.start.seconds) s on",
            "A loop lasts at least a millisecond.",
            "Give a range within the item.")
    }
}
