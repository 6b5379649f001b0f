/// Strands that do not depend on each other: they run at the same time on several threads, or in order on one.
package struct RenderStage: BitwiseCopyable {
    let strands: UnsafePointer<RenderStrand>
    let count: Int
    /// So many of the first run on the audio thread in any case: they call the client's code.
    let ownCount: Int

    /// - Parameter strands: in the plan's arena, at most 65,535.
    package init(strands: UnsafePointer<RenderStrand>, count: Int, ownCount: Int) {
        (self.strands, self.count, self.ownCount) = (strands, count, ownCount)
    }

    @inline(__always)
    func run(_ context: RenderContext) {
        if count > 1, let workers = context.workers { return workers.run(self, context) }
        for index in 0..<count { strands[index].run(context) }
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
