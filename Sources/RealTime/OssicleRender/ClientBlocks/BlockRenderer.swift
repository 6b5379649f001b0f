import COssicle

/// Runs a function from above the line on its ports: a source, a sink or an effect that the client wrote. The one
/// dynamic call of the render loop.
package struct BlockRenderer: ~Copyable {
    package typealias Body = (Ports, RenderContext) -> Void
    private let body: Body
    /// Of a block without code of the client's, which may run on any thread (see `RendererReference.cost`).
    let cost: Float?

    /// - Parameters:
    ///   - cost: nil where the block calls the client's code, which is called on the audio thread only.
    ///   - body: while rendering; it brackets the client's own code with `ClientCode.run`.
    package init(cost: Float? = nil, _ body: @escaping Body) { (self.cost, self.body) = (cost, body) }

    func render(_ ports: Ports, _ context: RenderContext) { body(ports, context) }
}

/// Code that is the client's to answer for.
package enum ClientCode {
    /// Runs `body` unwatched by RealtimeSanitizer.
    @inline(__always)
    package static func run<Result>(_ body: () -> Result) -> Result {
        ossicle_rtsan_pause()
        defer { ossicle_rtsan_resume() }
        return body()
    }

    /// Runs `body`, code of the engine that the client's code has called: watched again, if this thread is.
    @inline(__always)
    package static func callBack<Result>(_ body: () -> Result) -> Result {
        let pauses = ossicle_rtsan_end_pauses()
        defer { ossicle_rtsan_restore_pauses(pauses) }
        return body()
    }
}

/// The first step of a unit's graph: the sound that was pulled, block by block.
package final class InputFeeder: @unchecked Sendable {
    private let planes: UnsafePointer<UnsafeMutablePointer<Float>>
    /// Frames of the planes that have been rendered.
    package var offset = 0

    /// - Parameter planes: one per channel.
    package init(_ planes: UnsafePointer<UnsafeMutablePointer<Float>>) { self.planes = planes }

    package func render(_ ports: Ports, _ context: RenderContext) {
        for channel in 0..<ports.outputCount {
            ports.output(channel).update(from: planes[channel] + offset, count: context.frames)
        }
        offset += context.frames
    }
}
