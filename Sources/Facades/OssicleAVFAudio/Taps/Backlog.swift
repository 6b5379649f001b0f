import Synchronization

/// How much waits for a client, and how much was turned away.
final class Backlog: Sendable {
    private let waiting = Atomic<Int>(0)
    private let turnedAway = Atomic<Int>(0)

    var dropped: Int { turnedAway.load(ordering: .relaxed) }

    func admit(_ amount: Int, limit: Int) -> Bool {
        if waiting.load(ordering: .relaxed) > limit - amount {
            turnedAway.wrappingAdd(amount, ordering: .relaxed)
            return false
        }
        waiting.wrappingAdd(amount, ordering: .relaxed)
        return true
    }

    func leave(_ amount: Int) { waiting.wrappingSubtract(amount, ordering: .relaxed) }
}
