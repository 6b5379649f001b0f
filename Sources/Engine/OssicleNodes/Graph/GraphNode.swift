import OssicleGraph
import OssicleRender

/// Sample rate and channels of a bus.
package protocol BusFormat: Equatable {
    /// Hz.
    var sampleRate: Double { get }
    /// Number of channels.
    var channels: Int { get }
}

/// One bus of one node.
package struct BusKey: Hashable, Sendable {
    package enum Direction: Sendable { case input, output }

    package let node: ObjectIdentifier
    package let direction: Direction
    package let bus: Int

    package init(_ node: AnyObject, _ direction: Direction, bus: Int) {
        self.node = ObjectIdentifier(node)
        self.direction = direction
        self.bus = bus
    }
}

/// What a node is to the graph as a whole.
package enum NodeRole: Sendable {
    /// Brings sound in from a device or the caller, at a rate of its own.
    case input
    /// Gives the graph's sound to a device or the caller.
    case output
    /// Runs although nothing reads it.
    case sink
    case inner
}

/// A tap on one output bus.
package struct GraphTap {
    package let bus: Int
    /// The renderer for a number of channels; the second argument is the most frames of the bus per engine frame.
    package let renderer: (_ channels: Int, _ fastest: Double) -> RendererBox<TapRenderer>

    package init(
        bus: Int, renderer: @escaping (_ channels: Int, _ fastest: Double) -> RendererBox<TapRenderer>
    ) {
        self.bus = bus
        self.renderer = renderer
    }
}

/// The body of a node: what the graph asks of it. All members are called under the engine's lock.
package protocol GraphNode: AnyObject {
    associatedtype Format: BusFormat

    var role: NodeRole { get }
    /// Name in messages and pictures.
    var title: String { get }
    var numberOfOutputs: Int { get }
    /// Whether a connection into this node may have another rate than the node.
    var convertsInputs: Bool { get }
    /// Whether input and output of bus 0 have one format.
    var keepsFormat: Bool { get }
    /// The change of speed the node makes, if it makes one.
    var timeChange: (any TimeChange)? { get }
    var graphTaps: [GraphTap] { get }
    /// Cost and level of the node's output.
    var meter: RendererBox<StepMeter> { get }

    /// Whether the node has mixing properties, which act at the mixers downstream.
    var isMixingSource: Bool { get }
    /// Whether the node applies the mixing properties of its inputs' sources.
    var appliesMixing: Bool { get }
    /// Whether the node plays its inputs at their sources' rate property.
    var playsSourcesAtTheirSpeed: Bool { get }
    /// Whether the rate property is other than 1 at any mixer.
    var hasOwnSpeed: Bool { get }
    /// The mixing properties in force at a mixer's input bus.
    func mixingProperties(at input: BusKey) -> SourceMixing

    /// Seconds by which the output lags behind the input.
    var latency: Double { get }
    /// Format of a bus before it is connected or set.
    func initialFormat(of bus: BusKey) -> Format
    /// Adds the node's renderers to a graph under construction.
    /// - Returns: the ports of the node's busses.
    func lower(_ lowering: inout NodeLowering<Format>) -> NodePorts
    /// Whether `lower` adds a core only, and `lowerInput` each input.
    var lowersInputsAlone: Bool { get }
    /// Adds the renderers of one input to a graph of its own, behind `lower`.
    /// - Returns: its ports; nil if the input is not heard.
    func lowerInput(_ input: NodeLowering<Format>.Bus, to graph: inout Graph) -> InputPorts?
    /// Nothing is connected to the input any more.
    func forgetInput(_ bus: Int)
}

extension GraphNode {
    package var lowersInputsAlone: Bool { false }
    package func lowerInput(_ input: NodeLowering<Format>.Bus, to graph: inout Graph) -> InputPorts? { nil }
    package func forgetInput(_ bus: Int) {}
}

/// What is wrong with a graph as a whole. Caught on the thread that threw it.
package enum NodeFault<Node: GraphNode>: Error, @unchecked Sendable {
    /// A node between two sample rates in Hz that converts neither.
    case rates(Node, Double, Double)
    /// A split whose branches meet again on different clocks.
    case splitOverClocks(Wire<Node>)
    /// A change of speed of live input.
    case liveThroughTimeChange(Node)
    /// A node that keeps its format between two formats.
    case formats(Node, input: Node.Format, output: Node.Format)
    case cycle(Node)
}
