import OssicleGraph

/// What the cut into rate domains has to know of a model. A node is its place in the model's list, a wire its place in
/// this one.
struct GraphOutline {
    struct Wire {
        /// Place in the model's list.
        let number: Int
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
    /// Of each node, in Hz.
    let rates: [Double]
    /// Of the engine, in Hz.
    let engineRate: Double
    /// Wires into and from each node.
    let incoming: Links
    let outgoing: Links
    /// The node that brings sound in.
    let input: Int?
    /// Place of each node.
    let places: [ObjectIdentifier: Int]

    /// - Parameters:
    ///   - rate: of the engine, in Hz.
    ///   - deviceRates: rates of nodes that have one of their own, whatever their connections have.
    init<Node: GraphNode>(_ model: GraphModel<Node>, rate: Double, deviceRates: [ObjectIdentifier: Double]) {
        let nodes = model.nodes
        let places = Dictionary(uniqueKeysWithValues: nodes.enumerated().map { (ObjectIdentifier($1), $0) })
        let input = nodes.firstIndex { $0.role == .input }
        let ends = model.wires.enumerated().compactMap { number, wire -> (number: Int, source: Int, target: Int)? in
            guard let source = places[ObjectIdentifier(wire.source)], let target = places[ObjectIdentifier(wire.target)]
            else { return nil }
            return (number, source, target)
        }
        let formats = ends.map { model.wires[$0.number].format.sampleRate }
        let incoming = Links(of: ends.map(\.target), count: nodes.count)
        let outgoing = Links(of: ends.map(\.source), count: nodes.count)
        let rates = nodes.enumerated().map { place, node in
            let lowestBus = incoming[place].min {
                model.wires[ends[$0].number].targetBus < model.wires[ends[$1].number].targetBus
            }
            return deviceRates[ObjectIdentifier(node)] ?? (outgoing[place].first ?? lowestBus).map { formats[$0] }
                ?? rate
        }
        let timeChanges = nodes.map { $0.timeChange?.fastest }
        let playsAtTheirSpeed = nodes.map(\.playsSourcesAtTheirSpeed)
        let converts = nodes.map(\.convertsInputs)
        wires = zip(ends, formats).map { wire, format in
            let (source, target) = (wire.source, wire.target)
            let hasOwnSpeed =
                playsAtTheirSpeed[target] && model.mixingSource(of: model.wires[wire.number])?.hasOwnSpeed ?? false
            let isConverted = source == input && rates[source] != format || converts[target] && rates[target] != format
            return Wire(
                number: wire.number, source: source, target: target, rate: format,
                isPassage: timeChanges[target] != nil || hasOwnSpeed || isConverted,
                entersTimeChange: timeChanges[target] != nil, hasOwnSpeed: hasOwnSpeed,
                fastest: timeChanges[target] ?? (playsAtTheirSpeed[target] ? 2 : 1))
        }
        self.rates = rates
        engineRate = rate
        self.incoming = incoming
        self.outgoing = outgoing
        self.input = input
        self.places = places
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
}
