import OssicleCore
import OssicleGraph
import OssicleRender

/// The clock of a node, and the most frames of it per frame of the engine.
package struct NodeClock {
    /// Hz.
    package let rate: Double
    package let fastest: Double
    /// `nil` for the engine's own clock.
    package let box: ControlledBox<DomainRenderer>?
}

/// Compiles a model into a plan: one graph per rate domain, the innermost first.
package struct GraphLowering<Node: GraphNode> {
    package struct Result {
        package let plan: RenderPlan
        package let clocks: [ObjectIdentifier: NodeClock]
        /// What has to be done under no lock before the plan is whole; its nodes are silent in this plan.
        package let waiting: [() -> Void]
    }

    private let model: GraphModel<Node>
    private let domains: RateDomains<Node>
    private let isInspected: Bool
    private var clocks: [ObjectIdentifier: NodeClock] = [:]
    private var waiting: [() -> Void] = []

    /// Throws a `NodeFault`.
    ///
    /// - Parameters:
    ///   - output: the node whose sound leaves the engine.
    ///   - rate: of the engine, in Hz.
    package static func lower(
        _ model: GraphModel<Node>, output: Node?, rate: Double, deviceRates: [ObjectIdentifier: Double],
        isInspected: Bool
    ) throws -> Result {
        let (ends, loneInput) = ends(of: model, output)
        let domains = try RateDomains(model, ends: ends, rate: rate, deviceRates: deviceRates)
        var lowering = GraphLowering(model: model, domains: domains, isInspected: isInspected)
        let plan = try lowering.compile(domains.root, output: output, input: loneInput, clock: nil)
        return Result(plan: plan, clocks: lowering.clocks, waiting: lowering.waiting)
    }

    /// Throws a `NodeFault` if a model without cycles has no plan.
    package static func check(
        _ model: GraphModel<Node>, output: Node?, rate: Double, deviceRates: [ObjectIdentifier: Double]
    ) throws {
        for node in model.nodes where node.keepsFormat {
            guard let input = model.wires(into: node).first?.format, let output = model.wires(from: node).first?.format
            else { continue }
            guard input.sampleRate == output.sampleRate, input.channels == output.channels else {
                throw NodeFault.formats(node, input: input, output: output)
            }
        }
        // A graph on one clock has no domains to check, and most graphs are.
        if RateDomains.isSingle(model, rate: rate, deviceRates: deviceRates) { return }
        _ = try RateDomains(model, ends: ends(of: model, output).all, rate: rate, deviceRates: deviceRates)
    }

    /// The nodes at which a graph ends, and the input if it is only tapped.
    private static func ends(of model: GraphModel<Node>, _ output: Node?) -> (all: [Node], loneInput: Node?) {
        let ends = (output.map { [$0] } ?? []) + model.nodes.filter { $0.role == .sink }
        guard let input = model.nodes.first(where: { $0.role == .input }), output == nil || !input.graphTaps.isEmpty,
            !model.upstream(of: ends).contains(ObjectIdentifier(input))
        else { return (ends, nil) }
        return (ends + [input], input)
    }

    private init(model: GraphModel<Node>, domains: RateDomains<Node>, isInspected: Bool) {
        self.model = model
        self.domains = domains
        self.isInspected = isInspected
    }

    /// - Parameter input: runs even if it is not connected.
    private mutating func compile(
        _ domain: RateDomains<Node>.Domain, output: Node? = nil, input: Node? = nil,
        clock: ControlledBox<DomainRenderer>?
    ) throws -> RenderPlan {
        var graph = Graph()
        var arrivals: [BusKey: Graph.Port] = [:]
        for child in domain.children { try add(child, of: domain, to: &graph, arrivals: &arrivals) }
        var ports: [ObjectIdentifier: NodePorts] = [:]
        for node in domain.nodes {
            clocks[ObjectIdentifier(node)] = NodeClock(rate: domain.rate, fastest: domain.fastest, box: clock)
            ports[ObjectIdentifier(node)] = lower(node, rate: domain.rate, to: &graph, arrivals: arrivals)
        }
        for wire in model.wires where domains.domain(of: wire.target) === domain {
            guard let to = ports[ObjectIdentifier(wire.target)]?.inputs[wire.targetBus] else { continue }
            if let arrival = arrivals[wire.to] {
                graph.connect(arrival, to: to)
            } else if domains.domain(of: wire.source) === domain,
                let from = ports[ObjectIdentifier(wire.source)]?.outputs[wire.sourceBus]
            {
                graph.connect(from, to: to)
            }
        }
        for wire in domain.exits {
            addExit(
                wire, from: ports[ObjectIdentifier(wire.source)]?.outputs[wire.sourceBus], rate: domain.rate, to: &graph
            )
        }
        addTaps(domain, ports: ports, to: &graph)
        if let input, let port = ports[ObjectIdentifier(input)]?.outputs[0] { graph.addRoot(port.node) }
        if let output { graph.output = ports[ObjectIdentifier(output)]?.outputs[0] }
        do {
            return try GraphCompiler.compile(graph)
        } catch GraphError.cycle {
            throw NodeFault.cycle(domain.nodes[0])
        }
    }

    private mutating func lower(
        _ node: Node, rate: Double, to graph: inout Graph, arrivals: [BusKey: Graph.Port]
    ) -> NodePorts {
        var own: [Int: Graph.Port] = [:]
        let wires = model.wires(into: node)
        for wire in wires { own[wire.targetBus] = arrivals[wire.to] }
        var lowering = NodeLowering<Node.Format>(
            graph: Graph(), sampleRate: rate,
            inputs: wires.map { wire in
                let source = node.appliesMixing ? model.mixingSource(of: wire) : nil
                return NodeLowering.Bus(
                    index: wire.targetBus, format: wire.format, mixing: source?.mixingProperties(at: wire.to))
            },
            outputs: (0..<node.numberOfOutputs).map {
                NodeLowering.Bus(index: $0, format: model.format(of: BusKey(node, .output, bus: $0), node: node))
            },
            meter: isInspected ? node.meter : nil, arrivals: own)
        // Moved there and back: a copy of the graph for every node would cost the square of their number.
        swap(&graph, &lowering.graph)
        let ports = node.lower(&lowering)
        swap(&graph, &lowering.graph)
        waiting += lowering.waiting
        return ports
    }

    // MARK: Domains

    /// Adds an inner domain as one step, with an output port for each of its exits.
    private mutating func add(
        _ child: RateDomains<Node>.Domain, of parent: RateDomains<Node>.Domain, to graph: inout Graph,
        arrivals: inout [BusKey: Graph.Port]
    ) throws {
        guard let first = child.exits.first else { return }
        let clock = passage(first).clock(ratio: child.rate / parent.rate)
        let inner = try compile(child, clock: clock)
        let arena = RenderArena()
        let exits = arena.copy(
            child.exits.map { wire in
                DomainRenderer.Plan.Exit(
                    exit(for: wire, rate: child.rate), channelCount: wire.channels, isNew: passage(wire).isNew)
            })
        let plan = arena.copy([DomainRenderer.Plan(inner.view, exits: arena.base(of: exits), exitCount: exits.count)])
        let node = graph.add(
            "domain at \(child.rate) Hz", .domain(clock.pointer, arena.base(of: plan)), owner: clock, inputs: [],
            outputs: child.exits.map(\.channels))
        graph.keepAlive(arena)
        graph.keepAlive(inner)
        for (index, wire) in child.exits.enumerated() {
            arrivals[wire.to] = Graph.Port(node, index)
            for owner in passage(wire).owners { graph.keepAlive(owner) }
        }
    }

    /// - Parameter port: `nil` for a node that cannot be rendered; its exit is silent.
    private func addExit(_ wire: Wire<Node>, from port: Graph.Port?, rate: Double, to graph: inout Graph) {
        let node = graph.add(
            "exit to \(wire.target.title)", .exit(exit(for: wire, rate: rate)), owner: passage(wire),
            inputs: [wire.channels], outputs: [])
        graph.addRoot(node)
        if let port { graph.connect(port, to: Graph.Port(node)) }
    }

    private func passage(_ wire: Wire<Node>) -> Passage { wire.target.timeChange?.passage ?? wire.passage }

    private func exit(for wire: Wire<Node>, rate: Double) -> ExitReference {
        let channels = wire.channels
        let (outer, speed) = (domains.domain(of: wire.target)?.rate ?? rate, speed(wire))
        if speed != 1 { RateExit.prepareGlides(from: rate, to: outer) }
        return passage(wire).exit(rate: rate, channels: channels) {
            if let change = wire.target.timeChange { return change.makeExit(sampleRate: rate, channels: channels) }
            return RateExit.make(from: rate, to: outer, channels: channels, speed: speed)
        }
    }

    /// The speed at which an environment plays the source.
    private func speed(_ wire: Wire<Node>) -> Double {
        guard wire.target.playsSourcesAtTheirSpeed, let source = model.mixingSource(of: wire) else { return 1 }
        return Double(source.mixingProperties(at: wire.to).rate)
    }

    // MARK: Taps

    private func addTaps(
        _ domain: RateDomains<Node>.Domain, ports: [ObjectIdentifier: NodePorts], to graph: inout Graph
    ) {
        for node in domain.nodes {
            for tap in node.graphTaps {
                guard let port = ports[ObjectIdentifier(node)]?.outputs[tap.bus] else { continue }
                let channels = model.format(of: BusKey(node, .output, bus: tap.bus), node: node).channels
                let renderer = tap.renderer(channels, domain.fastest)
                let step = graph.add(
                    "tap on \(node.title)", .tap(renderer.pointer), owner: renderer, inputs: [channels], outputs: [])
                graph.addObserver(step)
                graph.connect(port, to: Graph.Port(step))
            }
        }
    }
}
