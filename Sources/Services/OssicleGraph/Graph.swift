import OssicleRender

/// The model of who feeds whom, before it is compiled. A value: edit a copy, compile it, swap plans.
///
///     player ──┐
///     player ──┴─▶ spatial mixer ──▶ master ──▶ output
///                        └─ send ──▶ reverb ──┘
///
/// Several connections into one input port are summed in the order in which they were made.
package struct Graph {
    package struct NodeID: Hashable, Sendable {
        let index: Int
    }

    /// One channel group of a node.
    package struct Port: Hashable, Sendable {
        package let node: NodeID
        package let index: Int
        package init(_ node: NodeID, _ index: Int = 0) {
            self.node = node
            self.index = index
        }
    }

    /// What keeps a node's renderer in every graph that it is added to, and every plan.
    final class Keeper {
        let name: String
        private let owner: AnyObject
        private let meter: RendererBox<StepMeter>?

        init(_ name: String, owner: AnyObject, meter: RendererBox<StepMeter>?) {
            (self.name, self.owner, self.meter) = (name, owner, meter)
        }
    }

    /// Plain numbers and pointers: the compiler's passes count no references.
    struct Node {
        let renderer: RendererReference
        let meter: UnsafeMutablePointer<StepMeter>?
        /// Its ports among `inputPorts` and `outputPorts` of the graph.
        let inputs: Range<Int>
        let outputs: Range<Int>
    }

    /// A port of one direction; its number is its place among all of that direction.
    struct PortInfo {
        let node: Int
        let channelCount: Int
        /// Channels of all ports of that direction before this one.
        let firstChannel: Int
    }

    struct Connection {
        let from: Port
        let to: Port
    }

    private(set) var nodes: [Node] = []
    /// Of each node.
    private(set) var keepers: [Keeper] = []
    private(set) var inputPorts: [PortInfo] = []
    private(set) var outputPorts: [PortInfo] = []
    private(set) var connections: [Connection] = []
    private(set) var companions: [AnyObject] = []
    private(set) var roots: [NodeID] = []
    private(set) var observers: [NodeID] = []
    /// What is heard: the first channels of the plan's output.
    package var output: Port?
    /// What else leaves the plan, in the channels behind those of `output`, in this order.
    package var sideOutputs: [Port] = []

    /// - Parameter capacity: nodes to expect.
    package init(capacity: Int = 0) {
        nodes.reserveCapacity(capacity)
        keepers.reserveCapacity(capacity)
        inputPorts.reserveCapacity(capacity)
        outputPorts.reserveCapacity(capacity)
        connections.reserveCapacity(capacity)
    }

    /// - Parameters:
    ///   - owner: keeps the renderer's memory (a `RendererBox`); the plan holds it.
    ///   - inputs, outputs: channel count of each port.
    ///   - meter: measures what the node costs and gives, if anybody wants to know.
    package mutating func add(
        _ name: String, _ renderer: RendererReference, owner: AnyObject, inputs: [Int], outputs: [Int],
        meter: RendererBox<StepMeter>? = nil
    ) -> NodeID {
        let node = nodes.count
        keepers.append(Keeper(name, owner: owner, meter: meter))
        nodes.append(
            Node(
                renderer: renderer, meter: meter?.pointer, inputs: Self.append(inputs, of: node, to: &inputPorts),
                outputs: Self.append(outputs, of: node, to: &outputPorts)))
        return NodeID(index: node)
    }

    private static func append(_ channelCounts: [Int], of node: Int, to ports: inout [PortInfo]) -> Range<Int> {
        let first = ports.count
        for count in channelCounts {
            let channel = ports.last.map { $0.firstChannel + $0.channelCount } ?? 0
            ports.append(PortInfo(node: node, channelCount: count, firstChannel: channel))
        }
        return first..<ports.count
    }

    /// The node runs, and all that feeds it, although nothing listens to it.
    package mutating func addRoot(_ node: NodeID) { roots.append(node) }

    /// The node runs if all that feeds it runs anyway: it only looks.
    package mutating func addObserver(_ node: NodeID) { observers.append(node) }

    /// Keeps something alive as long as a plan of this graph is: tables that renderers point into.
    package mutating func keepAlive(_ object: AnyObject) { companions.append(object) }

    /// Channel counts of both ports must agree; the compiler says so if they do not.
    package mutating func connect(_ from: Port, to: Port) {
        connections.append(Connection(from: from, to: to))
    }
}

