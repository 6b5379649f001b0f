/// Everything one render cycle does, laid out ahead: steps in order, buffers assigned, renderers kept alive.
///
/// Immutable once made. The control side makes it, a command carries its `view` across the line, and the executor hands it back
/// through the retire ring when the next one has taken over; only then may it, and the renderers that only it holds, go.
package final class RenderPlan: @unchecked Sendable {
    /// What the executor needs of a plan, without a reference count.
    package struct View: BitwiseCopyable, @unchecked Sendable {
        package let steps: UnsafePointer<RenderStep>
        package let stepCount: Int
        package let outputs: UnsafePointer<UnsafeMutablePointer<Float>>
        package let outputCount: Int
        package let plan: Unmanaged<RenderPlan>
    }

    private let arena: RenderArena
    private let owners: [AnyObject]
    private let steps: UnsafeMutableBufferPointer<RenderStep>
    private let outputs: UnsafeMutableBufferPointer<UnsafeMutablePointer<Float>>

    package init(steps: [RenderStep], outputs: [UnsafeMutablePointer<Float>], arena: RenderArena, owners: [AnyObject]) {
        self.arena = arena
        self.owners = owners
        self.steps = arena.copy(steps)
        self.outputs = arena.copy(outputs)
    }

    package var stepCount: Int { steps.count }

    /// A view for whoever keeps the plan alive otherwise.
    package var view: View {
        View(steps: UnsafePointer(arena.base(of: steps)), stepCount: steps.count,
             outputs: UnsafePointer(arena.base(of: outputs)), outputCount: outputs.count,
             plan: Unmanaged.passUnretained(self))
    }

    /// A view that owns one reference; whoever receives it from the retire ring releases that.
    package func retainedView() -> View {
        _ = Unmanaged.passRetained(self)
        return view
    }
}
