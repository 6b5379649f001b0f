import Synchronization

/// The head that renderers hear with at the moment: one pointer, which the control side exchanges while they play.
///
/// All heads in one cell have the same `tapCount`, so that no renderer needs other memory for another head. A handle, like `Ring`: whoever
/// made it calls `deallocate()`, and keeps every head that was ever in it until no renderer can be reading that one any more.
package struct HeadCell: BitwiseCopyable, @unchecked Sendable {
    private struct Place: ~Copyable {
        let table: Atomic<UnsafePointer<HeadTable>>
    }

    private let place: UnsafeMutablePointer<Place>

    package init(_ head: HeadFilters) {
        place = .allocate(capacity: 1)
        place.initialize(to: Place(table: Atomic(head.address)))
    }

    package func deallocate() { place.deinitialize(count: 1).deallocate() }

    /// Any thread.
    package var table: HeadTable { place.pointee.table.load(ordering: .acquiring).pointee }

    /// Puts another head on. Control side.
    /// - Returns: whether it fits; a head of another `tapCount` changes nothing.
    package func wear(_ head: HeadFilters) -> Bool {
        guard head.tapCount == table.tapCount else { return false }
        place.pointee.table.store(head.address, ordering: .releasing)
        return true
    }
}
