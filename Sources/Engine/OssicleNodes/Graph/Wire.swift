/// One connection, from an output bus to an input bus. Immutable.
package final class Wire<Node: GraphNode>: WireEnds {
    package let source: Node
    package let target: Node
    /// Both busses'.
    package let format: Node.Format

    init(
        _ source: NodeSite, _ from: BusKey, to target: NodeSite, _ into: BusKey, format: Node.Format, number: Int
    ) {
        self.source = source.node(as: Node.self)
        self.target = target.node(as: Node.self)
        self.format = format
        super.init(
            source, from, to: target, into, rate: format.sampleRate, channels: format.channels, number: number)
    }

    /// The same connection with another format and a new passage.
    func with(_ format: Node.Format, number: Int) -> Wire {
        Wire(sourceSite, from, to: targetSite, to, format: format, number: number)
    }
}

/// A connection without the type of its nodes. Whatever goes over all connections works with this: Swift compiles the
/// graph of another module's nodes only once, for any type, and there each use of a type costs a look-up.
package class WireEnds {
    let sourceSite: NodeSite
    let targetSite: NodeSite
    package let from: BusKey
    package let to: BusKey
    /// Hz, of both busses.
    let rate: Double
    package let channels: Int
    /// No other connection of the model has it, nor had.
    let number: Int
    /// The crossing between two clocks; lives on from plan to plan.
    package let passage = Passage()
    /// Place among the connections of the model that was outlined last. Unchecked, as all of these are under the
    /// engine's lock: a plan reads them thousands of times.
    @exclusivity(unchecked) final var place = 0

    fileprivate init(
        _ source: NodeSite, _ from: BusKey, to target: NodeSite, _ into: BusKey, rate: Double, channels: Int,
        number: Int
    ) {
        (sourceSite, targetSite, self.from, to) = (source, target, from, into)
        (self.rate, self.channels, self.number) = (rate, channels, number)
    }

    package var sourceBus: Int { from.bus }
    package var targetBus: Int { to.bus }

    func wire<Node>(of type: Node.Type) -> Wire<Node> { unsafeDowncast(self, to: Wire<Node>.self) }
}

/// An attached node without its type: what it is to the graph as long as it is attached, and what it was lowered to.
/// Under the engine's lock.
final class NodeSite {
    private let node: AnyObject
    let id: ObjectIdentifier
    /// No other node of the model has it, nor had.
    let number: Int
    let role: NodeRole
    let convertsInputs: Bool
    let keepsFormat: Bool
    let changesTime: Bool
    let isMixingSource: Bool
    let appliesMixing: Bool
    let playsSourcesAtTheirSpeed: Bool
    /// Place among the nodes of the model that was outlined last.
    @exclusivity(unchecked) var place = 0
    /// For plans to come; see `GraphLowering`.
    @exclusivity(unchecked) var lowered: LoweredNode?

    init(_ node: some GraphNode, number: Int) {
        (self.node, self.number) = (node, number)
        id = ObjectIdentifier(node)
        role = node.role
        convertsInputs = node.convertsInputs
        keepsFormat = node.keepsFormat
        changesTime = node.timeChange != nil
        isMixingSource = node.isMixingSource
        appliesMixing = node.appliesMixing
        playsSourcesAtTheirSpeed = node.playsSourcesAtTheirSpeed
    }

    func node<Node: GraphNode>(as type: Node.Type) -> Node { unsafeDowncast(node, to: type) }
}
