import Synchronization

/// A queue between exactly one writing and one reading thread. Never locks, never allocates after creation.
///
/// Every value matters here; where only the newest counts, see `LatestValueCell`. A handle: copies share the memory,
/// and the owner calls `deallocate()` once both threads are done with it.
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

/// Hands the newest value from one writing to one reading thread; older ones are overwritten unseen.
///
/// Three slots: one the writer fills, one the reader holds, one in between that changes hands with an atomic exchange.
/// Neither side ever waits. A handle, like `Ring`: the owner calls `deallocate()`.
package struct LatestValueCell<Value: BitwiseCopyable>: BitwiseCopyable, @unchecked Sendable {
    private struct Corner: ~Copyable {
        /// Index of the slot in between, and in bit 2 whether the writer put it there since the reader last looked.
        let between: Atomic<Int>
        var writing: Int
        var reading: Int
    }

    private static var fresh: Int { 4 }
    private let slots: UnsafeMutablePointer<Value>
    private let corner: UnsafeMutablePointer<Corner>

    package init(_ initial: Value) {
        slots = .allocate(capacity: 3)
        slots.initialize(repeating: initial, count: 3)
        corner = .allocate(capacity: 1)
        corner.initialize(to: Corner(between: Atomic(1), writing: 0, reading: 2))
    }

    package func deallocate() {
        corner.deinitialize(count: 1).deallocate()
        slots.deallocate()
    }

    /// Writer only.
    package func write(_ value: Value) {
        slots[corner.pointee.writing] = value
        publish()
    }

    /// Writer only. As `write`, for what is large and changes in parts: `change` gets a value that was written some
    /// time before, or the initial one, and makes it the newest.
    package func rewrite(_ change: (UnsafeMutablePointer<Value>) -> Void) {
        change(slots + corner.pointee.writing)
        publish()
    }

    private func publish() {
        corner.pointee.writing =
            corner.pointee.between.exchange(corner.pointee.writing | Self.fresh, ordering: .acquiringAndReleasing) & 3
    }

    /// Reader only. Where the next look goes, for a prefetch.
    package var place: UnsafeRawPointer { UnsafeRawPointer(corner) }

    /// Reader only. The newest value if there is one the reader has not seen, else nil.
    package func takeIfNew() -> Value? { advance() ? current : nil }

    /// Reader only. Makes the newest value the current one.
    /// - Returns: whether there was one the reader had not seen.
    package func advance() -> Bool {
        guard corner.pointee.between.load(ordering: .relaxed) & Self.fresh != 0 else { return false }
        corner.pointee.reading =
            corner.pointee.between.exchange(corner.pointee.reading, ordering: .acquiringAndReleasing) & 3
        return true
    }

    /// Reader only. The value taken last (the initial one before that).
    package var current: Value { slots[corner.pointee.reading] }

    /// Reader only. Where that lies until the next is taken, for what is too large to copy.
    package var currentPlace: UnsafePointer<Value> { UnsafePointer(slots + corner.pointee.reading) }
}
