import Synchronization

/// A 64-bit time that one thread publishes and others read.
package struct PublishedPosition: ~Copyable {
    private let value = Atomic<Int64>(0)
    package init() {}
    package func load() -> Int64 { value.load(ordering: .acquiring) }
    package func store(_ position: Int64) { value.store(position, ordering: .releasing) }
    package func exchange(_ position: Int64) -> Int64 { value.exchange(position, ordering: .acquiringAndReleasing) }
}

/// The same as a handle, like `LatestValueCell`: whoever made it calls `deallocate()`.
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
