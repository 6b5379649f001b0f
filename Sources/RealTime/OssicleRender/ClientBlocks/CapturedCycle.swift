import OssicleCore

/// The sound that an I/O unit has captured for the cycle under way, given to the client in the form of its choice when
/// it is fetched. Render side, except for `init`.
///
///     device ─▶ planes ─▶ channel matrix ─▶ client's buffers
package final class CapturedCycle: @unchecked Sendable {
    /// Why a fetch gives nothing.
    package enum Refusal {
        /// The calling thread is in no cycle.
        case noCycle
        /// More frames than the cycle has.
        case tooManyFrames
    }

    /// Channels of the device.
    package let channels: Int
    /// Frames of one cycle, at most.
    package let capacity: Int
    private let captured: PulledPlanes
    private let matrix: PlaneMatrix
    private let output: PlaneWriter
    /// Held by the thread of the cycle.
    private let gate = RenderGate()
    private var frames = 0

    /// - Parameters:
    ///   - matrix: from the device's channels to those of `format`.
    ///   - frames: of one cycle, at most.
    package init(channels: Int, _ matrix: PlaneMatrix, to format: any SampleFormat, frames: Int) {
        (self.channels, self.matrix, capacity) = (channels, matrix, frames)
        captured = PulledPlanes(channels: channels, capacity: frames)
        output = PlaneWriter(format, frames: frames)
        gate.openUp()
    }

    /// Runs `body`, in which `frames` frames can be fetched, as often as the client likes.
    /// - Parameter fill: writes the captured frames into one plane per channel and gives their number; the rest is
    ///   silence, and so is what is not finite.
    package func run<Result>(
        _ frames: Int, filledBy fill: (UnsafePointer<UnsafeMutablePointer<Float>>) -> Int, _ body: () -> Result
    ) -> Result {
        // A thread that was left behind at a stop may still be in its cycle.
        guard gate.enter() else { return body() }
        defer { gate.leave() }
        captured.complete(fill(captured.planes), of: frames)
        self.frames = frames
        return body()
    }

    /// Writes the first `frames` frames of the cycle to a list of the client's form.
    package func fetch(_ frames: Int, to list: some SampleBufferList) -> Refusal? {
        guard gate.isOnRenderThread else { return .noCycle }
        guard frames <= self.frames else { return .tooManyFrames }
        output.point(to: 0)
        for channel in 0..<output.channels {
            matrix.mix(channel, to: output.pointers[channel], frames) { UnsafePointer(captured.planes[$0]) }
        }
        output.write(to: list, frames: frames)
        return nil
    }
}
