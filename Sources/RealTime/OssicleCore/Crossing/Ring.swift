import Synchronization

/// A queue between exactly one writing and one reading thread. Never locks, never allocates after creation.
///
/// Every value matters here; where only the newest counts, see `LatestValueCell`. A handle: copies share the memory, and whoever
/// made the ring calls `deallocate()` once both threads are done with it.
package struct Ring<Element: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
    private let slots: UnsafeMutablePointer<Element>
    private let written: UnsafeMutablePointer<Atomic<Int>>
    private let read: UnsafeMutablePointer<Atomic<Int>>
    private let mask: Int

    /// - Parameter capacity: rounded up to a power of two.
    package init(capacity: Int) {
        var size = 1
        while size < capacity { size *= 2 }
        mask = size - 1
        slots = .allocate(capacity: size)
        written = .allocate(capacity: 1)
        read = .allocate(capacity: 1)
        written.initialize(to: Atomic(0))
        read.initialize(to: Atomic(0))
    }

    package func deallocate() {
        written.deinitialize(count: 1).deallocate()
        read.deinitialize(count: 1).deallocate()
        slots.deallocate()
    }

    /// Writer only. False when the ring is full; nothing was written then.
    package func push(_ element: Element) -> Bool {
        let end = written.pointee.load(ordering: .relaxed)
        guard end - read.pointee.load(ordering: .acquiring) <= mask else { return false }
        slots[end & mask] = element
        written.pointee.store(end + 1, ordering: .releasing)
        return true
    }

    /// Reader only. The oldest element, left in place.
    package func peek() -> Element? {
        let start = read.pointee.load(ordering: .relaxed)
        return start < written.pointee.load(ordering: .acquiring) ? slots[start & mask] : nil
    }

    /// Reader only.
    package func pop() -> Element? {
        let start = read.pointee.load(ordering: .relaxed)
        guard start < written.pointee.load(ordering: .acquiring) else { return nil }
        let element = slots[start & mask]
        read.pointee.store(start + 1, ordering: .releasing)
        return element
    }

    /// Either thread. How many elements wait.
    package var count: Int { written.pointee.load(ordering: .acquiring) - read.pointee.load(ordering: .acquiring) }
    package var capacity: Int { mask + 1 }
}
