import OssicleGraph

/// What a node adds to graphs. It stays with the node and keeps no node itself; the next plan has it as it is if it is
/// made of the same.
///
///     node ─▶ core                          most nodes
///     mixer ─▶ core ◀─ input, input …       nodes whose inputs are lowered one by one: another input leaves the rest
final class LoweredNode {
    /// An input that is lowered by itself.
    final class Input {
        /// The connection's number, and that of the source whose mixing properties apply to it.
        let wire: Int
        let source: Int?
        let bus: Int
        let part: GraphPart
        /// Nil if the input is not heard.
        let ports: InputPorts?

        init(_ wire: WireEnds, source: Int?, _ part: GraphPart, _ ports: InputPorts?) {
            (self.wire, self.source, bus) = (wire.number, source, wire.targetBus)
            (self.part, self.ports) = (part, ports)
        }
    }

    /// What the core was made of, beside the outputs' formats.
    struct Origin: Equatable {
        /// Of the node's clock, in Hz.
        let rate: Double
        let isMetered: Bool
    }

    let origin: Origin
    let core: GraphPart
    let ports: NodePorts
    /// The outputs' formats, as a `FormatList` of the node's format.
    private let formats: AnyObject
    /// Of all that is connected, in the order of the busses.
    let inputs: [Input]
    /// The sources behind all connected inputs, by number, if the node applies their mixing properties.
    private let sources: [Int?]
    let hasTaps: Bool
    private let revision: Int

    init(
        _ origin: Origin, core: GraphPart, ports: NodePorts, formats: AnyObject, inputs: [Input] = [],
        of entry: NodeEntry, sources: [Int?], hasTaps: Bool
    ) {
        (self.origin, self.core, self.ports, self.formats) = (origin, core, ports, formats)
        (self.inputs, self.sources, self.hasTaps) = (inputs, sources, hasTaps)
        revision = entry.revision
    }

    func hasFormats<Format: Equatable>(_ formats: [Format]) -> Bool {
        unsafeDowncast(self.formats, to: FormatList<Format>.self).formats == formats
    }

    /// Whether it is made of what is there now.
    func isUpToDate(_ node: Int, _ origin: Origin, in outline: GraphOutline) -> Bool {
        guard revision == outline.nodes[node].revision, self.origin == origin else { return false }
        // Of nodes that apply no mixing properties there are none.
        return sources.isEmpty || sources == outline.sources(of: outline.nodes[node])
    }
}

/// The formats of a node's outputs.
final class FormatList<Format> {
    let formats: [Format]
    init(_ formats: [Format]) { self.formats = formats }
}

/// The ports of all nodes of a model in the graphs of its domains.
struct PlacedPorts {
    /// By node, of those that have bus 0 alone.
    private var outputs: [Graph.Port?]
    private var others: [Int: BusPorts] = [:]
    /// By wire.
    private var inputs: [Graph.Port?]

    init(_ outline: GraphOutline) {
        outputs = Array(repeating: nil, count: outline.nodes.count)
        inputs = Array(repeating: nil, count: outline.wires.count)
    }

    /// - Parameter shift: of the graph that the ports' numbers are of.
    mutating func add(
        _ ports: NodePorts, of node: Int, in outline: GraphOutline, _ shift: Graph.Shift = .none
    ) {
        if let port = ports.outputs.only {
            outputs[node] = shift.port(port)
        } else if !ports.outputs.isEmpty {
            others[node] = ports.outputs.map(shift.port)
        }
        if ports.inputs.isEmpty { return }
        for wire in outline.nodes[node].incoming { inputs[wire.place] = ports.inputs[wire.targetBus].map(shift.port) }
    }

    mutating func add(_ lowered: LoweredNode, of node: Int, in outline: GraphOutline, to graph: inout Graph) {
        let core = graph.add(lowered.core)
        add(lowered.ports, of: node, in: outline, core)
        guard let sum = lowered.ports.sum.map(core.port) else { return }
        let (incoming, added) = (outline.nodes[node].incoming, lowered.inputs)
        for index in added.indices {
            guard let ports = added[index].ports else { continue }
            let shift = graph.add(added[index].part)
            graph.connect(shift.port(ports.output), to: sum)
            inputs[incoming[index].place] = shift.port(ports.input)
        }
    }

    func output(_ bus: Int, of node: Int) -> Graph.Port? {
        if bus == 0, let port = outputs[node] { return port }
        return others.isEmpty ? nil : others[node]?[bus]
    }

    /// Where a wire ends.
    func input(_ wire: Int) -> Graph.Port? { inputs[wire] }
}
