import OssicleRender

/// Fourth pass.
extension GraphCompiler {
    func emit(_ partition: PlanPartition, _ flows: PlanFlows, _ assignment: Assignment) -> RenderPlan {
        let arena = RenderArena()
        let (strandCount, stepCount) = (partition.strands.count, partition.order.count)
        let blockCount = partition.blockCount
        let strands = arena.room(for: RenderStrand.self, count: strandCount * blockCount)
        var outputs: [[UnsafeMutablePointer<Float>]] = []
        var first: UnsafePointer<RenderStep>?
        for block in 0..<blockCount {
            var emitter = StepEmitter(self, partition, flows, PlanLayout(self, assignment, in: arena))
            let steps = arena.room(for: RenderStep.self, count: stepCount)
            if first == nil { first = UnsafePointer(steps) }
            for strand in 0..<strandCount {
                (strands + strand * blockCount + block).initialize(to: emitter.emit(strand, steps))
            }
            outputs.append(emitter.buffers(of: self.outputs))
        }
        let stages = partition.stages.map {
            RenderStage(
                strands: UnsafePointer(strands + $0.strands.lowerBound * blockCount), count: $0.strands.count,
                blockCount: blockCount, ownCount: $0.ownCount)
        }
        return RenderPlan(
            steps: first ?? UnsafePointer(arena.room(for: RenderStep.self, count: 0)), count: stepCount,
            stages: stages, outputs: outputs, arena: arena, owner: PlanOwner(graph))
    }
}

/// Keeps the graph's renderers, those that the output does not hear as well: one reference instead of thousands.
private final class PlanOwner {
    private let keepers: [Graph.Keeper]
    private let companions: [AnyObject]
    init(_ graph: Graph) { (keepers, companions) = (graph.keepers, graph.companions) }
}

/// The steps of one block.
private struct StepEmitter {
    private let graph: Graph
    private let compiler: GraphCompiler
    private let partition: PlanPartition
    private let flows: PlanFlows
    private let layout: PlanLayout
    private var shared: StrandSums
    /// What has been added at each input and to each partial sum.
    private var atInputs: [Int]
    private var atPartials: [Int]
    private var nextDestination = 0
    private let sums: UnsafeMutablePointer<RenderStep.Sum>
    private var sumCount = 0

    init(_ compiler: GraphCompiler, _ partition: PlanPartition, _ flows: PlanFlows, _ layout: PlanLayout) {
        (graph, self.compiler, self.partition) = (compiler.graph, compiler, partition)
        (self.flows, self.layout) = (flows, layout)
        shared = StrandSums(compiler.graph, partition, layout.arena)
        atInputs = Array(repeating: 0, count: graph.inputPorts.count)
        atPartials = Array(repeating: 0, count: flows.partials.count)
        sums = layout.arena.room(for: RenderStep.Sum.self, count: graph.connections.count)
    }

    /// One strand, in order.
    /// - Parameter steps: room for those of all strands.
    mutating func emit(_ strand: Int, _ steps: UnsafeMutablePointer<RenderStep>) -> RenderStrand {
        let places = partition.strands[strand]
        let arriving = layout.arena.copy(arrivals(at: strand) + shared.arrivals(at: strand))
        for place in places { (steps + place).initialize(to: step(partition.order[place], in: strand)) }
        return RenderStrand(
            sums: UnsafePointer(layout.arena.base(of: arriving)), count: arriving.count,
            steps: UnsafePointer(steps + places.lowerBound), count: places.count)
    }

    func buffers(of outputs: [Int]) -> [UnsafeMutablePointer<Float>] { outputs.flatMap(layout.buffers) }

    private mutating func arrivals(at strand: Int) -> [PartialSum] {
        flows.arrivals[strand].filter { graph.inputPorts[$0.input].channelCount > 0 }
            .map { .port(sum(from: $0.from, at: $0.input)) }
    }

    private mutating func sum(from: PlanLayout.Place, at input: Int) -> RenderStep.Sum {
        atInputs[input] += 1
        return layout.sum(
            from: from, into: .input(input), channels: graph.inputPorts[input].channelCount, number: atInputs[input],
            of: flows.counts[input])
    }

    private mutating func step(_ node: Int, in strand: Int) -> RenderStep {
        let first = sumCount
        for output in graph.nodes[node].outputs {
            for place in compiler.readers.places(of: output) {
                let input = compiler.readers.value(at: place)
                if compiler.isMeeting[input] { add(output, input) }
            }
        }
        return RenderStep(
            renderer: shared.renderer(graph.nodes[node].renderer, in: strand), ports: layout.ports(of: node),
            sums: sums + first, sumCount: sumCount - first, meter: graph.nodes[node].meter)
    }

    private mutating func add(_ output: Int, _ input: Int) {
        defer { nextDestination += 1 }
        // A connection for the order alone.
        if graph.inputPorts[input].channelCount == 0 { return }
        switch flows.destinations[nextDestination] {
        case .later: return
        case .input: (sums + sumCount).initialize(to: sum(from: .output(output), at: input))
        case .partial(let number):
            atPartials[number] += 1
            (sums + sumCount).initialize(
                to: layout.sum(
                    from: .output(output), into: .partial(number), channels: graph.inputPorts[input].channelCount,
                    number: atPartials[number], of: flows.partials[number].count))
        }
        sumCount += 1
    }
}

/// The shared sums of a plan and their parts: the first strand that adds to one, and the one that plays it, use the sum
/// itself; every other has a partial sum, which the strand that plays adds in the order of strands. Of several blocks
/// in a row the first strand renders all before the first is played, so it has a partial sum as well: the bytes are
/// the same, as a sum begins at +0.
private struct StrandSums {
    private struct Entry {
        let player: Int
        var first = -1
        var partials: [(strand: Int, sum: SharedSum)] = []
    }

    private let arena: RenderArena
    private var entries: [SharedSum: Entry] = [:]
    /// By strand, the sums that it plays, in the order of steps.
    private var played: [[SharedSum]] = []
    private let isDivided: Bool
    /// Whether the plan renders block by block.
    private let isSingle: Bool

    init(_ graph: Graph, _ partition: PlanPartition, _ arena: RenderArena) {
        self.arena = arena
        (isDivided, isSingle) = (partition.isDivided, partition.blockCount == 1)
        guard isDivided else { return }
        played = Array(repeating: [], count: partition.strands.count)
        for node in partition.order {
            guard let sum = graph.nodes[node].renderer.playedSum else { continue }
            let strand = partition.strandOfNode[node]
            played[strand].append(sum)
            entries[sum] = Entry(player: strand)
        }
    }

    /// What the renderer adds to when it runs in a strand.
    mutating func renderer(_ renderer: RendererReference, in strand: Int) -> RendererReference {
        guard isDivided else { return renderer }
        return renderer.adding { sum in
            guard var entry = entries[sum], entry.player != strand else { return sum }
            if entry.first < 0 {
                entry.first = strand
                entries[sum] = entry
            }
            if isSingle, entry.first == strand { return sum }
            if let last = entry.partials.last, last.strand == strand { return last.sum }
            let partial = sum.partial(in: arena)
            entries[sum]?.partials.append((strand, partial))
            return partial
        }
    }

    func arrivals(at strand: Int) -> [PartialSum] {
        guard isDivided else { return [] }
        return played[strand].flatMap { sum in
            (entries[sum]?.partials ?? []).map { PartialSum.shared(sum, from: $0.sum) }
        }
    }
}
