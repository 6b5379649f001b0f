import OssicleCore
import Synchronization

/// All that crosses the line between a player's control side and its renderer, both ways. Neither side waits.
package struct PlayerMail: ~Copyable {
    /// Where player time stands on the node's clock.
    package struct Clock: BitwiseCopyable {
        /// How many plays, pauses and stops the render side has carried out.
        package var carriedOut: Int64 = 0
        package var isRunning = false
        /// Node time of player time 0, while running.
        package var zero: Int64 = 0
        /// Player time at which it halted, or from which it runs.
        package var halt: Int64 = 0
    }

    let toRender = EntryHandover()
    let toControl = EntryHandover()
    let clockCell = LatestValueCell(Clock())

    /// Frames that a file could not deliver in time.
    package let starvedFrames = PublishedPosition()
    /// Samples that were NaN or infinite and have been played as 0.
    package let nonFiniteSamples = PublishedPosition()

    deinit {
        discard(toRender.takeAll())
        discard(toControl.takeAll())
        clockCell.deallocate()
    }

    private func discard(_ first: UnsafeMutablePointer<QueueEntry>?) {
        EntryQueue.forEach(from: first) { $0.pointee.owner?.release() }
    }

    // MARK: Control side, one thread at a time

    /// Sends an entry, which holds `owner` until it comes back. Carried out at the start of the next render call.
    package func send(_ entry: UnsafeMutablePointer<QueueEntry>, of owner: AnyObject) {
        entry.pointee.owner = Unmanaged.passRetained(owner)
        toRender.push(entry)
    }

    /// Whether `collect` finds an entry.
    package var hasReports: Bool { !toControl.isEmpty }

    /// Hands `body` every entry that has come back, in the order they ended, and releases their owners.
    package func collect(_ body: (_ entry: QueueEntry, _ owner: AnyObject) -> Void) {
        EntryQueue.forEach(from: toControl.takeAll()) { entry in
            if let owner = entry.pointee.owner?.takeRetainedValue() { body(entry.pointee, owner) }
        }
    }

    /// The newest state of the clock.
    package var clock: Clock { clockCell.takeIfNew() ?? clockCell.current }
}

/// Entries on their way from one thread to another: pushed one at a time, taken all at once, in the order they were
/// pushed.
///
/// A linked stack with one atomic top; the entries bring the links, so there is no capacity to run out of and nothing
/// can be lost. The taker empties it in one exchange and turns it over (Treiber 1986, without the pop that makes that
/// structure delicate).
struct EntryHandover: ~Copyable {
    private let newest = Atomic<UnsafeMutablePointer<QueueEntry>?>(nil)

    var isEmpty: Bool { newest.load(ordering: .relaxed) == nil }

    func push(_ entry: UnsafeMutablePointer<QueueEntry>) {
        var top = newest.load(ordering: .relaxed)
        while true {
            entry.pointee.next = top
            let (done, found) = newest.compareExchange(
                expected: top, desired: entry, successOrdering: .releasing, failureOrdering: .relaxed)
            if done { return }
            top = found
        }
    }

    /// The oldest entry, linked to the others by `next`; `nil` if there is none.
    func takeAll() -> UnsafeMutablePointer<QueueEntry>? {
        if isEmpty { return nil }
        var left = newest.exchange(nil, ordering: .acquiring)
        var oldest: UnsafeMutablePointer<QueueEntry>?
        while let entry = left {
            left = entry.pointee.next
            entry.pointee.next = oldest
            oldest = entry
        }
        return oldest
    }
}
