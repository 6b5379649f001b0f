import OssicleCore

/// When a kernel with feedback looks at its state: once per quantum of its own frames, however its calls are cut.
///
/// A NaN or infinity that got into a recursion would stay for ever. The kernel processes in runs of `framesToCheck`, and at
/// the end of a full run clears a state that is no longer finite and counts it here.
package struct FeedbackGuard: BitwiseCopyable, Sendable {
    private var position = 0
    /// How often the state had to be cleared.
    private(set) package var faults = 0

    package init() {}

    /// How many of `remaining` frames to process before asking `isDue`.
    func framesToCheck(_ remaining: Int) -> Int { min(remaining, Grid.quantum - position) }

    /// Counts frames as processed; true when the state is to be checked now.
    mutating func isDue(after frames: Int) -> Bool {
        position += frames
        guard position >= Grid.quantum else { return false }
        position = 0
        return true
    }

    mutating func countFault() { faults += 1 }
}
