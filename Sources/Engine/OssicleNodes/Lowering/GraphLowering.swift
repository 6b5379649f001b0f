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
///
/// What a change of the model does not touch is not lowered again: a node's part of the graph is kept with the node
/// (`LoweredNode`) and added to the next graph as it is.
package struct GraphLowering<Node: GraphNode> {
    package struct Result {
        package let plan: RenderPlan
        package let clocks: [ObjectIdentifier: NodeClock]
        /// What has to be done under no lock before the plan is whole; its nodes are silent in this plan.
        package let waiting: [() -> Void]
    }

    let model: GraphModel<Node>
    let outline: GraphOutline
    private let domains: RateDomains
    let options: Options
    /// Of the nodes that were lowered.
    var ports: PlacedPorts
    /// Where the signal of a wire arrives that comes from another clock.
    var arrivals: [Int: Graph.Port] = [:]
    private var clocks: [ObjectIdentifier: NodeClock] = [:]
    var waiting: [() -> Void] = []

    package struct Options {
        let isInspected: Bool
        /// Whether nodes keep what they were lowered to. Not behind a change that the model does not show.
        let keepsParts: Bool

        package init(isInspected: Bool, keepsParts: Bool) {
            (self.isInspected, self.keepsParts) = (isInspected, keepsParts)
        }
    }

    /// Throws a `NodeFault`.
    ///
    /// - Parameters:
    ///   - output: the node whose sound leaves the engine.
    ///   - rate: of the engine, in Hz.
    package static func lower(
        _ model: GraphModel<Node>, output: Node?, rate: Double, deviceRates: [ObjectIdentifier: Double],
        _ options: Options
    ) throws -> Result {
        let cut = try cut(model, output: output, rate: rate, deviceRates: deviceRates)
        var lowering = GraphLowering(model, cut.outline, cut.domains, options)
        let plan = try lowering.compile(cut.domains.root, output: cut.output, input: cut.loneInput, clock: nil)
        return Result(plan: plan, clocks: lowering.clocks, waiting: lowering.waiting)
    }

    /// Throws a `NodeFault` if a model without cycles has no plan.
    package static func check(
        _ model: GraphModel<Node>, output: Node?, rate: Double, deviceRates: [ObjectIdentifier: Double]
    ) throws {
        for place in model.entries.indices where model.entries[place].site.keepsFormat {
            let entry = model.entries[place]
            guard let input = entry.incoming.first, let output = entry.outgoing.first else { continue }
            guard input.rate == output.rate, input.channels == output.channels else {
                throw NodeFault.formats(
                    entry.site.node(as: Node.self), input: input.wire(of: Node.self).format,
                    output: output.wire(of: Node.self).format)
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
            && model.ends.allSatisfy { wire in
                wire.rate == rate && !wire.targetSite.changesTime
                    && !(wire.targetSite.playsSourcesAtTheirSpeed
                        && model.mixingSource(of: wire.wire(of: Node.self))?.hasOwnSpeed ?? false)
            }
    }

    private struct Cut {
        let outline: GraphOutline
        let domains: RateDomains
        let output: Int?
        /// The input, if it runs only because it is tapped.
        let loneInput: Int?
    }

    private static func cut(
        _ model: GraphModel<Node>, output: Node?, rate: Double, deviceRates: [ObjectIdentifier: Double]
    ) throws -> Cut {
        let outline = GraphOutline(model, rate: rate, deviceRates: deviceRates)
        let id = output.map { ObjectIdentifier($0) }
        let output = outline.nodes.firstIndex { $0.site.id == id }
        var ends = output.map { [$0] } ?? []
        ends += outline.nodes.indices.filter { outline.nodes[$0].site.role == .sink }
        var loneInput: Int?
        if let input = outline.input, id == nil || !model.nodes[input].graphTaps.isEmpty,
            !outline.upstream(of: ends)[input]
        {
            loneInput = input
            ends.append(input)
        }
        do throws(RateDomains.Fault) {
            return Cut(
                outline: outline, domains: try RateDomains(outline, ends: ends), output: output, loneInput: loneInput)
        } catch {
            throw fault(error, in: model)
        }
    }

    private static func fault(_ fault: RateDomains.Fault, in model: GraphModel<Node>) -> NodeFault<Node> {
        switch fault {
        case .rates(let node, let one, let other): .rates(model.nodes[node], one, other)
        case .splitOverClocks(let wire): .splitOverClocks(model.wires[wire])
        case .liveThroughTimeChange(let node): .liveThroughTimeChange(model.nodes[node])
        }
    }

    private init(_ model: GraphModel<Node>, _ outline: GraphOutline, _ domains: RateDomains, _ options: Options) {
        self.model = model
        self.outline = outline
        self.domains = domains
        self.options = options
        ports = PlacedPorts(outline)
        clocks.reserveCapacity(outline.nodes.count)
    }

    /// - Parameter input: runs even if it is not connected.
    private mutating func compile(
        _ domain: RateDomains.Domain, output: Int? = nil, input: Int? = nil, clock: ControlledBox<DomainRenderer>?
    ) throws -> RenderPlan {
        var graph = Graph(capacity: domain.nodes.count + domain.wires.count)
        for child in domain.children { try add(child, of: domain, to: &graph) }
        let nodeClock = NodeClock(rate: domain.rate, fastest: domain.fastest, box: clock)
        var tapped: [Int] = []
        for place in domain.nodes {
            clocks[outline.nodes[place].site.id] = nodeClock
            if lower(place, rate: domain.rate, to: &graph) { tapped.append(place) }
        }
        connect(domain, in: &graph)
        for wire in domain.exits { addExit(wire, rate: domain.rate, to: &graph) }
        for place in tapped { addTaps(place, domain, to: &graph) }
        if let input, let port = ports.output(0, of: input) { graph.addRoot(port.node) }
        if let output { graph.output = ports.output(0, of: output) }
        do {
            return try GraphCompiler.compile(graph)
        } catch GraphError.cycle {
            throw NodeFault.cycle(model.nodes[domain.nodes[0]])
        }
    }

    /// Sums add up in the order in which their connections were made.
    private func connect(_ domain: RateDomains.Domain, in graph: inout Graph) {
        for index in domain.wires {
            let wire = outline.wires[index]
            guard let to = ports.input(index) else { continue }
            if let arrival = arrivals[index] {
                graph.connect(arrival, to: to)
            } else if domains.domain(of: wire.source) === domain,
                let from = ports.output(model.ends[index].sourceBus, of: wire.source)
            {
                graph.connect(from, to: to)
            }
        }
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
        if let port = ports.output(wire.sourceBus, of: outline.wires[exit].source) {
            graph.connect(port, to: Graph.Port(node))
        }
    }

    private func wire(_ place: Int) -> Wire<Node> { model.ends[place].wire(of: Node.self) }
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

    private func addTaps(_ place: Int, _ domain: RateDomains.Domain, to graph: inout Graph) {
        let node = model.nodes[place]
        for tap in node.graphTaps {
            guard let port = ports.output(tap.bus, of: place) else { continue }
            let channels = model.format(of: BusKey(node, .output, bus: tap.bus), node: node).channels
            let renderer = tap.renderer(channels, domain.fastest)
            let step = graph.add(
                "tap on \(node.title)", .tap(renderer.pointer), owner: renderer, inputs: [channels], outputs: [])
            graph.addObserver(step)
            graph.connect(port, to: Graph.Port(step))
        }
    }
}
