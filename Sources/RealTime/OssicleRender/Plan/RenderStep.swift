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

        package init(from: UnsafePointer<UnsafeMutablePointer<Float>>, into: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int,
                     isFromSilent: UnsafePointer<Bool>, isIntoSilent: UnsafeMutablePointer<Bool>, isFirst: Bool, isLast: Bool) {
            (self.from, self.into, self.channelCount) = (from, into, channelCount)
            (self.isFromSilent, self.isIntoSilent, self.isFirst, self.isLast) = (isFromSilent, isIntoSilent, isFirst, isLast)
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

    package init(renderer: RendererReference, ports: Ports, sums: UnsafePointer<Sum>, sumCount: Int, meter: UnsafeMutablePointer<StepMeter>?) {
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
