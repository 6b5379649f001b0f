import OssicleGraph

/// Each node's part of the graph.
extension GraphLowering {
    /// Adds a node's renderers.
    /// - Returns: whether it has taps.
    mutating func lower(_ place: Int, rate: Double, to graph: inout Graph) -> Bool {
        if outline.nodes[place].site.changesTime {
            let node = model.nodes[place]
            let made = lowerTimeChange(node, outline.nodes[place], rate: rate, to: &graph)
            ports.add(made, of: place, in: outline)
            return !node.graphTaps.isEmpty
        }
        let lowered = lowered(place, rate: rate)
        ports.add(lowered, of: place, in: outline, to: &graph)
        return lowered.hasTaps
    }

    /// What the node adds: the same as in the plan before if it is made of the same.
    private mutating func lowered(_ place: Int, rate: Double) -> LoweredNode {
        let origin = LoweredNode.Origin(rate: rate, isMetered: options.isInspected)
        let old = outline.nodes[place].site.lowered
        if let old, options.keepsParts, old.isUpToDate(place, origin, in: outline) { return old }
        let entry = outline.nodes[place]
        let node = entry.site.node(as: Node.self)
        if node.lowersInputsAlone {
            let new = coreAndInputs(node, entry, origin, old)
            entry.site.lowered = new
            return new
        }
        let (new, mayBeKept) = whole(node, entry, origin)
        entry.site.lowered = mayBeKept ? new : nil
        return new
    }

    private mutating func whole(
        _ node: Node, _ entry: NodeEntry, _ origin: LoweredNode.Origin
    ) -> (LoweredNode, mayBeKept: Bool) {
        let formats = formats(of: node)
        var core = Graph()
        let (ports, mayBeKept) = lower(node, origin.rate, inputs(of: entry), formats, to: &core)
        let lowered = LoweredNode(
            origin, core: GraphPart(core), ports: ports, formats: FormatList(formats), of: entry,
            sources: outline.sources(of: entry), hasTaps: !node.graphTaps.isEmpty)
        return (lowered, mayBeKept)
    }

    /// The core is the old one while the outputs' formats are the same, and so are inputs while their connection and
    /// their source are.
    private mutating func coreAndInputs(
        _ node: Node, _ entry: NodeEntry, _ origin: LoweredNode.Origin, _ old: LoweredNode?
    ) -> LoweredNode {
        let formats = formats(of: node)
        let sources = outline.sources(of: entry)
        let keepsCore = options.keepsParts && old?.origin == origin && old?.hasFormats(formats) == true
        let kept = keepsCore ? old.map { ($0.core, $0.ports) } : nil
        let (core, ports) = kept ?? lowerCore(node, origin, formats)
        let inputs = inputs(of: node, entry, sources, before: old?.inputs ?? [], mayKeep: keepsCore)
        return LoweredNode(
            origin, core: core, ports: ports, formats: FormatList(formats), inputs: inputs, of: entry,
            sources: sources, hasTaps: !node.graphTaps.isEmpty)
    }

    /// Goes along the busses: what is connected, and what was `before`.
    private func inputs(
        of node: Node, _ entry: NodeEntry, _ sources: [Int?], before: [LoweredNode.Input], mayKeep: Bool
    ) -> [LoweredNode.Input] {
        var next = 0
        let inputs = entry.incoming.indices.map { index in
            let wire = entry.incoming[index]
            while next < before.count, before[next].bus < wire.targetBus {
                node.forgetInput(before[next].bus)
                next += 1
            }
            let source = sources.isEmpty ? nil : sources[index]
            if next < before.count, before[next].bus == wire.targetBus {
                next += 1
                let last = before[next - 1]
                if mayKeep, last.wire == wire.number, last.source == source { return last }
            }
            return lowerInput(node, wire, source)
        }
        for gone in before[next...] { node.forgetInput(gone.bus) }
        return inputs
    }

    private mutating func lowerCore(
        _ node: Node, _ origin: LoweredNode.Origin, _ formats: [Node.Format]
    ) -> (GraphPart, NodePorts) {
        var core = Graph()
        let (ports, _) = lower(node, origin.rate, [], formats, to: &core)
        return (GraphPart(core), ports)
    }

    private func lowerInput(_ node: Node, _ wire: WireEnds, _ source: Int?) -> LoweredNode.Input {
        var part = Graph()
        let ports = node.lowerInput(bus(wire, of: node), to: &part)
        return LoweredNode.Input(wire, source: source, GraphPart(part), ports)
    }

    private func bus(_ wire: WireEnds, of node: Node) -> NodeLowering<Node.Format>.Bus {
        let source = node.appliesMixing ? outline.mixingSource(of: wire) : nil
        return NodeLowering.Bus(
            index: wire.targetBus, format: wire.wire(of: Node.self).format,
            mixing: source?.node(as: Node.self).mixingProperties(at: wire.to))
    }

    private func inputs(of entry: NodeEntry) -> [NodeLowering<Node.Format>.Bus] {
        let node = entry.site.node(as: Node.self)
        return entry.incoming.map { bus($0, of: node) }
    }

    private func formats(of node: Node) -> [Node.Format] {
        (0..<node.numberOfOutputs).map { model.format(of: BusKey(node, .output, bus: $0), node: node) }
    }

    /// The sound of a change of speed arrives from a domain of its own, at a port of this very graph.
    private mutating func lowerTimeChange(
        _ node: Node, _ entry: NodeEntry, rate: Double, to graph: inout Graph
    ) -> NodePorts {
        lower(node, rate, inputs(of: entry), formats(of: node), arrivals(at: entry), to: &graph).0
    }

    /// Ports of the signals that enter a node from another clock, by input bus.
    private func arrivals(at entry: NodeEntry) -> [Int: Graph.Port] {
        if arrivals.isEmpty { return [:] }
        var own: [Int: Graph.Port] = [:]
        for wire in entry.incoming { own[wire.targetBus] = arrivals[wire.place] }
        return own
    }

    private mutating func lower(
        _ node: Node, _ rate: Double, _ inputs: [NodeLowering<Node.Format>.Bus], _ outputs: [Node.Format],
        _ arrivals: [Int: Graph.Port] = [:], to graph: inout Graph
    ) -> (NodePorts, mayBeKept: Bool) {
        var lowering = NodeLowering<Node.Format>(
            graph: Graph(), sampleRate: rate, inputs: inputs,
            outputs: outputs.enumerated().map { NodeLowering.Bus(index: $0, format: $1) },
            meter: options.isInspected ? node.meter : nil, arrivals: arrivals)
        // Moved there and back: a copy of the graph for every node would cost the square of their number.
        swap(&graph, &lowering.graph)
        let ports = node.lower(&lowering)
        swap(&graph, &lowering.graph)
        waiting += lowering.waiting
        return (ports, lowering.mayBeKept)
    }
}
