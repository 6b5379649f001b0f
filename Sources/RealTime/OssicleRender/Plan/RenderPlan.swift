/// Everything one render cycle does, laid out ahead: steps in order, buffers assigned, renderers kept alive.
///
/// Immutable once made. The control side makes it, a command carries its `view` across the line, and the executor keeps it until the render
/// side has taken the next one; only then may it, and the renderers that only it holds, go.
package final class RenderPlan: @unchecked Sendable {
    /// What the executor needs of a plan, without a reference count.
    package struct View: BitwiseCopyable, @unchecked Sendable {
        package let steps: UnsafePointer<RenderStep>
        package let stepCount: Int
        package let outputs: UnsafePointer<UnsafeMutablePointer<Float>>
        package let outputCount: Int
    }

    private let arena: RenderArena
    private let owners: [AnyObject]
    /// In the arena; valid as long as the plan.
    package let view: UnsafePointer<View>

    package init(steps: [RenderStep], outputs: [UnsafeMutablePointer<Float>], arena: RenderArena, owners: [AnyObject]) {
        self.arena = arena
        self.owners = owners
        let (steps, outputs) = (arena.copy(steps), arena.copy(outputs))
        let view = View(steps: UnsafePointer(arena.base(of: steps)), stepCount: steps.count,
                        outputs: UnsafePointer(arena.base(of: outputs)), outputCount: outputs.count)
        self.view = UnsafePointer(arena.base(of: arena.copy([view])))
    }

    package var stepCount: Int { view.pointee.stepCount }
}
