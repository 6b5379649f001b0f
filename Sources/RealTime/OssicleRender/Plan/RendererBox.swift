/// Keeps a renderer's memory: the plan and the control side share the box, the executor sees the bare pointer.
package class RendererBox<Renderer: ~Copyable>: @unchecked Sendable {
    package let pointer: UnsafeMutablePointer<Renderer>

    package init(_ renderer: consuming Renderer) {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: renderer)
    }

    deinit {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}

/// The box of a renderer that is told and asked things while it renders: through `control`, without touching the renderer itself, which is then the
/// audio thread's alone.
package final class ControlledBox<Renderer: ControlledRenderer & ~Copyable>: RendererBox<Renderer>, @unchecked Sendable {
    package let control: Renderer.Control

    package override init(_ renderer: consuming Renderer) {
        control = renderer.control
        super.init(renderer)
    }
}
