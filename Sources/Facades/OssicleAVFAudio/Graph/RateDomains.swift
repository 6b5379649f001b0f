/// The graph cut into parts that each run on one clock.
///
/// A connection leads from one clock to another where a mixer takes in another rate than its own, where the output or the input
/// converts, in front of a change of speed, and into an environment that plays a source at another rate. All other connections hold
/// a domain together. Domains form a tree: what leaves one leaves it in step, for one and the same listener.
struct RateDomains {
    final class Domain {
        let rate: Double
        fileprivate(set) var nodes: [AVAudioNode] = []
        /// The connections by which sound leaves, and what lies behind them.
        fileprivate(set) var exits: [Wire] = []
        /// Weak: the domain outside holds those inside.
        fileprivate(set) weak var parent: Domain?
        fileprivate(set) var children: [Domain] = []

        fileprivate init(rate: Double) { self.rate = rate }

        /// Frames of this domain that one frame of the engine may take at most.
        var fastest: Double {
            guard let parent, let exit = exits.first else { return 1 }
            let own = exit.target.timeChange?.fastest ?? (exit.target.playsSourcesAtTheirSpeed ? 2 : 1)
            return parent.fastest * own * rate / max(parent.rate, 1)
        }
    }

    let root: Domain
    private let model: GraphModel
    private let rates: (AVAudioNode) -> Double
    private var domains: [ObjectIdentifier: Domain] = [:]

    /// - Parameters:
    ///   - ends: the output, and the sinks.
    ///   - rate: of the engine.
    ///   - deviceRates: rate that a node has of itself, whatever its connections say.
    init(_ model: GraphModel, ends: [AVAudioNode], rate: Double, deviceRates: [ObjectIdentifier: Double]) throws {
        self.model = model
        rates = { node in
            deviceRates[ObjectIdentifier(node)] ?? model.wires(from: node).first?.format.sampleRate ?? model.wires(into: node).first?.format.sampleRate ?? rate
        }
        root = Domain(rate: rate)
        let heard = model.heard(at: ends)
        let nodes = model.nodes.filter { heard.contains(ObjectIdentifier($0)) }
        try gather(nodes, ends, heard)
        try order(nodes)
    }

    /// Whether everything in a model runs on the engine's clock, whatever is connected to what.
    static func isSingle(_ model: GraphModel, rate: Double, deviceRates: [ObjectIdentifier: Double]) -> Bool {
        deviceRates.values.allSatisfy { $0 == rate } && model.wires.allSatisfy { wire in
            wire.format.sampleRate == rate && wire.target.timeChange == nil
                && !(wire.target.playsSourcesAtTheirSpeed && model.mixingSource(of: wire)?.mixing.hasOwnSpeed ?? false)
        }
    }

    func domain(of node: AVAudioNode) -> Domain? { domains[ObjectIdentifier(node)] }

    /// Whether a connection leads from one clock to another.
    func isPassage(_ wire: Wire) -> Bool {
        if wire.target.timeChange != nil { return true }
        if wire.source is AVAudioInputNode && rates(wire.source) != wire.format.sampleRate { return true }
        if wire.target.playsSourcesAtTheirSpeed && playsAtOwnSpeed(wire) { return true }
        return wire.target.convertsInputs && rates(wire.target) != wire.format.sampleRate
    }

    private func playsAtOwnSpeed(_ wire: Wire) -> Bool {
        model.mixingSource(of: wire)?.mixing.hasOwnSpeed ?? false
    }

    private mutating func gather(_ nodes: [AVAudioNode], _ ends: [AVAudioNode], _ heard: Set<ObjectIdentifier>) throws {
        for end in ends { domains[ObjectIdentifier(end)] = root }
        var groups = [(root, ends)]
        groups += nodes.map { (Domain(rate: rates($0)), [$0]) }
        for (domain, start) in groups where domain === root || domains[ObjectIdentifier(start[0])] == nil {
            for node in start { domains[ObjectIdentifier(node)] = domain }
            var open = start
            while let node = open.popLast() {
                guard rates(node) == domain.rate else { throw GraphFault.rates(node, rates(node), domain.rate) }
                for wire in model.wires(into: node) + model.wires(from: node) where !isPassage(wire) {
                    let other = wire.source === node ? wire.target : wire.source
                    guard heard.contains(ObjectIdentifier(other)), domains[ObjectIdentifier(other)] == nil else { continue }
                    domains[ObjectIdentifier(other)] = domain
                    open.append(other)
                }
            }
        }
        for node in nodes { domains[ObjectIdentifier(node)]?.nodes.append(node) }
    }

    private func order(_ nodes: [AVAudioNode]) throws {
        for wire in model.wires where isPassage(wire) {
            guard let inner = domain(of: wire.source), let outer = domain(of: wire.target) else { continue }
            guard inner !== outer, inner !== root else { throw GraphFault.splitOverClocks(wire) }
            if let first = inner.exits.first {
                guard inner.parent === outer, first.target.timeChange == nil, wire.target.timeChange == nil, !playsAtOwnSpeed(wire), !playsAtOwnSpeed(first)
                else { throw GraphFault.splitOverClocks(wire) }
            } else {
                inner.parent = outer
                outer.children.append(inner)
            }
            inner.exits.append(wire)
        }
        guard let input = nodes.first(where: { $0 is AVAudioInputNode }) else { return }
        for wire in model.wires where wire.target.timeChange != nil && model.heard(at: [wire.source]).contains(ObjectIdentifier(input)) {
            throw GraphFault.liveThroughTimeChange(wire.target)
        }
    }
}
