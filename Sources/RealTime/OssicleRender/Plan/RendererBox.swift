/// Keeps a renderer's memory: the plan and the control side share the box, the executor sees the bare pointer.
package final class RendererBox<Renderer: ~Copyable>: @unchecked Sendable {
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
