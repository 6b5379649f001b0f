import OssicleRender

/// Which steps of a plan may run at the same time.
///
///     level 0   player ─▶ strip    player ─▶ strip    player ─▶ strip    …       chains, as many to a strand as cost 45 µs
///     level 1   ears    reverb                                                   another stage: each chain reads several
///     level 2   master
///
/// A node that alone reads the only node it reads continues that one's chain; any other begins one, a level above all
/// that it reads. Levels are stages, and neighbouring chains of a level are put together to strands of about equal
/// cost. All of it follows from the graph and from constants, never from the number of threads: the order of sums
/// depends on it.
struct PlanPartition {
    struct Stage {
        /// Among all strands.
        let strands: Range<Int>
        /// So many of the first call the client's code.
        let ownCount: Int
    }

    /// Nodes in the order in which they run.
    private(set) var order: [Int]
    /// Places in `order`.
    private(set) var strands: [Range<Int>]
    private(set) var stages: [Stage]
    /// By node; of no use for those that are not in `order`.
    private(set) var strandOfNode: [Int]
    /// By strand.
    private(set) var stageOfStrand: [Int]

    /// µs of a quantum on one core that two threads must save for a plan to be divided: a stage costs up to 10 µs in
    /// waking and waiting.
    private static let leastGain: Float = 50
    /// µs at which a strand is full, of a level that costs so much: a quarter of it. What is smaller costs more in
    /// partial sums and waiting than it brings, 40 are 26 voices on the move.
    private static func strandCost(_ level: Float) -> Float { min(max(level / 4, 10), 40) }

    /// Voices whose memory, some 12 KB each while they move, fills a cache of 512 KB.
    private static let manyVoices = 48

    init(_ compiler: GraphCompiler, _ order: [Int]) {
        self.order = order
        strands = [0..<order.count]
        stages = [Stage(strands: 0..<1, ownCount: 0)]
        strandOfNode = Array(repeating: 0, count: compiler.graph.nodes.count)
        stageOfStrand = [0]
        let cost = order.reduce(0) { $0 + compiler.graph.nodes[$1].renderer.cost }
        guard cost >= 2 * Self.leastGain else { return }
        if let divided = PlanPartition(dividing: PlanChains(compiler, order)), divided.keepsSharedSums(compiler.graph) {
            self = divided
            if rendersAhead(compiler.graph) { blockCount = RenderPlan.mostBlocks }
        }
    }

    /// Whether there are so many voices that one pushes the other's memory out of the near caches before the next
    /// block, and no code of the client's, which is called block by block.
    private func rendersAhead(_ graph: Graph) -> Bool {
        var voices = 0
        for node in order {
            let renderer = graph.nodes[node].renderer
            if renderer.runsClientCode { return false }
            if case .spatial = renderer { voices += 1 }
        }
        return voices >= Self.manyVoices
    }

    var isDivided: Bool { strands.count > 1 }

    /// Blocks in a row that each strand renders before the next begins.
    private(set) var blockCount = 1

    /// nil where it would not pay.
    private init?(dividing chains: PlanChains) {
        (order, strands, stages, stageOfStrand) = ([], [], [], [])
        order.reserveCapacity(chains.next.count)
        strandOfNode = Array(repeating: 0, count: chains.next.count)
        var gain: Float = 0
        let levels = Links(of: chains.levels, count: (chains.levels.max() ?? 0) + 1)
        for level in 0..<levels.count {
            let first = strands.count
            let own = levels[level].filter { chains.areOwn[$0] }
            let free = levels[level].filter { !chains.areOwn[$0] }
            if !own.isEmpty { append(own, of: chains) }
            var total = own.reduce(Float(0)) { $0 + chains.costs[$1] }
            let enough = Self.strandCost(free.reduce(total) { $0 + chains.costs[$1] })
            var largest = total
            var (members, cost): ([Int], Float) = ([], 0)
            for (index, chain) in free.enumerated() {
                members.append(chain)
                cost += chains.costs[chain]
                guard cost >= enough || index == free.count - 1 else { continue }
                append(members, of: chains)
                (largest, total) = (max(largest, cost), total + cost)
                (members, cost) = ([], 0)
            }
            gain += total - max(largest, total / 2)
            stages.append(Stage(strands: first..<strands.count, ownCount: own.isEmpty ? 0 : 1))
        }
        guard gain >= Self.leastGain, stages.allSatisfy({ $0.strands.count <= Int(UInt16.max) }) else { return nil }
    }

    private mutating func append(_ members: [Int], of chains: PlanChains) {
        let first = order.count
        for chain in members {
            var node = chains.first[chain]
            while node >= 0 {
                strandOfNode[node] = strands.count
                order.append(node)
                node = chains.next[node]
            }
        }
        strands.append(first..<order.count)
        stageOfStrand.append(stages.count)
    }

    /// Whether what adds to shared sums runs in an earlier stage than what plays them, or before it in the same strand.
    private func keepsSharedSums(_ graph: Graph) -> Bool {
        var players: [SharedSum: (strand: Int, place: Int)] = [:]
        for (place, node) in order.enumerated() {
            if let sum = graph.nodes[node].renderer.playedSum { players[sum] = (strandOfNode[node], place) }
        }
        var isKept = true
        for (place, node) in order.enumerated() {
            let strand = strandOfNode[node]
            graph.nodes[node].renderer.forEachSum { sum in
                guard let player = players[sum] else { return isKept = false }
                let isEarlier =
                    player.strand == strand
                    ? place < player.place : stageOfStrand[strand] < stageOfStrand[player.strand]
                isKept = isKept && isEarlier
            }
        }
        return isKept
    }
}

/// Nodes of a plan in chains, in each of which a node reads the one before and nothing else, and alone does.
struct PlanChains {
    /// First node, level and cost of each chain, in the order in which they begin; and whether it calls the client's
    /// code.
    private(set) var first: [Int] = []
    private(set) var levels: [Int] = []
    private(set) var costs: [Float] = []
    private(set) var areOwn: [Bool] = []
    /// The node behind each node in its chain, or −1.
    private(set) var next: [Int]

    init(_ compiler: GraphCompiler, _ order: [Int]) {
        let (graph, feeders) = (compiler.graph, compiler.feeders)
        next = Array(repeating: -1, count: graph.nodes.count)
        var chainOf = Array(repeating: -1, count: graph.nodes.count)
        var readerCounts = Array(repeating: 0, count: graph.nodes.count)
        for node in order {
            for place in feeders.places(of: graph.nodes[node].inputs) {
                readerCounts[graph.outputPorts[feeders.value(at: place)].node] += 1
            }
        }
        for node in order {
            let renderer = graph.nodes[node].renderer
            let places = feeders.places(of: graph.nodes[node].inputs)
            if places.count == 1 {
                let before = graph.outputPorts[feeders.value(at: places.lowerBound)].node
                if readerCounts[before] == 1 {
                    let chain = chainOf[before]
                    (next[before], chainOf[node]) = (node, chain)
                    costs[chain] += renderer.cost
                    areOwn[chain] = areOwn[chain] || renderer.runsClientCode
                    continue
                }
            }
            var level = 0
            for place in places {
                level = max(level, levels[chainOf[graph.outputPorts[feeders.value(at: place)].node]] + 1)
            }
            chainOf[node] = first.count
            first.append(node)
            levels.append(level)
            costs.append(renderer.cost)
            areOwn.append(renderer.runsClientCode)
        }
    }
}
