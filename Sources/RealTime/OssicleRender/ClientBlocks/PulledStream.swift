import OssicleCore
import OssicleDSP

/// The last step of what feeds a stream: only numbers get through, and, if the stream is to be normalised, at a common
/// loudness. `process` on the audio thread, the count from any.
package final class StreamFinish: @unchecked Sendable {
    package let nonFinite = NonFiniteCount()
    private let leveller: RendererBox<LoudnessLeveller>?

    /// - Parameter leveller: `nil` for a stream that is not normalised.
    package init(_ leveller: RendererBox<LoudnessLeveller>?) {
        self.leveller = leveller
    }

    package func process(_ ports: Ports, _ frames: Int) {
        for channel in 0..<ports.outputCount { nonFinite.clear(ports.outputs[channel], frames) }
        leveller?.pointer.pointee.process(ports.outputs, ports.outputCount, frames)
    }
}

/// A stream whose handler is called on the audio thread, and whose sound is copied from where the handler left it.
package final class PulledStream: @unchecked Sendable {
    /// Calls the handler for the frames of `context` and gives its status, and whether there is sound. It brackets the
    /// client's code with `ClientCode.run`.
    package typealias Call = (_ context: RenderContext, _ planes: UnsafeMutablePointer<Float>) -> Answer

    /// What a handler answered.
    package struct Answer {
        let status: Int32
        let hasSound: Bool

        package init(status: Int32, hasSound: Bool) { (self.status, self.hasSound) = (status, hasSound) }
    }

    /// Where the handler left a channel: address and length in samples; `nil` for none.
    package typealias Plane = (_ channel: Int) -> (samples: UnsafeRawPointer, count: Int)?

    /// Calls that returned an error, and the last such error.
    package let failedCalls = PublishedPosition()
    package let lastStatus = PublishedPosition()
    private let memory: SampleMemory
    private let finish: StreamFinish
    /// Copies what the handler gives, as it gives it.
    private let capture: UnsafeMutablePointer<TapRenderer>?
    private let captureOwner: RendererBox<TapRenderer>?

    /// - Parameter captured: receives the handler's sound, but for calls without any; nil where nothing records it.
    package init(channels: Int, _ finish: StreamFinish, captured: TapSource? = nil) {
        memory = SampleMemory(count: channels * Grid.quantum)
        self.finish = finish
        captureOwner = captured.map { RendererBox(TapRenderer($0)) }
        capture = captureOwner?.pointer
    }

    /// Render side.
    /// - Parameters:
    ///   - call: gets planes of this object's, `Grid.quantum` samples apart.
    ///   - plane: asked after a call that gave sound.
    package func render(_ ports: Ports, _ context: RenderContext, calling call: Call, plane: Plane) {
        let answer = call(context, memory.pointer)
        if answer.status != 0 {
            lastStatus.store(Int64(answer.status))
            failedCalls.store(failedCalls.load() + 1)
        }
        if answer.status == 0 && answer.hasSound {
            take(ports, context.frames, plane)
            capture?.pointee.write(ports.outputs, context)
        } else {
            ports.silenceOutputs(context.frames)
        }
        finish.process(ports, context.frames)
    }

    /// What the handler left, where it left it: it may have put other memory in place of ours.
    private func take(_ ports: Ports, _ frames: Int, _ plane: Plane) {
        for channel in 0..<ports.outputCount {
            let output = ports.output(channel)
            var held = 0
            if let (samples, count) = plane(channel) {
                held = min(frames, count)
                UnsafeMutableRawPointer(output).copyMemory(from: samples, byteCount: held * MemoryLayout<Float>.stride)
            }
            Mixing.clear(output + held, frames - held)
        }
    }
}
