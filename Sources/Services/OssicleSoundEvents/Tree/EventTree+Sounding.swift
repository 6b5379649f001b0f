extension EventTree {
    /// For every node, whether a leaf at or below it plays on this trigger. Any thread; pure.
    package func nodesThatSound(_ activations: [Activation]) -> [Bool] {
        var sounds = [Bool](repeating: false, count: nodes.count)
        for activation in activations where sounds.indices.contains(activation.node) { sounds[activation.node] = true }
        // Children stand behind their parents.
        for index in nodes.indices.reversed() where nodes[index].children.contains(where: { sounds[$0] }) { sounds[index] = true }
        return sounds
    }
}
