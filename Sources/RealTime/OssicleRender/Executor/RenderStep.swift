import COssicle

/// One renderer at work on its ports, and the sums its outputs go into.
package struct RenderStep: BitwiseCopyable {
    /// Where several outputs meet at one input, each is added as soon as it was made, while it is still in the cache.
    ///
    /// The first that sounds replaces what was there: a copy, so that −0 stays −0. Silent ones are passed over.
    package struct Sum: BitwiseCopyable {
        package let from: UnsafePointer<UnsafeMutablePointer<Float>>
        package let into: UnsafePointer<UnsafeMutablePointer<Float>>
        package let channelCount: Int
        package let isFromSilent: UnsafePointer<Bool>
        package let isIntoSilent: UnsafeMutablePointer<Bool>
        package let isFirst: Bool
        package let isLast: Bool

        package init(
            from: UnsafePointer<UnsafeMutablePointer<Float>>, into: UnsafePointer<UnsafeMutablePointer<Float>>,
            channelCount: Int,
            isFromSilent: UnsafePointer<Bool>, isIntoSilent: UnsafeMutablePointer<Bool>, isFirst: Bool, isLast: Bool
        ) {
            (self.from, self.into, self.channelCount) = (from, into, channelCount)
            (self.isFromSilent, self.isIntoSilent, self.isFirst, self.isLast) = (
                isFromSilent, isIntoSilent, isFirst, isLast
            )
        }

        @inline(__always)
        func run(_ frames: Int) {
            if isFirst { isIntoSilent.pointee = true }
            if !isFromSilent.pointee {
                for channel in 0..<channelCount {
                    if isIntoSilent.pointee {
                        into[channel].update(from: from[channel], count: frames)
                    } else {
                        Mixing.add(from[channel], into: into[channel], frames)
                    }
                }
                isIntoSilent.pointee = false
            }
            if isLast && isIntoSilent.pointee {
                for channel in 0..<channelCount { Mixing.clear(into[channel], frames) }
            }
        }
    }

    package let renderer: RendererReference
    package let ports: Ports
    package let sums: UnsafePointer<Sum>
    package let sumCount: Int
    package let meter: UnsafeMutablePointer<StepMeter>?

    package init(
        renderer: RendererReference, ports: Ports, sums: UnsafePointer<Sum>, sumCount: Int,
        meter: UnsafeMutablePointer<StepMeter>?
    ) {
        (self.renderer, self.ports, self.sums, self.sumCount, self.meter) = (renderer, ports, sums, sumCount, meter)
    }

    @inline(__always)
    func run(_ context: RenderContext) {
        ports.assumeSounding()
        if let meter {
            meter.pointee.measure(renderer, ports, context)
        } else {
            renderer.render(ports, context)
        }
        for index in 0..<sumCount { sums[index].run(context.frames) }
    }
}

/// Cost and level of one node: written by the render side, read by any thread.
package struct StepMeter: ~Copyable {
    /// Processor ticks spent, since the meter was made.
    package let cost = PublishedPosition()
    /// Frames rendered, and how many of them were marked silent.
    package let frames = PublishedPosition()
    package let silentFrames = PublishedPosition()
    /// Bits of the largest magnitude since it was last asked for.
    package let peak = PublishedPosition()
    /// Whether only the peak is found: reading the processor's clock twice costs more than that.
    private let isPeakOnly: Bool

    /// - Parameter isPeakOnly: whether cost and frames stay 0.
    package init(isPeakOnly: Bool = false) { self.isPeakOnly = isPeakOnly }

    /// The largest magnitude since the last call.
    package func takePeak() -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: peak.exchange(0))) }

    func measure(_ renderer: RendererReference, _ ports: Ports, _ context: RenderContext) {
        if isPeakOnly {
            renderer.render(ports, context)
            if ports.outputCount > 0, !ports.isOutputSilent(0) { raisePeak(ports, context.frames) }
            return
        }
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

    /// What is not a number counts as infinite.
    private func raisePeak(_ ports: Ports, _ frames: Int) {
        var largest = UInt32(truncatingIfNeeded: peak.load())
        for channel in 0..<ports.outputCount {
            largest = ossicle_largest_magnitude(ports.output(channel), frames, largest)
        }
        peak.store(Int64(min(largest, Float.infinity.bitPattern)))
    }
}
