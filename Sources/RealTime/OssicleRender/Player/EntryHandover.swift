import Synchronization

/// Entries on their way from one thread to another: pushed one at a time, taken all at once, in the order they were pushed.
///
/// A linked stack with one atomic top; the entries bring the links, so there is no capacity to run out of and nothing can be lost. The
/// taker empties it in one exchange and turns it over (Treiber 1986, without the pop that makes that structure delicate).
struct EntryHandover: ~Copyable {
    private let newest = Atomic<UnsafeMutablePointer<QueueEntry>?>(nil)

    func push(_ entry: UnsafeMutablePointer<QueueEntry>) {
        var top = newest.load(ordering: .relaxed)
        while true {
            entry.pointee.next = top
            let (done, found) = newest.compareExchange(expected: top, desired: entry, successOrdering: .releasing, failureOrdering: .relaxed)
            if done { return }
            top = found
        }
    }

    /// The oldest entry, linked to the others by `next`; `nil` if there is none.
    func takeAll() -> UnsafeMutablePointer<QueueEntry>? {
        guard newest.load(ordering: .relaxed) != nil else { return nil }
        var left = newest.exchange(nil, ordering: .acquiring)
        var oldest: UnsafeMutablePointer<QueueEntry>?
        while let entry = left {
            left = entry.pointee.next
            entry.pointee.next = oldest
            oldest = entry
        }
        return oldest
    }
}
