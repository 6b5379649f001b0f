import OssicleCore
import OssicleDSP
import OssicleGraph
import OssicleRender

/// Turns a model into a plan: one graph per domain, from the innermost out.
struct GraphLowering {
    /// Where a node runs: the clock it counts by, and how many frames of it one frame of the engine may take at most.
    struct Place {
        let rate: Double
        let fastest: Double
        /// The engine's own clock if `nil`.
        let clock: ControlledBox<DomainRenderer>?
    }

    struct Result {
        let plan: RenderPlan
        let places: [ObjectIdentifier: Place]
        /// What hosted units have to do before they sound; they are silent in this plan.
        let waiting: [UnitAllocation]
    }

    private let model: GraphModel
    private let domains: RateDomains
    private let isInspected: Bool
    private var places: [ObjectIdentifier: Place] = [:]
    private var waiting: [UnitAllocation] = []

    /// - Parameter output: the node whose sound leaves the engine.
    static func lower(_ model: GraphModel, output: AVAudioOutputNode?, rate: Double, deviceRates: [ObjectIdentifier: Double],
                      isInspected: Bool) throws -> Result {
        let (ends, lone) = ends(of: model, output)
        let domains = try RateDomains(model, ends: ends, rate: rate, deviceRates: deviceRates)
        var lowering = GraphLowering(model: model, domains: domains, isInspected: isInspected)
        let plan = try lowering.compile(domains.root, output: output, input: lone, clock: nil)
        return Result(plan: plan, places: lowering.places, waiting: lowering.waiting)
    }

    /// Throws if no plan can be made of a model without circles.
    static func check(_ model: GraphModel, output: AVAudioOutputNode?, rate: Double, deviceRates: [ObjectIdentifier: Double]) throws {
        // On one clock nothing can go wrong, and most graphs are.
        if RateDomains.isSingle(model, rate: rate, deviceRates: deviceRates) { return }
        _ = try RateDomains(model, ends: ends(of: model, output).all, rate: rate, deviceRates: deviceRates)
    }

    /// The nodes at which a graph ends, and the input if it is only tapped.
    private static func ends(of model: GraphModel, _ output: AVAudioOutputNode?) -> (all: [AVAudioNode], lone: AVAudioNode?) {
        let ends: [AVAudioNode] = (output.map { [$0] } ?? []) + model.nodes.filter { $0 is AVAudioSinkNode }
        guard let input = model.nodes.first(where: { $0 is AVAudioInputNode }), output == nil || !input.taps.all.isEmpty,
              !model.heard(at: ends).contains(ObjectIdentifier(input)) else { return (ends, nil) }
        return (ends + [input], input)
    }

    private init(model: GraphModel, domains: RateDomains, isInspected: Bool) {
        (self.model, self.domains, self.isInspected) = (model, domains, isInspected)
    }

    /// - Parameter input: runs, although nothing may be connected to it.
    private mutating func compile(_ domain: RateDomains.Domain, output: AVAudioOutputNode? = nil, input: AVAudioNode? = nil,
                                  clock: ControlledBox<DomainRenderer>?) throws -> RenderPlan {
        var graph = Graph()
        var arrivals: [BusKey: Graph.Port] = [:]
        for child in domain.children { try add(child, of: domain, to: &graph, &arrivals) }
        var ports: [ObjectIdentifier: NodePorts] = [:]
        for node in domain.nodes {
            places[ObjectIdentifier(node)] = Place(rate: domain.rate, fastest: domain.fastest, clock: clock)
            ports[ObjectIdentifier(node)] = lower(node, domain, &graph, arrivals)
        }
        for wire in model.wires where domains.domain(of: wire.target) === domain {
            guard let to = ports[ObjectIdentifier(wire.target)]?.inputs[wire.targetBus] else { continue }
            if let arrival = arrivals[wire.to] {
                graph.connect(arrival, to: to)
            } else if domains.domain(of: wire.source) === domain, let from = ports[ObjectIdentifier(wire.source)]?.outputs[wire.sourceBus] {
                graph.connect(from, to: to)
            }
        }
        for wire in domain.exits { addExit(wire, from: ports[ObjectIdentifier(wire.source)]?.outputs[wire.sourceBus], rate: domain.rate, to: &graph) }
        addTaps(domain, ports, to: &graph)
        if let input, let port = ports[ObjectIdentifier(input)]?.outputs[0] { graph.addRoot(port.node) }
        if let output { graph.output = ports[ObjectIdentifier(output)]?.outputs[0] }
        do {
            return try GraphCompiler.compile(graph)
        } catch GraphError.cycle {
            throw GraphFault.cycle(domain.nodes[0])
        }
    }

