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
    package func activate(parameters: ParameterValues, trigger: Trigger, history: inout SelectionHistory) -> [Activation] {
        var isReached = [Bool](repeating: false, count: nodes.count)
        isReached[0] = true
        for (index, node) in nodes.enumerated() where isReached[index] {
            switch node.kind {
            case .sampler, .stream: break
            case .container, .blend, .sequence: node.children.forEach { isReached[$0] = true }
            case .random(let weights, let uniqueQueue):
                let choice = history.choose(from: weights, uniqueQueue: uniqueQueue, definition: node.definition,
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
