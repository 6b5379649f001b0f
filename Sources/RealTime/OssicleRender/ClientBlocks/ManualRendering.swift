import OssicleCore

/// Manual rendering: the client requests frames, and no device does. The memory it renders through.
package final class ManualRendering: @unchecked Sendable {
    /// Why a render call does not go ahead.
    package enum Refusal {
        case tooManyFrames
        /// The engine does not run.
        case notRunning
        /// Another call is under way, or the engine is being changed.
        case busy
    }

    /// As fast as the client requests, on any thread; otherwise from a real-time thread.
    package let isOffline: Bool
    /// Frames of one render call, at most.
    package let maximumFrames: Int
    private let planes: PlaneWriter
    private let lent: LentMemory

    package init(_ format: any SampleFormat, maximumFrames: Int, isOffline: Bool) {
        self.maximumFrames = maximumFrames
        self.isOffline = isOffline
        planes = PlaneWriter(format, frames: maximumFrames)
        lent = LentMemory(format, frames: maximumFrames)
    }

    /// Renders into the client's buffers, or into memory of its own where there are none. Real-time safe.
    /// - Parameters:
    ///   - slice: frames between two calls of `between`, at most.
    ///   - between: what to do between two slices of a long call, with the frames of the next one.
    /// - Returns: false if the buffers are not of the form or are too small; then nothing was rendered.
    package func render(
        _ frames: Int, with executor: Executor, into list: some SampleBufferList, slice: Int = .max,
        between: (Int) -> Void = { _ in }
    ) -> Bool {
        guard lent.complete(list, frames: frames) else { return false }
        var done = 0
        while done < frames {
            let run = min(frames - done, slice)
            between(run)
            planes.point(to: done)
            executor.render(run, into: planes.pointers, channels: planes.channels, leftAfterwards: frames - done - run)
            done += run
        }
        planes.write(to: list, frames: frames)
        return true
    }

    /// Enters the gate for a render call. Real-time safe.
    /// - Returns: why the call does not go ahead; nil if it has entered the gate, which the caller then leaves.
    package func enter(_ gate: RenderGate, frames: Int) -> Refusal? {
        guard frames <= maximumFrames else { return .tooManyFrames }
        if gate.enter() { return nil }
        return gate.isClosed ? .notRunning : .busy
    }
}
