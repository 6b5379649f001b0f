/// One renderer at work on its ports, and the sums its outputs go into.
package struct RenderStep: BitwiseCopyable {
    /// Where several outputs meet at one input, each is added as soon as it was made, while it is still in the cache.
    package struct Sum: BitwiseCopyable {
        package let from: UnsafePointer<Float>
        package let into: UnsafeMutablePointer<Float>
        /// The first contributor replaces what was there: a copy, so that −0 stays −0.
        package let isFirst: Bool

        package init(from: UnsafePointer<Float>, into: UnsafeMutablePointer<Float>, isFirst: Bool) {
            (self.from, self.into, self.isFirst) = (from, into, isFirst)
        }
    }

    package let renderer: RendererReference
    package let ports: Ports
    package let sums: UnsafePointer<Sum>
    package let sumCount: Int

    package init(renderer: RendererReference, ports: Ports, sums: UnsafePointer<Sum>, sumCount: Int) {
        (self.renderer, self.ports, self.sums, self.sumCount) = (renderer, ports, sums, sumCount)
    }

    @inline(__always)
    func run(_ context: RenderContext) {
        renderer.render(ports, context)
        for index in 0..<sumCount {
            let sum = sums[index]
            if sum.isFirst {
                sum.into.update(from: sum.from, count: context.frames)
            } else {
                Mixing.add(sum.from, into: sum.into, context.frames)
            }
        }
    }
}
