/// One thing a player has been told: a sound to play, or what to do with its clock.
///
/// The control side allocates it, the render side links it into its queue, and hands it back with the outcome written in. From
/// then to then it holds `owner`, the control side's object that frees the memory.
package struct QueueEntry {
    package enum Content: BitwiseCopyable {
        case sound(QueuedSound)
        /// From node time `at` on; `nil`, and what has passed, means the next frame to be rendered. Not before `gate` is open.
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
    /// Node time of the frame behind the last one that was heard.
    package internal(set) var endedAt: Int64 = 0

    /// Frame of the sound that comes next, counted on through the passes of a loop.
    var frame: Int64 = 0
    var next: UnsafeMutablePointer<QueueEntry>?
    var nextInterrupter: UnsafeMutablePointer<QueueEntry>?

    package init(_ content: Content) { self.content = content }

    /// The sound, if it is one.
    var sound: QueuedSound? {
        if case .sound(let sound) = content { sound } else { nil }
    }
}
