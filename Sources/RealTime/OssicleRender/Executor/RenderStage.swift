/// Strands that do not depend on each other: they run at the same time on several threads, or in order on one.
///
/// Of blocks in a row each strand renders all before the next one begins, so that what its renderers remember is read
/// from far memory once for all of them. What strands make for each other has memory of its own for each block.
package struct RenderStage: BitwiseCopyable {
    private let strands: UnsafePointer<RenderStrand>
    let count: Int
    /// In how many versions each strand stands there, one behind the other: the same renderers, for the first block, the
    /// second and so on.
    private let blockCount: Int
    /// So many of the first run on the audio thread in any case: they call the client's code.
    let ownCount: Int

    /// - Parameters:
    ///   - strands: in the plan's arena, each for so many blocks. - count: at most 65,535.
    package init(strands: UnsafePointer<RenderStrand>, count: Int, blockCount: Int, ownCount: Int) {
        (self.strands, self.count, self.blockCount, self.ownCount) = (strands, count, blockCount, ownCount)
    }

    @inline(__always)
    func run(_ span: RenderSpan) {
        if count > 1, let workers = span.workers { return workers.run(self, span) }
        for strand in 0..<count { run(strand, span) }
    }

    /// One strand, on the thread that calls.
    @inline(__always)
    func run(_ strand: Int, _ span: RenderSpan) {
        let versions = strands + strand * blockCount
        versions[0].run(span[0])
        for block in 1..<max(span.blockCount, 1) { versions[block].runAgain(span[block]) }
    }
}

/// Steps that run one after the other on one thread, and what other strands have added up for them.
package struct RenderStrand: BitwiseCopyable {
    private let sums: UnsafePointer<PartialSum>
    private let sumCount: Int
    private let steps: UnsafePointer<RenderStep>
    private let stepCount: Int

    /// - Parameter sums: added up before the first step, in this order; in the plan's arena, like the steps.
    package init(
        sums: UnsafePointer<PartialSum>, count sumCount: Int, steps: UnsafePointer<RenderStep>, count stepCount: Int
    ) {
        (self.sums, self.sumCount, self.steps, self.stepCount) = (sums, sumCount, steps, stepCount)
    }

    func run(_ context: RenderContext) {
        for index in 0..<sumCount { sums[index].run(context.frames) }
        for index in 0..<stepCount {
            // A voice is a player and a renderer: of the next but one the state, of the next what it points to.
            if index + 4 < stepCount { steps[index + 4].renderer.prefetch() }
            if index + 2 < stepCount { steps[index + 2].renderer.prefetchMemory() }
            steps[index].run(context)
        }
    }

    /// Behind the block before: the renderers are near.
    func runAgain(_ context: RenderContext) {
        for index in 0..<sumCount { sums[index].run(context.frames) }
        for index in 0..<stepCount { steps[index].run(context) }
    }
}

/// What one strand has added up for a step of a later stage. It holds sound within one block only.
package enum PartialSum: BitwiseCopyable {
    case port(RenderStep.Sum)
    case shared(SharedSum, from: SharedSum)

    func run(_ frames: Int) {
        switch self {
        case .port(let sum): sum.run(frames)
        case .shared(let sum, let partial): sum.take(partial, frames)
        }
    }
}
