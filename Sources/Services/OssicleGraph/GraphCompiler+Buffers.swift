/// Third pass.
extension GraphCompiler {
    /// Number of the buffer of each channel of all output ports, and of the sums at all input ports, and of each
    /// partial sum. Buffer 0 stays silent.
    struct Assignment {
        fileprivate(set) var outputs: [Int]
        fileprivate(set) var sums: [Int]
        fileprivate(set) var partials: [[Int]]
        fileprivate(set) var bufferCount = 0
    }

    func assign(_ partition: PlanPartition, _ flows: PlanFlows) -> Assignment {
        var assigner = BufferAssigner(self, partition, flows)
        for (stage, strands) in partition.stages.enumerated() {
            for strand in strands.strands { assigner.assign(strand, in: stage) }
            assigner.endStage(stage)
        }
        return assigner.finished()
    }
}

/// Gives out buffers strand by strand. What one strand uses no strand of the same stage does, so that each works in
/// memory of its own; what is read in a later stage is free again behind that one.
private struct BufferAssigner {
    private let compiler: GraphCompiler
    private let partition: PlanPartition
    private let flows: PlanFlows
    private var assignment: GraphCompiler.Assignment
    private var pool = BufferPool()
    /// Buffers that are free again behind a stage.
    private var released: [[Int]]
    private var hasSum: [Bool]
    /// Readers in the port's own strand that read its own buffers: a sum has its samples as soon as the step is over.
    private var openReaders: [Int]
    /// The last stage in which another strand reads the port's own buffers, or −1.
    private var lastStage: [Int]
    private var nextDestination = 0

    init(_ compiler: GraphCompiler, _ partition: PlanPartition, _ flows: PlanFlows) {
        (self.compiler, self.partition, self.flows) = (compiler, partition, flows)
        let graph = compiler.graph
        assignment = GraphCompiler.Assignment(
            outputs: Array(repeating: 0, count: graph.outputPorts.channelCount),
            sums: Array(repeating: 0, count: graph.inputPorts.channelCount),
            partials: Array(repeating: [], count: flows.partials.count))
        released = Array(repeating: [], count: partition.stages.count)
        hasSum = Array(repeating: false, count: graph.inputPorts.count)
        openReaders = Array(repeating: 0, count: graph.outputPorts.count)
        lastStage = Array(repeating: -1, count: graph.outputPorts.count)
        for output in Set(compiler.outputs) { openReaders[output] = 1 }
    }

    mutating func finished() -> GraphCompiler.Assignment {
        assignment.bufferCount = pool.count
        return assignment
    }

    mutating func assign(_ strand: Int, in stage: Int) {
        let graph = compiler.graph
        for arrival in flows.arrivals[strand] { takeSum(arrival.input) }
        for place in partition.strands[strand] {
            let node = partition.order[place]
            let outputs = graph.nodes[node].outputs
            for output in outputs {
                pool.take(graph.outputPorts[output].channels, of: &assignment.outputs)
                for place in compiler.readers.places(of: output) {
                    let input = compiler.readers.value(at: place)
                    if compiler.isRun[graph.inputPorts[input].node] { note(input, reads: output, in: strand) }
                }
            }
            for output in outputs where openReaders[output] == 0 { giveBack(output) }
            for input in graph.nodes[node].inputs {
                if compiler.isSum(input) {
                    pool.giveBack(graph.inputPorts[input].channels, of: assignment.sums)
                } else if let place = compiler.feeders.places(of: input).first {
                    let feeder = compiler.feeders.value(at: place)
                    guard partition.strandOfNode[graph.outputPorts[feeder].node] == strand else { continue }
                    openReaders[feeder] -= 1
                    if openReaders[feeder] == 0 { giveBack(feeder) }
                }
            }
        }
        pool.endStrand()
    }

    private mutating func note(_ input: Int, reads output: Int, in strand: Int) {
        let reader = partition.strandOfNode[compiler.graph.inputPorts[input].node]
        let stage = partition.stageOfStrand[reader]
        if !compiler.isSum(input) {
            if reader == strand { openReaders[output] += 1 } else { lastStage[output] = max(lastStage[output], stage) }
            return
        }
        defer { nextDestination += 1 }
        switch flows.destinations[nextDestination] {
        case .input: takeSum(input)
        case .later: lastStage[output] = max(lastStage[output], stage)
        case .partial(let number):
            guard assignment.partials[number].isEmpty else { return }
            assignment.partials[number] = pool.take(compiler.graph.inputPorts[input].channelCount)
            released[stage] += assignment.partials[number]
        }
    }

    private mutating func takeSum(_ input: Int) {
        guard !hasSum[input] else { return }
        hasSum[input] = true
        pool.take(compiler.graph.inputPorts[input].channels, of: &assignment.sums)
    }

    private mutating func giveBack(_ output: Int) {
        let channels = compiler.graph.outputPorts[output].channels
        if lastStage[output] >= 0 {
            released[lastStage[output]] += assignment.outputs[channels]
        } else {
            pool.giveBack(channels, of: assignment.outputs)
        }
    }

    mutating func endStage(_ stage: Int) { pool.endStage(released[stage]) }
}

private struct BufferPool {
    private(set) var count = 1
    /// Those of the strand at hand; those of no strand of this stage; those of strands of this stage that are done.
    private var free: [Int] = []
    private var common: [Int] = []
    private var done: [Int] = []

    mutating func take(_ channels: Range<Int>, of buffers: inout [Int]) {
        for channel in channels { buffers[channel] = take() }
    }

    mutating func take(_ channels: Int) -> [Int] { (0..<channels).map { _ in take() } }

    private mutating func take() -> Int {
        if let buffer = free.popLast() ?? common.popLast() { return buffer }
        defer { count += 1 }
        return count
    }

    mutating func giveBack(_ channels: Range<Int>, of buffers: [Int]) {
        for channel in channels.reversed() { free.append(buffers[channel]) }
    }

    mutating func endStrand() {
        done += free
        free = []
    }

    mutating func endStage(_ released: [Int]) {
        common += done + released
        done = []
    }
}
