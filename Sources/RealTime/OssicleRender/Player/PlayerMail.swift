import OssicleCore

/// All that crosses the line between a player's control side and its renderer, both ways. Nobody waits.
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

    /// Hands `body` every entry that has come back, in the order they ended, and lets go of their owners.
    package func collect(_ body: (_ entry: QueueEntry, _ owner: AnyObject) -> Void) {
        EntryQueue.forEach(from: toControl.takeAll()) { entry in
            if let owner = entry.pointee.owner?.takeRetainedValue() { body(entry.pointee, owner) }
        }
    }

    /// The newest state of the clock.
    package var clock: Clock { clockCell.takeIfNew() ?? clockCell.current }
}
