import Synchronization

/// What befell a capture buffer. Each count is changed by one of the two threads and read by any.
final class CaptureCounters: Sendable {
    private let underflows = Atomic(0)
    private let overflows = Atomic(0)
    private let resyncs = Atomic(0)
    private let silent = Atomic(0)
    /// One for each side, as both drop frames.
    private let droppedByWriter = Atomic(0)
    private let droppedByReader = Atomic(0)

    /// Writer.
    func overflow(frames: Int) {
        droppedByWriter.wrappingAdd(frames, ordering: .relaxed)
        overflows.wrappingAdd(1, ordering: .relaxed)
    }

    /// Reader.
    var overflowCount: Int { overflows.load(ordering: .relaxed) }
    func underflow() { underflows.wrappingAdd(1, ordering: .relaxed) }
    func silence(frames: Int) { silent.wrappingAdd(frames, ordering: .relaxed) }
    func drop(frames: Int) { droppedByReader.wrappingAdd(frames, ordering: .relaxed) }

    func resync(frames: Int) {
        drop(frames: frames)
        resyncs.wrappingAdd(1, ordering: .relaxed)
    }

    func report(waiting: Int, drift: Double) -> CaptureReport {
        CaptureReport(underflows: underflows.load(ordering: .relaxed), overflows: overflows.load(ordering: .relaxed),
                      resyncs: resyncs.load(ordering: .relaxed), silentFrames: silent.load(ordering: .relaxed),
                      droppedFrames: droppedByWriter.load(ordering: .relaxed) + droppedByReader.load(ordering: .relaxed),
                      waitingFrames: waiting, drift: drift)
    }
}
