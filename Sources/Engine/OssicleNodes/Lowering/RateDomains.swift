/// The graph cut into domains that each run on one clock.
///
/// A connection crosses from one clock to another where a mixer's input has another rate than the mixer, where the
/// output or the input converts, in front of a change of speed, and into an environment that plays a source at another
/// rate. All other connections hold a domain together. Domains form a tree: all exits of a domain lead in step into one
/// other domain.
struct RateDomains {
    final class Domain {
        let rate: Double
        fileprivate(set) var nodes: [Int] = []
        /// The wires into its nodes.
        fileprivate(set) var wires: [Int] = []
        /// The wires that leave the domain.
        fileprivate(set) var exits: [Int] = []
        /// Weak: the outer domain holds the inner ones.
        fileprivate(set) weak var parent: Domain?
        fileprivate(set) var children: [Domain] = []
        /// The most frames of this domain per frame of the engine.
        fileprivate(set) var fastest = 1.0

        fileprivate init(rate: Double) { self.rate = rate }
    }

    /// What is wrong, by places of nodes and wires in the outline.
    enum Fault: Error {
        /// A node between two sample rates in Hz that converts neither.
        case rates(node: Int, Double, Double)
        case splitOverClocks(wire: Int)
        case liveThroughTimeChange(node: Int)
    }

    let root: Domain
    private let outline: GraphOutline
    private var domains: [Domain?]

    /// - Parameter ends: the output, and the sinks.
    init(_ outline: GraphOutline, ends: [Int]) throws(Fault) {
        self.outline = outline
        root = Domain(rate: outline.engineRate)
        domains = Array(repeating: nil, count: outline.rates.count)
        let isAudible = outline.upstream(of: ends)
        try gather(ends, isAudible)
        try order()
        measure(root)
        try checkInput()
    }

    func domain(of node: Int) -> Domain? { domains[node] }

    private mutating func gather(_ ends: [Int], _ isAudible: [Bool]) throws(Fault) {
        if isSingle {
            for node in domains.indices where isAudible[node] { domains[node] = root }
            root.nodes = domains.indices.filter { isAudible[$0] }
            root.wires = outline.wires.indices.filter { isAudible[outline.wires[$0].target] }
            return
        }
        try fill(root, from: ends, isAudible)
        for node in domains.indices where isAudible[node] && domains[node] == nil {
            try fill(Domain(rate: outline.rates[node]), from: [node], isAudible)
        }
        for node in domains.indices { domains[node]?.nodes.append(node) }
        for wire in outline.wires.indices { domains[outline.wires[wire].target]?.wires.append(wire) }
    }

    /// Whether everything runs on one clock, as in most graphs.
    private var isSingle: Bool {
        !outline.wires.contains(where: \.isPassage) && outline.rates.allSatisfy { $0 == outline.engineRate }
    }

    /// Puts into a domain what is connected with its first nodes by other wires than passages.
    private mutating func fill(_ domain: Domain, from start: [Int], _ isAudible: [Bool]) throws(Fault) {
        for node in start { domains[node] = domain }
        var open = start
        while let node = open.popLast() {
            guard outline.rates[node] == domain.rate else {
                throw .rates(node: node, outline.rates[node], domain.rate)
            }
            for wires in [outline.incoming[node], outline.outgoing[node]] {
                for wire in wires where !outline.wires[wire].isPassage {
                    let wire = outline.wires[wire]
                    let other = wire.source == node ? wire.target : wire.source
                    guard isAudible[other], domains[other] == nil else { continue }
                    domains[other] = domain
                    open.append(other)
                }
            }
        }
    }

    private func order() throws(Fault) {
        for (index, wire) in outline.wires.enumerated() where wire.isPassage {
            guard let inner = domains[wire.source], let outer = domains[wire.target] else { continue }
            guard inner !== outer, inner !== root else { throw .splitOverClocks(wire: index) }
            if let first = inner.exits.first {
                guard inner.parent === outer, [outline.wires[first], wire].allSatisfy(\.mayHaveNeighbours) else {
                    throw .splitOverClocks(wire: index)
                }
            } else {
                inner.parent = outer
                outer.children.append(inner)
            }
            inner.exits.append(index)
        }
    }

    private func measure(_ domain: Domain) {
        for child in domain.children {
            let own = child.exits.first.map { outline.wires[$0].fastest } ?? 1
            child.fastest = domain.fastest * own * child.rate / max(domain.rate, 1)
            measure(child)
        }
    }

    private func checkInput() throws(Fault) {
        guard let input = outline.input, domains[input] != nil else { return }
        for wire in outline.wires where wire.entersTimeChange && outline.upstream(of: [wire.source])[input] {
            throw .liveThroughTimeChange(node: wire.target)
        }
    }
}

extension GraphOutline.Wire {
    /// Whether other wires may leave the same domain in step with it.
    fileprivate var mayHaveNeighbours: Bool { !entersTimeChange && !hasOwnSpeed }
}
