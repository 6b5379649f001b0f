import Synchronization

/// Elements from any number of threads, render threads included, to one reader, without waiting and without allocation
/// (Vyukov's bounded queue).
///
/// Each slot has a number that says whose turn it is: its index in the sequence while it is free, one more once it is
/// full. A writer takes an index by advancing the end, then fills the slot.
package final class SharedRing<Element>: @unchecked Sendable {
    private let slots: UnsafeMutablePointer<Element>
    private let turns: UnsafeMutablePointer<Atomic<Int>>
    private let end = Atomic<Int>(0)
    private var start = 0
    private let capacity: Int

    /// - Parameters:
    ///   - capacity: a power of two.
    ///   - empty: what free slots hold.
    package init(capacity: Int, empty: Element) {
        self.capacity = capacity
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: empty, count: capacity)
        turns = .allocate(capacity: capacity)
        for index in 0..<capacity { (turns + index).initialize(to: Atomic(index)) }
    }

    deinit {
        turns.deinitialize(count: capacity).deallocate()
        slots.deinitialize(count: capacity).deallocate()
    }

    /// Any thread. False when the ring is full.
    package func push(_ element: Element) -> Bool {
        var index = end.load(ordering: .relaxed)
        while true {
            let turn = turns[index & (capacity - 1)].load(ordering: .acquiring)
            if turn < index { return false }
            if turn == index {
                let (exchanged, original) = end.weakCompareExchange(
                    expected: index, desired: index + 1, ordering: .relaxed)
                if exchanged { break }
                index = original
            } else {
                index = end.load(ordering: .relaxed)
            }
        }
        slots[index & (capacity - 1)] = element
        turns[index & (capacity - 1)].store(index + 1, ordering: .releasing)
        return true
    }

    /// Reader only.
    package func pop() -> Element? {
        let index = start & (capacity - 1)
        guard turns[index].load(ordering: .acquiring) == start + 1 else { return nil }
        let element = slots[index]
        turns[index].store(start + capacity, ordering: .releasing)
        start += 1
        return element
    }
}
