import OssicleAudioToolbox
import Synchronization

/// Events from any number of threads, render threads included, to one reader, without waiting and without allocation.
///
/// Each slot has a number that says whose turn it is: its place in the row while it is free, one more once it is full. A writer takes a place by
/// advancing the end, then fills the slot (Vyukov's bounded queue).
final class EventRing: @unchecked Sendable {
    private let slots: UnsafeMutablePointer<AURenderEvent>
    private let turns: UnsafeMutablePointer<Atomic<Int>>
    private let end = Atomic<Int>(0)
    private var start = 0
    private let capacity: Int

    /// - Parameter capacity: a power of two.
    init(capacity: Int) {
        self.capacity = capacity
        slots = .allocate(capacity: capacity)
        slots.initialize(repeating: AURenderEvent(), count: capacity)
        turns = .allocate(capacity: capacity)
        for index in 0..<capacity { (turns + index).initialize(to: Atomic(index)) }
    }

    deinit {
        turns.deinitialize(count: capacity).deallocate()
        slots.deallocate()
    }

    /// Any thread. False when the ring is full.
    func push(_ event: AURenderEvent) -> Bool {
        var place = end.load(ordering: .relaxed)
        while true {
            let turn = turns[place & (capacity - 1)].load(ordering: .acquiring)
            if turn < place { return false }
            if turn == place {
                let (exchanged, original) = end.weakCompareExchange(expected: place, desired: place + 1, ordering: .relaxed)
                if exchanged { break }
                place = original
            } else {
                place = end.load(ordering: .relaxed)
            }
        }
        slots[place & (capacity - 1)] = event
        turns[place & (capacity - 1)].store(place + 1, ordering: .releasing)
        return true
    }

    /// Reader only.
    func pop() -> AURenderEvent? {
        let index = start & (capacity - 1)
        guard turns[index].load(ordering: .acquiring) == start + 1 else { return nil }
        let event = slots[index]
        turns[index].store(start + capacity, ordering: .releasing)
        start += 1
        return event
    }
}
