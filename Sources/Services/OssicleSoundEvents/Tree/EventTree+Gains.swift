extension EventTree {
    /// How loud the tree lets each activated leaf be right now: the product of the blend gains on its way from the root.
    ///
    /// Evaluated at every update. Switches and random nodes pass 1: what they left out was not activated.
    /// - Parameter distances: source to listener, by mixer index, in the client's units; a mixer beyond the list has no
    ///   distance, and what is blended by it is not heard.
    /// - Returns: linear gains, one per activation. Thread: any control thread; pure.
    package func gains(of activations: [Activation], parameters: ParameterValues, distances: [Double]) -> [Double] {
        var gains = [Double](repeating: 1, count: nodes.count)
        for (index, node) in nodes.enumerated() where !node.children.isEmpty {
            let blend = childGains(of: node, parameters: parameters, distances: distances)
            for (position, child) in node.children.enumerated() {
                gains[child] = gains[index] * (blend.map { position < $0.count ? $0[position] : 0 } ?? 1)
            }
        }
        return activations.map { gains.indices.contains($0.node) ? gains[$0.node] : 0 }
    }

    /// Gains of a blend node's children; nil for a node that lets all through.
    private func childGains(of node: Node, parameters: ParameterValues, distances: [Double]) -> [Double]? {
        guard case .blend(let input, let ranges) = node.kind else { return nil }
        let value = input.value(parameters, distances)
        return ranges.map { $0.gain(at: value) }
    }
}

extension EventTree.BlendInput {
    /// What the blend goes by right now; NaN where there is no such parameter or distance.
    func value(_ parameters: ParameterValues, _ distances: [Double]) -> Double {
        switch self {
        case .parameter(let index): parameters.number(index) ?? .nan
        case .distance(let mixer): distances.indices.contains(mixer) ? distances[mixer] : .nan
        }
    }
}
