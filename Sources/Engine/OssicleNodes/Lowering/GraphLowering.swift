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
    private let nodes: [Node]
    private let outline: GraphOutline
    private let domains: RateDomains
    private let isInspected: Bool
    /// Of the nodes that were lowered.
    private var ports: [NodePorts?]
    /// Where the signal of a wire arrives that comes from another clock.
    private var arrivals: [Int: Graph.Port] = [:]
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
        let cut = try cut(model, output: output, rate: rate, deviceRates: deviceRates)
        var lowering = GraphLowering(model, cut.outline, cut.domains, isInspected: isInspected)
        let output = output.flatMap { cut.outline.places[ObjectIdentifier($0)] }
        let plan = try lowering.compile(cut.domains.root, output: output, input: cut.loneInput, clock: nil)
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
        if isSingle(model, rate: rate, deviceRates: deviceRates) { return }
        _ = try cut(model, output: output, rate: rate, deviceRates: deviceRates)
    }

    /// Whether everything in a model runs on the engine's clock, in every cut of the graph.
    private static func isSingle(
        _ model: GraphModel<Node>, rate: Double, deviceRates: [ObjectIdentifier: Double]
    ) -> Bool {
        deviceRates.values.allSatisfy { $0 == rate }
            && model.wires.allSatisfy { wire in
                wire.format.sampleRate == rate && wire.target.timeChange == nil
                    && !(wire.target.playsSourcesAtTheirSpeed && model.mixingSource(of: wire)?.hasOwnSpeed ?? false)
            }
    }

    private struct Cut {
        let outline: GraphOutline
        let domains: RateDomains
        /// The input, if it runs only because it is tapped.
        let loneInput: Int?
    }

    private static func cut(
        _ model: GraphModel<Node>, output: Node?, rate: Double, deviceRates: [ObjectIdentifier: Double]
    ) throws -> Cut {
        let outline = GraphOutline(model, rate: rate, deviceRates: deviceRates)
        var ends = output.flatMap { outline.places[ObjectIdentifier($0)] }.map { [$0] } ?? []
        ends += model.nodes.indices.filter { model.nodes[$0].role == .sink }
        var loneInput: Int?
        if let input = outline.input, output == nil || !model.nodes[input].graphTaps.isEmpty,
            !outline.upstream(of: ends)[input]
        {
            loneInput = input
            ends.append(input)
        }
        do throws(RateDomains.Fault) {
            return Cut(outline: outline, domains: try RateDomains(outline, ends: ends), loneInput: loneInput)
        } catch {
            throw fault(error, in: model, outline)
        }
    }

    private static func fault(
        _ fault: RateDomains.Fault, in model: GraphModel<Node>, _ outline: GraphOutline
    ) -> NodeFault<Node> {
        switch fault {
        case .rates(let node, let one, let other): .rates(model.nodes[node], one, other)
        case .splitOverClocks(let wire): .splitOverClocks(model.wires[outline.wires[wire].number])
        case .liveThroughTimeChange(let node): .liveThroughTimeChange(model.nodes[node])
        }
    }

    private init(_ model: GraphModel<Node>, _ outline: GraphOutline, _ domains: RateDomains, isInspected: Bool) {
        self.model = model
        nodes = model.nodes
        self.outline = outline
        self.domains = domains
        self.isInspected = isInspected
        ports = Array(repeating: nil, count: model.nodes.count)
        clocks.reserveCapacity(model.nodes.count)
    }

    /// - Parameter input: runs even if it is not connected.
    private mutating func compile(
        _ domain: RateDomains.Domain, output: Int? = nil, input: Int? = nil, clock: ControlledBox<DomainRenderer>?
    ) throws -> RenderPlan {
        var graph = Graph()
        for child in domain.children { try add(child, of: domain, to: &graph) }
        let nodeClock = NodeClock(rate: domain.rate, fastest: domain.fastest, box: clock)
        for place in domain.nodes {
            clocks[ObjectIdentifier(nodes[place])] = nodeClock
            ports[place] = lower(place, rate: domain.rate, to: &graph)
        }
        connect(domain, in: &graph)
        for wire in domain.exits { addExit(wire, rate: domain.rate, to: &graph) }
        addTaps(domain, to: &graph)
        if let input, let port = ports[input]?.outputs[0] { graph.addRoot(port.node) }
        if let output { graph.output = ports[output]?.outputs[0] }
        do {
            return try GraphCompiler.compile(graph)
        } catch GraphError.cycle {
            throw NodeFault.cycle(nodes[domain.nodes[0]])
        }
    }

    /// Sums add up in the order in which their connections were made.
    private func connect(_ domain: RateDomains.Domain, in graph: inout Graph) {
        for (index, wire) in outline.wires.enumerated() where domains.domain(of: wire.target) === domain {
            let ends = model.wires[wire.number]
            guard let to = ports[wire.target]?.inputs[ends.targetBus] else { continue }
            if let arrival = arrivals[index] {
                graph.connect(arrival, to: to)
            } else if domains.domain(of: wire.source) === domain,
                let from = ports[wire.source]?.outputs[ends.sourceBus]
            {
                graph.connect(from, to: to)
            }
        }
    }

    private mutating func lower(_ place: Int, rate: Double, to graph: inout Graph) -> NodePorts {
        let node = nodes[place]
        var own: [Int: Graph.Port] = [:]
        if !arrivals.isEmpty {
            for wire in outline.incoming[place] {
                own[model.wires[outline.wires[wire].number].targetBus] = arrivals[wire]
            }
        }
        let appliesMixing = node.appliesMixing
        var lowering = NodeLowering<Node.Format>(
            graph: Graph(), sampleRate: rate,
            inputs: model.wires(into: node).map { wire in
                let source = appliesMixing ? model.mixingSource(of: wire) : nil
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
        if !lowering.waiting.isEmpty { waiting += lowering.waiting }
        return ports
    }

    // MARK: Domains

    /// Adds an inner domain as one step, with an output port for each of its exits.
    private mutating func add(
        _ child: RateDomains.Domain, of parent: RateDomains.Domain, to graph: inout Graph
    ) throws {
        guard let first = child.exits.first else { return }
        let clock = passage(wire(first)).clock(ratio: child.rate / parent.rate)
        let inner = try compile(child, clock: clock)
        let arena = RenderArena()
        let exits = arena.copy(
            child.exits.map { exit in
                let wire = wire(exit)
                return DomainRenderer.Plan.Exit(
                    self.exit(for: wire, from: child.rate, to: parent.rate), channelCount: wire.channels,
                    isNew: passage(wire).isNew)
            })
        let plan = arena.copy([DomainRenderer.Plan(inner.view, exits: arena.base(of: exits), exitCount: exits.count)])
        let node = graph.add(
            "domain at \(child.rate) Hz", .domain(clock.pointer, arena.base(of: plan)), owner: clock, inputs: [],
            outputs: child.exits.map { wire($0).channels })
        graph.keepAlive(arena)
        graph.keepAlive(inner)
        for (index, exit) in child.exits.enumerated() {
            arrivals[exit] = Graph.Port(node, index)
            for owner in passage(wire(exit)).owners { graph.keepAlive(owner) }
        }
    }

    /// A source that cannot be rendered leaves its exit silent.
    private func addExit(_ exit: Int, rate: Double, to graph: inout Graph) {
        let wire = wire(exit)
        let outer = domains.domain(of: outline.wires[exit].target)?.rate ?? rate
        let node = graph.add(
            "exit to \(wire.target.title)", .exit(self.exit(for: wire, from: rate, to: outer)), owner: passage(wire),
            inputs: [wire.channels], outputs: [])
        graph.addRoot(node)
        if let port = ports[outline.wires[exit].source]?.outputs[wire.sourceBus] {
            graph.connect(port, to: Graph.Port(node))
        }
    }

    private func wire(_ place: Int) -> Wire<Node> { model.wires[outline.wires[place].number] }
    private func passage(_ wire: Wire<Node>) -> Passage { wire.target.timeChange?.passage ?? wire.passage }

    /// Rates in Hz.
    private func exit(for wire: Wire<Node>, from inner: Double, to outer: Double) -> ExitReference {
        let (channels, speed) = (wire.channels, speed(wire))
        if speed != 1 { RateExit.prepareGlides(from: inner, to: outer) }
        return passage(wire).exit(rate: inner, channels: channels) {
            if let change = wire.target.timeChange { return change.makeExit(sampleRate: inner, channels: channels) }
            return RateExit.make(from: inner, to: outer, channels: channels, speed: speed)
        }
    }

    /// The speed at which an environment plays the source.
    private func speed(_ wire: Wire<Node>) -> Double {
        guard wire.target.playsSourcesAtTheirSpeed, let source = model.mixingSource(of: wire) else { return 1 }
        return Double(source.mixingProperties(at: wire.to).rate)
    }

    // MARK: Taps

    private func addTaps(_ domain: RateDomains.Domain, to graph: inout Graph) {
        for place in domain.nodes {
            let node = nodes[place]
            for tap in node.graphTaps {
                guard let port = ports[place]?.outputs[tap.bus] else { continue }
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
