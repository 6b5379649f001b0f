/// What the random nodes of one registered sound event chose lately, so that a choice need not come again too soon.
///
/// Kept per registered asset, across its triggers, by definition: a random node used in two places does not repeat itself
/// from one place to the other either.
package struct SelectionHistory: Hashable, Sendable {
    /// Latest choice last, by definition number.
    private var choices: [Int: [Int]] = [:]

    package init() {}

    package mutating func reset() { choices = [:] }

    /// Chooses a child and remembers it.
    ///
    /// - Parameters:
    ///   - weights: one per child; less than 1 (or NaN) counts as 1.
    ///   - uniqueQueue: how many later choices leave this one out. At least one child always stays eligible, so a queue
    ///     as long as the list or longer amounts to the list less one: every child once, the oldest next.
    ///   - draw: uniform in [0, 1).
    /// - Returns: nil if there are no children.
    package mutating func choose(from weights: [Double], uniqueQueue: Int, definition: Int, draw: Double) -> Int? {
        guard !weights.isEmpty else { return nil }
        let length = min(max(uniqueQueue, 0), weights.count - 1)
        var recent = Array((choices[definition] ?? []).suffix(length))
        let eligible = weights.indices.filter { !recent.contains($0) }
        let choice = SelectionHistory.pick(eligible, weights: weights, draw: draw)
        if length > 0, let choice {
            recent.append(choice)
            choices[definition] = recent.suffix(length)
        }
        return choice
    }

    private static func pick(_ eligible: [Int], weights: [Double], draw: Double) -> Int? {
        // The cap keeps the sum of thousands of weights finite.
        let effective = eligible.map { weights[$0] >= 1 ? min(weights[$0], 1e300) : 1 }
        let wanted = draw * effective.reduce(0, +)
        var sum = 0.0
        for (index, weight) in zip(eligible, effective) {
            sum += weight
            if wanted < sum { return index }
        }
        return eligible.last
    }
}
