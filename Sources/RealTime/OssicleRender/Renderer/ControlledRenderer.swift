import OssicleCore
import Synchronization

/// A renderer that exchanges values with the control side while it renders.
package protocol ControlledRenderer: ~Copyable {
    /// Handles to the memory that the two sides share, valid as long as the renderer lives.
    associatedtype Control: BitwiseCopyable
    /// Copied when the renderer has been made: once it renders, it is the audio thread's alone.
    var control: Control { get }
}

/// The control of a renderer that takes parameters, and keeps sounding after its input fell silent.
package struct RingingControl<Parameters: BitwiseCopyable>: BitwiseCopyable {
    package let cell: LatestValueCell<Parameters>
    let ringing: PositionCell

    /// Frames it keeps sounding, as things are.
    package var tail: Int { Int(ringing.load()) }
}

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

/// The box of a renderer that exchanges values with the control side: through `control`, without touching the
/// renderer itself, which is then the audio thread's alone.
package final class ControlledBox<Renderer: ControlledRenderer & ~Copyable>: RendererBox<Renderer>, @unchecked Sendable
{
    package let control: Renderer.Control

    package override init(_ renderer: consuming Renderer) {
        control = renderer.control
        super.init(renderer)
    }
}

/// A cell that is freed with the renderer that has it as a field. For renderers with a kernel that cannot be copied as
/// their parameter: Swift 6.3 frees the fields of such a type, but does not run its `deinit`.
struct OwnedCell<Value: BitwiseCopyable>: ~Copyable {
    let cell: LatestValueCell<Value>

    init(_ initial: Value) { cell = LatestValueCell(initial) }

    deinit { cell.deallocate() }
}

/// A 64-bit time that one thread publishes and others read.
package struct PublishedPosition: ~Copyable {
    private let value = Atomic<Int64>(0)
    package init() {}
    package func load() -> Int64 { value.load(ordering: .acquiring) }
    package func store(_ position: Int64) { value.store(position, ordering: .releasing) }
    package func exchange(_ position: Int64) -> Int64 { value.exchange(position, ordering: .acquiringAndReleasing) }
}

/// The same as a handle, like `LatestValueCell`: the owner calls `deallocate()`.
package struct PositionCell: BitwiseCopyable, @unchecked Sendable {
    private let position: UnsafeMutablePointer<PublishedPosition>

    init(_ initial: Int64) {
        position = .allocate(capacity: 1)
        position.initialize(to: PublishedPosition())
        store(initial)
    }

    func deallocate() { position.deinitialize(count: 1).deallocate() }

    package func load() -> Int64 { position.pointee.load() }
    func store(_ new: Int64) { position.pointee.store(new) }
}
