/// How the way from an input to an output went so far. Counts since the buffer was made or reset.
package struct CaptureReport: Sendable, Hashable {
    /// Times the reader found too few frames. Each costs a pause of about the target latency.
    package let underflows: Int
    /// Blocks the writer had no room for, because nobody read.
    package let overflows: Int
    /// Times the reader skipped frames because more waited than twice the target.
    package let resyncs: Int
    /// Frames of silence given in place of captured ones, those before the first included.
    package let silentFrames: Int
    /// Captured frames thrown away.
    package let droppedFrames: Int
    /// Frames that wait now.
    package let waitingFrames: Int
    /// By how many parts per million the input's clock runs faster than the output's; 0 until a second of both was seen.
    package let drift: Double
}
