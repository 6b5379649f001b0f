/// A sound event as it was registered: the nodes, and the mixers and meta-parameters they name. Immutable.
///
/// Nodes stand in the order of a depth-first walk, parents before children, so that whatever flows down the tree is one
/// pass from front to back. A definition used in two places stands here twice, once per place, with the same
/// `definition` number. A node's index is its stable number: it depends on nothing but the shape of the tree.
package struct EventTree: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
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

    package enum BlendInput: Hashable, Sendable {
        case parameter(Int)
        /// Distance between source and listener of the mixer with this index.
        case distance(mixer: Int)
    }

    package struct Node: Hashable, Sendable {
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

    /// - Returns: nil unless every node but the root is the child of exactly one node that stands before it.
    package init?(nodes: [Node], mixers: [MixerBlueprint], parameters: [ParameterBlueprint]) {
        let isInOrder = nodes.indices.allSatisfy { parent in nodes[parent].children.allSatisfy { $0 > parent } }
        guard !nodes.isEmpty, isInOrder, nodes.flatMap(\.children).sorted() == Array(1..<nodes.count) else { return nil }
        (self.nodes, self.mixers, self.parameters) = (nodes, mixers, parameters)
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
