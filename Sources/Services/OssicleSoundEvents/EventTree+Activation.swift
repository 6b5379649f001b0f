import OssicleCore

/// What makes one trigger of a sound event differ from the next: the engine's seed and the running number of the event.
package struct Trigger: Hashable, Sendable {
    package let seed: UInt64
    package let event: UInt64

    package init(seed: UInt64, event: UInt64) {
        (self.seed, self.event) = (seed, event)
    }

    /// A uniform number in [0, 1) for one node of the event.
    package func draw(node: Int) -> Double {
        CounterRandom(seed: seed, object: UInt64(node)).unit(event)
    }
}

/// A leaf that plays on a trigger.
package struct Activation: Hashable, Sendable {
    /// Index of the leaf's node.
    package let node: Int
}

extension EventTree {
    /// The leaves that play on this trigger, in tree order.
    ///
    /// Random and switch nodes decide here, once; blends let all their children through, see `gains`.
    /// Thread: any control thread; pure but for `history`.
    package func activate(
        parameters: ParameterValues, trigger: Trigger, history: inout SelectionHistory
    ) -> [Activation] {
        var isReached = [Bool](repeating: false, count: nodes.count)
        isReached[0] = true
        for (index, node) in nodes.enumerated() where isReached[index] {
            switch node.kind {
            case .sampler, .stream: break
            case .container, .blend, .sequence: node.children.forEach { isReached[$0] = true }
            case .random(let weights, let uniqueQueue):
                let choice = history.choose(
                    from: weights, uniqueQueue: uniqueQueue, definition: node.definition,
                    draw: trigger.draw(node: index))
                if let choice, choice < node.children.count { isReached[node.children[choice]] = true }
            case .selection(let parameter, let texts):
                let current = parameters.text(parameter)
                if let choice = texts.firstIndex(where: { $0 == current }), choice < node.children.count {
                    isReached[node.children[choice]] = true
                }
            }
        }
        return leaves.filter { isReached[$0] }.map(Activation.init)
    }
}

extension EventTree {
    /// For every node, whether a leaf at or below it plays on this trigger. Any thread; pure.
    package func nodesThatSound(_ activations: [Activation]) -> [Bool] {
        var sounds = [Bool](repeating: false, count: nodes.count)
        for activation in activations where sounds.indices.contains(activation.node) { sounds[activation.node] = true }
        // Children stand behind their parents.
        for index in nodes.indices.reversed() where nodes[index].children.contains(where: { sounds[$0] }) {
            sounds[index] = true
        }
        return sounds
    }
}

/// What the random nodes of one registered sound event chose lately, so that a choice need not come again too soon.
///
/// Kept per registered asset, across its triggers, by definition: a random node used in two places does not repeat
/// itself from one place to the other either.
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
