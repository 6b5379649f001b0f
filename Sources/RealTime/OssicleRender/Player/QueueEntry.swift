/// One request to a player: a sound to play, or a change of its clock.
///
/// The control side allocates it, the render side links it into its queue, and hands it back with the outcome written
/// in. From then to then it holds `owner`, the control side's object that frees the memory.
package struct QueueEntry {
    package enum Content: BitwiseCopyable {
        case sound(Sound)
        /// From node time `at` on; `nil`, and what has passed, means the next frame to be rendered. Not before `gate`
        /// is open.
        case play(at: Int64?, gate: StartGate.View?)
        case pause
        /// Drops every sound and sets player time back to 0.
        case stop
    }

    package enum Outcome: BitwiseCopyable, Equatable {
        /// The last frame has been rendered.
        case finished
        /// Another sound took its place, or ended its loop.
        case interrupted
        case stopped
        /// Not a sound: it has been carried out.
        case carriedOut
    }

    package let content: Content
    package internal(set) var owner: Unmanaged<AnyObject>?

    /// Written by the render side before the entry comes back.
    package internal(set) var outcome = Outcome.carriedOut
    /// Node time of the frame behind the last one that was played.
    package internal(set) var endedAt: Int64 = 0

    /// Frame of the sound that comes next, counted on through the passes of a loop.
    var frame: Int64 = 0
    var next: UnsafeMutablePointer<QueueEntry>?
    var nextInterrupter: UnsafeMutablePointer<QueueEntry>?

    package init(_ content: Content) { self.content = content }

    /// The sound, if it is one.
    var sound: Sound? {
        if case .sound(let sound) = content { sound } else { nil }
    }
}

extension QueueEntry {
    /// A sound in a player's queue.
    ///
    /// Sounds play in the order they were scheduled; none before its start, and each as soon as the one before it has
    /// ended. A loop ends when it is interrupted, so that a plain sound behind it waits.
    package struct Sound: BitwiseCopyable {
        package enum Interruption: BitwiseCopyable {
            case none
            /// At its start it takes the place of everything scheduled before it: what plays is cut, what waits is
            /// dropped.
            case cut
            /// From its start on, every loop scheduled before it ends with the pass it is in. Nothing is dropped: plain
            /// sounds before it are played, and loops that wait there have one pass.
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

        /// Frames until the pass is over that frame `frame` lies in: 0 between two passes, a whole pass before the
        /// first.
        func framesToPassEnd(from frame: Int64) -> Int64 {
            guard frame > 0 else { return source.frameCount }
            let within = frame % source.frameCount
            return within == 0 ? 0 : source.frameCount - within
        }
    }
}

/// What players wait for that start together: the executor opens it between two render calls, and all of them see it in
/// the same block.
package final class StartGate: @unchecked Sendable {
    package struct View: BitwiseCopyable, @unchecked Sendable {
        private let state: UnsafeMutablePointer<PublishedPosition>

        init(_ state: UnsafeMutablePointer<PublishedPosition>) { self.state = state }

        package var isOpen: Bool { state.pointee.load() != 0 }
        /// Any thread. A gate that is open stays open.
        package func open() { state.pointee.store(1) }
    }

    /// Valid while the gate lives.
    package let view: View
    private let state: UnsafeMutablePointer<PublishedPosition>

    package init() {
        state = .allocate(capacity: 1)
        state.initialize(to: PublishedPosition())
        view = View(state)
    }

    deinit { state.deinitialize(count: 1).deallocate() }
}
