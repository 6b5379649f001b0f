extension EventTree {
    /// One node on the way from the root to a leaf, and what it did.
    package struct Step: Sendable {
        package let node: Node
        /// Which of the node's children the way goes on to.
        package let child: Int
        /// What a blend goes by right now, and how loud it lets the child be; nil for other nodes.
        package let blend: (input: Double, gain: Double)?
    }

    /// The nodes above the leaf at `index`, from the root down. Their blend gains multiply to what `gains` says of the leaf.
    ///
    /// Thread: any control thread; pure.
    package func way(to index: Int, parameters: ParameterValues, distances: [Double]) -> [Step] {
        var steps: [Step] = []
        var place = index
        // Parents stand before their children.
        for (parent, node) in nodes.enumerated().reversed() where parent < place {
            guard let child = node.children.firstIndex(of: place) else { continue }
            steps.append(Step(node: node, child: child, blend: blend(of: node, child: child, parameters, distances)))
            place = parent
        }
        return steps.reversed()
    }

    private func blend(of node: Node, child: Int, _ parameters: ParameterValues, _ distances: [Double]) -> (input: Double, gain: Double)? {
        guard case .blend(let input, let ranges) = node.kind else { return nil }
        let value = input.value(parameters, distances)
        return (value, ranges.indices.contains(child) ? ranges[child].gain(at: value) : 0)
    }
}
