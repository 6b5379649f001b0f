/// The graph cut into domains that each run on one clock.
///
/// A connection crosses from one clock to another where a mixer's input has another rate than the mixer, where the
/// output or the input converts, in front of a change of speed, and into an environment that plays a source at another
/// rate. All other connections hold a domain together. Domains form a tree: all exits of a domain lead in step into one
/// other domain.
package struct RateDomains<Node: GraphNode> {
    final class Domain {
        let rate: Double
        fileprivate(set) var nodes: [Node] = []
        /// The connections that leave the domain.
        fileprivate(set) var exits: [Wire<Node>] = []
        /// Weak: the outer domain holds the inner ones.
        fileprivate(set) weak var parent: Domain?
        fileprivate(set) var children: [Domain] = []

        fileprivate init(rate: Double) { self.rate = rate }

        /// The most frames of this domain per frame of the engine.
        var fastest: Double {
            guard let parent, let exit = exits.first else { return 1 }
            let own = exit.target.timeChange?.fastest ?? (exit.target.playsSourcesAtTheirSpeed ? 2 : 1)
            return parent.fastest * own * rate / max(parent.rate, 1)
        }
    }

    let root: Domain
    private let model: GraphModel<Node>
    private let rates: (Node) -> Double
    private var domains: [ObjectIdentifier: Domain] = [:]

    /// - Parameters:
    ///   - ends: the output, and the sinks.
    ///   - rate: of the engine, in Hz.
    ///   - deviceRates: rates of nodes that have one of their own, whatever their connections have.
    init(_ model: GraphModel<Node>, ends: [Node], rate: Double, deviceRates: [ObjectIdentifier: Double]) throws {
        self.model = model
        rates = { node in
            deviceRates[ObjectIdentifier(node)] ?? model.wires(from: node).first?.format.sampleRate ?? model.wires(
                into: node
            ).first?.format.sampleRate ?? rate
        }
        root = Domain(rate: rate)
        let audible = model.upstream(of: ends)
        let nodes = model.nodes.filter { audible.contains(ObjectIdentifier($0)) }
        try gather(nodes, ends, audible: audible)
        try order(nodes)
    }

    /// Whether everything in a model runs on the engine's clock, in every cut of the graph.
    static func isSingle(_ model: GraphModel<Node>, rate: Double, deviceRates: [ObjectIdentifier: Double]) -> Bool {
        deviceRates.values.allSatisfy { $0 == rate }
            && model.wires.allSatisfy { wire in
                wire.format.sampleRate == rate && wire.target.timeChange == nil
                    && !(wire.target.playsSourcesAtTheirSpeed && model.mixingSource(of: wire)?.hasOwnSpeed ?? false)
            }
    }

    func domain(of node: Node) -> Domain? { domains[ObjectIdentifier(node)] }

    /// Whether a connection crosses from one clock to another.
    private func isPassage(_ wire: Wire<Node>) -> Bool {
        if wire.target.timeChange != nil { return true }
        if wire.source.role == .input && rates(wire.source) != wire.format.sampleRate { return true }
        if playsAtOwnSpeed(wire) { return true }
        return wire.target.convertsInputs && rates(wire.target) != wire.format.sampleRate
    }

    private func playsAtOwnSpeed(_ wire: Wire<Node>) -> Bool {
        wire.target.playsSourcesAtTheirSpeed && model.mixingSource(of: wire)?.hasOwnSpeed ?? false
    }

    private mutating func gather(_ nodes: [Node], _ ends: [Node], audible: Set<ObjectIdentifier>) throws {
        for end in ends { domains[ObjectIdentifier(end)] = root }
        var groups = [(root, ends)]
        groups += nodes.map { (Domain(rate: rates($0)), [$0]) }
        for (domain, start) in groups where domain === root || domains[ObjectIdentifier(start[0])] == nil {
            for node in start { domains[ObjectIdentifier(node)] = domain }
            var open = start
            while let node = open.popLast() {
                guard rates(node) == domain.rate else { throw NodeFault.rates(node, rates(node), domain.rate) }
                for wire in model.wires(into: node) + model.wires(from: node) where !isPassage(wire) {
                    let other = wire.source === node ? wire.target : wire.source
                    guard audible.contains(ObjectIdentifier(other)), domains[ObjectIdentifier(other)] == nil else {
                        continue
                    }
                    domains[ObjectIdentifier(other)] = domain
                    open.append(other)
                }
            }
        }
        for node in nodes { domains[ObjectIdentifier(node)]?.nodes.append(node) }
    }

    private func order(_ nodes: [Node]) throws {
        for wire in model.wires where isPassage(wire) {
            guard let inner = domain(of: wire.source), let outer = domain(of: wire.target) else { continue }
            guard inner !== outer, inner !== root else { throw NodeFault.splitOverClocks(wire) }
            if let first = inner.exits.first {
                guard inner.parent === outer, first.target.timeChange == nil, wire.target.timeChange == nil,
                    !playsAtOwnSpeed(wire), !playsAtOwnSpeed(first)
                else { throw NodeFault.splitOverClocks(wire) }
            } else {
                inner.parent = outer
                outer.children.append(inner)
            }
            inner.exits.append(wire)
        }
        guard let input = nodes.first(where: { $0.role == .input }) else { return }
        for wire in model.wires
        where wire.target.timeChange != nil && model.upstream(of: [wire.source]).contains(ObjectIdentifier(input)) {
            throw NodeFault.liveThroughTimeChange(wire.target)
        }
    }
}
