/// A sound event as it was registered: the nodes, and the mixers and meta-parameters they name. Immutable.
///
/// Nodes stand in the order of a depth-first walk, parents before children, so that whatever flows down the tree is one
/// pass from front to back. A definition used in two places stands here twice, once per place, with the same
/// `definition` number. A node's index is its stable number: it depends on nothing but the shape of the tree.
package struct EventTree: Hashable, Sendable {
    package enum Kind: Codable, Hashable, Sendable {
        case sampler(SamplerLeaf)
        case stream(StreamLeaf)
        /// All children at once.
        case container
        /// One child, drawn anew at each trigger. A child drawn is left out for the next `uniqueQueue` triggers.
        case random(weights: [Double], uniqueQueue: Int)
        /// The first child whose text equals the parameter's at the trigger; none if there is none.
        case selection(parameter: Int, texts: [String])
        /// All children, each as loud as its range says while the event plays.
        case blend(BlendInput, ranges: [BlendRange])
        /// One child after the other, each beginning `overlap` seconds before the one before it ends.
        case sequence(overlap: Double)
    }

    package enum BlendInput: Codable, Hashable, Sendable {
        case parameter(Int)
        /// Distance between source and listener of the mixer with this index.
        case distance(mixer: Int)
    }

    package struct Node: Codable, Hashable, Sendable {
        package let identifier: String
        /// Equal for all places where one definition is used.
        package let definition: Int
        package var kind: Kind
        package var children: [Int]

        package init(identifier: String, definition: Int, kind: Kind, children: [Int] = []) {
            (self.identifier, self.definition, self.kind, self.children) = (identifier, definition, kind, children)
        }
    }

    /// The root is node 0.
    package let nodes: [Node]
    package let mixers: [MixerBlueprint]
    package let parameters: [ParameterBlueprint]
    /// Whether any node is a blend, and whether one goes by distance.
    package let isBlended, isBlendedByDistance: Bool

    /// - Returns: nil unless every node but the root is the child of exactly one node that stands before it.
    package init?(nodes: [Node], mixers: [MixerBlueprint], parameters: [ParameterBlueprint]) {
        let isInOrder = nodes.indices.allSatisfy { parent in nodes[parent].children.allSatisfy { $0 > parent } }
        guard !nodes.isEmpty, isInOrder, nodes.flatMap(\.children).sorted() == Array(1..<nodes.count) else {
            return nil
        }
        (self.nodes, self.mixers, self.parameters) = (nodes, mixers, parameters)
        isBlended = nodes.contains { if case .blend = $0.kind { true } else { false } }
        isBlendedByDistance = nodes.contains { if case .blend(.distance, _) = $0.kind { true } else { false } }
    }

    /// The sampler at node `index`; nil for other nodes.
    package func sampler(_ index: Int) -> SamplerLeaf? {
        guard nodes.indices.contains(index), case .sampler(let leaf) = nodes[index].kind else { return nil }
        return leaf
    }

    /// The stream at node `index`; nil for other nodes.
    package func stream(_ index: Int) -> StreamLeaf? {
        guard nodes.indices.contains(index), case .stream(let leaf) = nodes[index].kind else { return nil }
        return leaf
    }

    /// What makes sound at node `index`; nil for inner nodes.
    package func generator(_ index: Int) -> Generator? { sampler(index)?.generator ?? stream(index)?.generator }

    /// All leaves, in order.
    package var leaves: [Int] { nodes.indices.filter { generator($0) != nil } }
}

extension EventTree {
    /// How loud the tree lets each activated leaf be right now: the product of the blend gains on its way from the
    /// root.
    ///
    /// Evaluated at every update. Switches and random nodes pass 1: what they left out was not activated.
    /// - Parameter distances: source to listener, by mixer index, in the client's units; a mixer beyond the list has no
    ///   distance, and what is blended by it is not heard.
    /// - Returns: linear gains, one per activation. Thread: any control thread; pure.
    package func gains(of activations: [Activation], parameters: ParameterValues, distances: [Double]) -> [Double] {
        var gains: [Double] = []
        findGains(parameters: parameters, distances: distances, into: &gains)
        return activations.map { gains.indices.contains($0.node) ? gains[$0.node] : 0 }
    }

    /// The same by node.
    /// - Parameter gains: linear; its memory is used again.
    package func findGains(parameters: ParameterValues, distances: [Double], into gains: inout [Double]) {
        gains.removeAll(keepingCapacity: true)
        gains.append(contentsOf: repeatElement(1, count: nodes.count))
        for index in nodes.indices where !nodes[index].children.isEmpty {
            guard case .blend(let input, let ranges) = nodes[index].kind else {
                for child in nodes[index].children { gains[child] = gains[index] }
                continue
            }
            let value = input.value(parameters, distances)
            for (position, child) in nodes[index].children.enumerated() {
                gains[child] = gains[index] * (position < ranges.count ? ranges[position].gain(at: value) : 0)
            }
        }
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

extension EventTree {
    /// One node on the way from the root to a leaf, and what it did.
    package struct Step: Sendable {
        package let node: Node
        /// Which of the node's children the path leads to.
        package let child: Int
        /// What a blend goes by right now, and how loud it lets the child be; nil for other nodes.
        package let blend: (input: Double, gain: Double)?
    }

    /// The nodes above the leaf at `index`, from the root down. Their blend gains multiply to what `gains` says of the
    /// leaf.
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

    private func blend(
        of node: Node, child: Int, _ parameters: ParameterValues, _ distances: [Double]
    ) -> (input: Double, gain: Double)? {
        guard case .blend(let input, let ranges) = node.kind else { return nil }
        let value = input.value(parameters, distances)
        return (value, ranges.indices.contains(child) ? ranges[child].gain(at: value) : 0)
    }
}
