import OssicleRender

/// The control side's hold on an entry of a player's queue: its memory, and what it points to.
package class PlayerEntry: @unchecked Sendable {
    private let pointer = UnsafeMutablePointer<QueueEntry>.allocate(capacity: 1)
    private let companion: AnyObject?

    init(_ content: QueueEntry.Content, keeping companion: AnyObject? = nil) {
        self.companion = companion
        pointer.initialize(to: QueueEntry(content))
    }

    deinit { pointer.deallocate() }

    func send(through mail: UnsafeMutablePointer<PlayerMail>) { mail.pointee.send(pointer, of: self) }
}

/// A sound in a player's queue.
package final class PlayerSound: PlayerEntry, @unchecked Sendable {
    let completion: PlayerCompletion?
    /// The file it comes from, if it does.
    let stream: FileStream?
    /// Place in the order of scheduling; the queue sets it.
    var number = 0

    package init(
        _ source: PlayerSource, at start: Int64?, _ options: AVAudioPlayerNodeBufferOptions,
        _ completion: PlayerCompletion?
    ) {
        self.completion = completion
        stream = source.keeper as? FileStream
        // Both together: the gentler one.
        let interruption: QueuedSound.Interruption =
            options.contains(.interruptsAtLoop) ? .atLoop : options.contains(.interrupts) ? .cut : .none
        super.init(
            .sound(QueuedSound(source: source.samples, start: start, interruption: interruption)),
            keeping: source.keeper)
    }
}
