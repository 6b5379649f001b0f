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
    private let form: SampleForm
    private let planes: SampleMemory
    private let pointers: RendererBox<UnsafeMutablePointer<UnsafeMutablePointer<Float>>>
    private let writer: SampleWriter
    private let lent: UnsafeMutableRawPointer

    package init(_ format: any SampleFormat, maximumFrames: Int, isOffline: Bool) {
        form = format.sampleForm
        self.maximumFrames = maximumFrames
        self.isOffline = isOffline
        let (channels, frames) = (form.channels, maximumFrames)
        planes = SampleMemory(count: max(frames * channels, 1))
        let table = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: max(channels, 1))
        for channel in 0..<channels { (table + channel).initialize(to: planes.pointer + channel * frames) }
        pointers = RendererBox(table)
        writer = SampleWriter(format)
        lent = .allocate(byteCount: max(frames * channels * 8, 64), alignment: 64)
    }

    deinit {
        pointers.pointer.pointee.deallocate()
        lent.deallocate()
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
        guard list.bufferCount == form.bufferCount else { return false }
        let bytes = form.bytesPerFrame
        for index in 0..<form.bufferCount {
            let own = list.samples(ofBuffer: index)
            if own != nil, list.byteCount(ofBuffer: index) < frames * bytes { return false }
            list.setBuffer(
                index, samples: own ?? lent + index * maximumFrames * bytes, byteCount: frames * bytes)
        }
        var done = 0
        while done < frames {
            let run = min(frames - done, slice)
            between(run)
            executor.render(
                run, into: pointers.pointer.pointee, channels: form.channels, leftAfterwards: frames - done - run)
            for channel in 0..<form.channels {
                guard let data = list.samples(ofBuffer: form.isInterleaved ? 0 : channel) else { continue }
                writer.write(pointers.pointer.pointee[channel], channel: channel, to: data + done * bytes, frames: run)
            }
            done += run
        }
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
