/// A sound in a player's queue.
///
/// Sounds play in the order they were scheduled; none before its start, and each as soon as the one before it has ended. A loop ends when it
/// is interrupted, so that a plain sound behind it waits.
package struct QueuedSound: BitwiseCopyable {
    package enum Interruption: BitwiseCopyable {
        case none
        /// At its start it takes the place of everything scheduled before it: what plays is cut, what waits is dropped.
        case cut
        /// From its start on, every loop scheduled before it ends with the pass it is in. Nothing is dropped: plain sounds before it are
        /// played, and loops that wait there have one pass.
        case atLoop
    }

    package let source: SampleSource
    /// Player time of the first frame; `nil` is right behind what was scheduled before (for a cut: at once).
    package let start: Int64?
    package let interruption: Interruption

    package init(source: SampleSource, start: Int64? = nil, interruption: Interruption = .none) {
        self.source = source
        // Far from where sums of times would overflow.
        self.start = start.map { min(max($0, -(1 << 61)), 1 << 61) }
        self.interruption = interruption
    }

    /// Player time from which it may play, interrupt or end a loop.
    var dueTime: Int64 { start ?? .min }

    /// Frames until the pass is over that frame `frame` lies in: 0 between two passes, a whole pass before the first.
    func framesToPassEnd(from frame: Int64) -> Int64 {
        guard frame > 0 else { return source.frameCount }
        let within = frame % source.frameCount
        return within == 0 ? 0 : source.frameCount - within
    }
}
