import OssicleGraph

/// What the cut into rate domains has to know of a model. A node is its place in the model's list, a wire its place in
/// the model's.
struct GraphOutline {
    struct Wire {
        let source: Int
        let target: Int
        /// Hz, of both busses.
        let rate: Double
        /// Whether the signal crosses from one clock to another.
        let isPassage: Bool
        let entersTimeChange: Bool
        /// Whether the target plays it at the rate property of its source, which is other than 1.
        let hasOwnSpeed: Bool
        /// The most frames of the source per frame of the target, at one sample rate.
        let fastest: Double
    }

    let wires: [Wire]
    let nodes: [NodeEntry]
    /// Of each node, in Hz.
    let rates: [Double]
    /// Of the engine, in Hz.
    let engineRate: Double
    /// Wires into and from each node.
    let incoming: Links
    let outgoing: Links
    /// The node that brings sound in.
    let input: Int?

    /// - Parameters:
    ///   - rate: of the engine, in Hz.
    ///   - deviceRates: rates of nodes that have one of their own, whatever their connections have.
    init<Node: GraphNode>(_ model: GraphModel<Node>, rate: Double, deviceRates: [ObjectIdentifier: Double]) {
        let (nodes, ends) = (model.entries, model.ends)
        for place in nodes.indices { nodes[place].site.place = place }
        for place in ends.indices { ends[place].place = place }
        let input = nodes.firstIndex { $0.site.role == .input }
        var rates = nodes.map { $0.outgoing.first?.rate ?? $0.incoming.first?.rate ?? rate }
        // One or two.
        for (node, rate) in deviceRates {
            if let place = nodes.firstIndex(where: { $0.site.id == node }) { rates[place] = rate }
        }
        let wires = ends.map { [rates] end in
            let (source, target) = (end.sourceSite, end.targetSite)
            let hasOwnSpeed =
                target.playsSourcesAtTheirSpeed && model.mixingSource(of: end.wire(of: Node.self))?.hasOwnSpeed ?? false
            let isConverted =
                source.place == input && rates[source.place] != end.rate
                || target.convertsInputs && rates[target.place] != end.rate
            let timeChange = target.changesTime ? target.node(as: Node.self).timeChange?.fastest : nil
            return Wire(
                source: source.place, target: target.place, rate: end.rate,
                isPassage: target.changesTime || hasOwnSpeed || isConverted,
                entersTimeChange: target.changesTime, hasOwnSpeed: hasOwnSpeed,
                fastest: timeChange ?? (target.playsSourcesAtTheirSpeed ? 2 : 1))
        }
        incoming = Links(of: wires.map { $0.target }, count: nodes.count)
        outgoing = Links(of: wires.map { $0.source }, count: nodes.count)
        (self.nodes, self.wires, self.rates, self.input) = (nodes, wires, rates, input)
        engineRate = rate
    }

    /// Whether sound of each node reaches one of `ends`, ends included.
    func upstream(of ends: [Int]) -> [Bool] {
        var isFound = Array(repeating: false, count: rates.count)
        for end in ends { isFound[end] = true }
        var open = ends
        while let node = open.popLast() {
            for wire in incoming[node] where !isFound[wires[wire].source] {
                isFound[wires[wire].source] = true
                open.append(wires[wire].source)
            }
        }
        return isFound
    }

    /// The numbers of the sources behind a node's connections, if it applies their mixing properties; else none.
    func sources(of entry: NodeEntry) -> [Int?] {
        entry.site.appliesMixing ? entry.incoming.map { mixingSource(of: $0)?.number } : []
    }

    /// The source whose mixing properties govern a connection, as `GraphModel.mixingSource`.
    func mixingSource(of wire: WireEnds) -> NodeSite? {
        var site = wire.sourceSite
        var steps = 0
        while !site.isMixingSource, steps < nodes.count, let next = nodes[site.place].end(into: 0) {
            site = next.sourceSite
            steps += 1
        }
        return site.isMixingSource ? site : nil
    }
}