    private mutating func lower(_ node: AVAudioNode, _ domain: RateDomains.Domain, _ graph: inout Graph, _ arrivals: [BusKey: Graph.Port]) -> NodePorts {
        var own: [AVAudioNodeBus: Graph.Port] = [:]
        let wires = model.wires(into: node)
        for wire in wires { own[wire.targetBus] = arrivals[wire.to] }
        var lowering = Lowering(graph: Graph(), sampleRate: domain.rate, inputs: wires.map { Lowering.Bus(index: $0.targetBus, format: $0.format) },
                                outputs: (0..<node.numberOfOutputs).map { Lowering.Bus(index: $0, format: model.format(of: BusKey(node, .output, $0), node: node)) },
                                meter: isInspected ? node.meter : nil, model: model, arrivals: own)
        // Moved there and back: a copy of the graph for every node would cost the square of their number.
        swap(&graph, &lowering.graph)
        let ports = node.lower(&lowering)
        swap(&graph, &lowering.graph)
        waiting += lowering.waiting
        return ports
    }

    // MARK: Domains

    /// Adds a domain inside as one step, with an output port for each of its exits.
    private mutating func add(_ child: RateDomains.Domain, of parent: RateDomains.Domain, to graph: inout Graph, _ arrivals: inout [BusKey: Graph.Port]) throws {
        guard let first = child.exits.first else { return }
        let clock = passage(first).clock(ratio: child.rate / parent.rate)
        let inner = try compile(child, clock: clock)
        let arena = RenderArena()
        let exits = arena.copy(child.exits.map { wire in
            DomainRenderer.Plan.Exit(exit(for: wire, rate: child.rate), channelCount: wire.channels, isNew: passage(wire).isNew)
        })
        let plan = arena.copy([DomainRenderer.Plan(inner.view, exits: arena.base(of: exits), exitCount: exits.count)])
        let node = graph.add("domain at \(child.rate) Hz", .domain(clock.pointer, arena.base(of: plan)), owner: clock, inputs: [],
                             outputs: child.exits.map(\.channels))
        graph.keepAlive(arena)
        graph.keepAlive(inner)
        for (index, wire) in child.exits.enumerated() {
            arrivals[wire.to] = Graph.Port(node, index)
            for owner in passage(wire).owners { graph.keepAlive(owner) }
        }
    }

    /// - Parameter port: `nil` for a node that cannot be rendered: what leaves it is silence.
    private func addExit(_ wire: Wire, from port: Graph.Port?, rate: Double, to graph: inout Graph) {
        let node = graph.add("exit to \(wire.target.title)", .exit(exit(for: wire, rate: rate)), owner: passage(wire), inputs: [wire.channels], outputs: [])
        graph.addRoot(node)
        if let port { graph.connect(port, to: Graph.Port(node)) }
    }

    private func passage(_ wire: Wire) -> Passage { wire.target.timeChange?.passage ?? wire.passage }

    private func exit(for wire: Wire, rate: Double) -> ExitReference {
        let channels = wire.channels
        let (outer, speed) = (domains.domain(of: wire.target)?.rate ?? rate, speed(wire))
        if speed != 1 { RateExit.prepareGlides(from: rate, to: outer) }
        return passage(wire).exit(rate: rate, channels: channels) {
            if let change = wire.target.timeChange { return change.makeExit(sampleRate: rate, channels: channels) }
            return RateExit.make(from: rate, to: outer, channels: channels, speed: speed)
        }
    }

    /// How fast an environment plays the source.
    private func speed(_ wire: Wire) -> Double {
        guard wire.target.playsSourcesAtTheirSpeed, let source = model.mixingSource(of: wire) else { return 1 }
        return Double(source.mixing.properties(at: wire.target, wire.targetBus).rate)
    }

    // MARK: Taps

    private func addTaps(_ domain: RateDomains.Domain, _ ports: [ObjectIdentifier: NodePorts], to graph: inout Graph) {
        for node in domain.nodes {
            for tap in node.taps.all {
                guard let port = ports[ObjectIdentifier(node)]?.outputs[tap.bus] else { continue }
                let channels = Int(model.format(of: BusKey(node, .output, tap.bus), node: node).channelCount)
                let renderer = tap.renderer(channels: channels, fastest: domain.fastest)
                let step = graph.add("tap on \(node.title)", .tap(renderer.pointer), owner: renderer, inputs: [channels], outputs: [])
                graph.addObserver(step)
                graph.connect(port, to: Graph.Port(step))
            }
        }
    }
}