/// A graph that is part of others: what a node of an engine adds to every graph that the node is in. Immutable.
package final class GraphPart {
    fileprivate let graph: Graph
    package init(_ graph: Graph) { self.graph = graph }
}

extension Graph {
    /// How far the nodes of a part have moved in the graph it was added to.
    package struct Shift {
        fileprivate let nodes: Int
        package static var none: Shift { Shift(nodes: 0) }
        package func port(_ port: Port) -> Port { Port(node(port.node), port.index) }
        fileprivate func node(_ node: NodeID) -> NodeID { NodeID(index: node.index + nodes) }
    }

    /// Adds the nodes of a part with their connections.
    package mutating func add(_ part: GraphPart) -> Shift {
        let shift = Shift(nodes: nodes.count)
        let (inputs, outputs) = (inputPorts.count, outputPorts.count)
        keepers += part.graph.keepers
        for node in part.graph.nodes {
            nodes.append(
                Node(
                    renderer: node.renderer, meter: node.meter,
                    inputs: node.inputs.lowerBound + inputs..<node.inputs.upperBound + inputs,
                    outputs: node.outputs.lowerBound + outputs..<node.outputs.upperBound + outputs))
        }
        Self.append(part.graph.inputPorts, to: &inputPorts, shift)
        Self.append(part.graph.outputPorts, to: &outputPorts, shift)
        for connection in part.graph.connections { connect(shift.port(connection.from), to: shift.port(connection.to)) }
        for root in part.graph.roots { addRoot(shift.node(root)) }
        for observer in part.graph.observers { addObserver(shift.node(observer)) }
        for companion in part.graph.companions { keepAlive(companion) }
        return shift
    }

    private static func append(_ added: [PortInfo], to ports: inout [PortInfo], _ shift: Shift) {
        let channel = ports.channelCount
        for port in added {
            ports.append(
                PortInfo(
                    node: port.node + shift.nodes, channelCount: port.channelCount,
                    firstChannel: port.firstChannel + channel))
        }
    }
}

extension Graph {
    /// Number of an input port; nil for one the node does not have.
    func input(_ port: Port) -> Int? { Self.number(port.index, in: nodes[port.node.index].inputs) }
    func output(_ port: Port) -> Int? { Self.number(port.index, in: nodes[port.node.index].outputs) }

    private static func number(_ index: Int, in ports: Range<Int>) -> Int? {
        index >= 0 && index < ports.count ? ports.lowerBound + index : nil
    }
}

/// What can be wrong with a graph. The graph that was running continues.
package enum GraphError: Error, Equatable, CustomStringConvertible {
    case noOutput
    case cycle(through: String)
    case unknownPort(node: String, port: Int)
    case channelMismatch(from: String, channels: Int, to: String, expects: Int)

    package var description: String {
        switch self {
        case .noOutput:
            "The graph has no output; set `output` to the port that is to be heard."
        case .cycle(let node):
            "The graph feeds “\(node)” with its own output; a cycle cannot be ordered. Remove one of its connections."
        case .unknownPort(let node, let port):
            "“\(node)” has no port \(port); connect to one it has."
        case .channelMismatch(let from, let channels, let to, let expects):
            "“\(from)” gives \(channels) channels, “\(to)” takes \(expects); put a channel mixer between them."
        }
    }
}
