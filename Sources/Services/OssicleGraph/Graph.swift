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

    struct Node {
        let name: String
        let renderer: RendererReference
        let owner: AnyObject
        let meter: RendererBox<StepMeter>?
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

    package init() {}

    /// - Parameters:
    ///   - owner: keeps the renderer's memory (a `RendererBox`); the plan holds it.
    ///   - inputs, outputs: channel count of each port.
    ///   - meter: measures what the node costs and gives, if anybody wants to know.
    package mutating func add(
        _ name: String, _ renderer: RendererReference, owner: AnyObject, inputs: [Int], outputs: [Int],
        meter: RendererBox<StepMeter>? = nil
    ) -> NodeID {
        let node = nodes.count
        nodes.append(
            Node(
                name: name, renderer: renderer, owner: owner, meter: meter,
                inputs: Self.append(inputs, of: node, to: &inputPorts),
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
