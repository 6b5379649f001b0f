import OssicleRender

/// How a scheduled segment ended.
package enum SegmentOutcome: Sendable {
    /// It was played to its end.
    case finished
    /// Another one took its place or ended its loop.
    case interrupted
    /// The player was stopped.
    case stopped
    /// It was never scheduled.
    case refused
}

/// What to call when a segment is over.
package struct SegmentCompletion: Sendable {
    /// At a device the call waits until the end has been heard; otherwise it comes once it has been rendered.
    package let waitsUntilHeard: Bool
    package let call: @Sendable (SegmentOutcome) -> Void

    package init(waitsUntilHeard: Bool = false, _ call: @escaping @Sendable (SegmentOutcome) -> Void) {
        self.waitsUntilHeard = waitsUntilHeard
        self.call = call
    }
}

/// A client's buffer that a player can read.
package protocol PlayableBuffer {
    /// The valid frames as planes of 32-bit floats, and what keeps them there; nil for samples of no common form.
    func playableSamples(loops: Bool) -> (samples: SampleSource, keeper: AnyObject)?
}

/// The control side's hold on an entry of a player's queue: its memory, and what it points to.
package class QueueEntryOwner: @unchecked Sendable {
    private let pointer = UnsafeMutablePointer<QueueEntry>.allocate(capacity: 1)
    private let companion: AnyObject?

    init(_ content: QueueEntry.Content, keeping companion: AnyObject? = nil) {
        self.companion = companion
        pointer.initialize(to: QueueEntry(content))
    }

    deinit { pointer.deallocate() }

    func send(through mail: UnsafeMutablePointer<PlayerMail>) { mail.pointee.send(pointer, of: self) }
}

/// A buffer or a stretch of a file that a client has scheduled.
package final class ScheduledSegment: QueueEntryOwner, @unchecked Sendable {
    let completion: SegmentCompletion?
    /// The file it comes from, if it does.
    let stream: FileStream?
    /// Position in the order of scheduling; the queue sets it.
    var number = 0

    /// - Parameters:
    ///   - keeper: keeps the samples in memory.
    ///   - start: player time of the first frame; nil is right behind what was scheduled before.
    package init(
        _ samples: SampleSource, keeping keeper: AnyObject, at start: Int64?,
        interruption: QueueEntry.Sound.Interruption, completion: SegmentCompletion?
    ) {
        self.completion = completion
        stream = keeper as? FileStream
        super.init(
            .sound(QueueEntry.Sound(source: samples, start: start, interruption: interruption)), keeping: keeper)
    }

    package convenience init(_ stream: FileStream, at start: Int64?, completion: SegmentCompletion? = nil) {
        self.init(stream.source, keeping: stream, at: start, interruption: .none, completion: completion)
    }
}
