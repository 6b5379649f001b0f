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
    func run(_ span: RenderSpan) {
        if count > 1, let workers = span.workers { return workers.run(self, span) }
        for strand in 0..<count { strands[strand].run(span) }
    }
}

/// Rows of steps that run one after the other on one thread.
///
/// Of blocks in a row each row of steps, a voice's for instance, renders all before the next one begins, so that what
/// its renderers remember comes near once for all of them. What rows and strands make for each other has memory of its
/// own for each block. Rows of one strand do not depend on each other; where steps do, or begin with what other strands
/// have added up, they are one row.
package struct RenderStrand: BitwiseCopyable {
    private let rows: UnsafePointer<RenderRow>
    private let count: Int
    private let blockCount: Int

    /// - Parameter rows: in the plan's arena, each so many times as it has blocks, one version behind the other: the
    ///   same renderers in the memory of the first block, the second and so on.
    package init(rows: UnsafePointer<RenderRow>, count: Int, blockCount: Int) {
        (self.rows, self.count, self.blockCount) = (rows, count, blockCount)
    }

    func run(_ span: RenderSpan) {
        for index in 0..<count {
            // Of the next row but one the renderers, of the next what these point to.
            if index + 2 < count { rows[(index + 2) * blockCount].prefetch() }
            if index + 1 < count { rows[(index + 1) * blockCount].prefetchMemory() }
            let row = rows + index * blockCount
            for block in 0..<span.blockCount { row[block].run(span[block]) }
        }
    }
}

/// Steps that run one after the other in one block, and what other strands have added up for them.
package struct RenderRow: BitwiseCopyable {
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

    @inline(__always)
    func run(_ context: RenderContext) {
        for index in 0..<sumCount { sums[index].run(context.frames) }
        for index in 0..<stepCount {
            // A voice is a player and a renderer: as between rows.
            if index + 4 < stepCount { steps[index + 4].renderer.prefetch() }
            if index + 2 < stepCount { steps[index + 2].renderer.prefetchMemory() }
            steps[index].run(context)
        }
    }

    func prefetch() { for index in 0..<stepCount { steps[index].renderer.prefetch() } }

    func prefetchMemory() { for index in 0..<stepCount { steps[index].renderer.prefetchMemory() } }
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
