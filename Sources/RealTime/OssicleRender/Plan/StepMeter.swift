import COssicle

/// What one node costs and gives, for those who look: written by the render side, read by anyone.
package struct StepMeter: ~Copyable {
    /// Processor ticks spent, since the meter was made.
    package let cost = PublishedPosition()
    /// Frames rendered, and how many of them were marked silent.
    package let frames = PublishedPosition()
    package let silentFrames = PublishedPosition()
    /// Bits of the largest magnitude since it was last asked for.
    package let peak = PublishedPosition()

    package init() {}

    /// The largest magnitude since the last call.
    package func takePeak() -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: peak.exchange(0))) }

    func measure(_ renderer: RendererReference, _ ports: Ports, _ context: RenderContext) {
        let before = ossicle_ticks()
        renderer.render(ports, context)
        cost.store(cost.load() &+ Int64(bitPattern: ossicle_ticks() &- before))
        frames.store(frames.load() + Int64(context.frames))
        guard ports.outputCount > 0 else { return }
        if ports.isOutputSilent(0) {
            silentFrames.store(silentFrames.load() + Int64(context.frames))
        } else {
            raisePeak(ports, context.frames)
        }
    }

    private func raisePeak(_ ports: Ports, _ frames: Int) {
        var largest = Float(bitPattern: UInt32(truncatingIfNeeded: peak.load()))
        for channel in 0..<ports.outputCount {
            for frame in 0..<frames { largest = max(largest, ports.output(channel)[frame].magnitude) }
        }
        peak.store(Int64(largest.bitPattern))
    }
}
