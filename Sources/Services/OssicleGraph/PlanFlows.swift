import OssicleRender

/// What strands of a plan add up for each other.
///
///     strand a   port ─┐
///                port ─┴─▶ partial ─┐ at the beginning of c
///     strand b   port ──────────────┴─▶ input of a node in strand c
///
/// At an input where several outputs meet, those of the same strand add up there as they are made. Several of another
/// strand add up to a partial sum of that strand's, and a single one stays where it is; the reader's strand begins by
/// adding them in the order of strands.
struct PlanFlows {
    /// Where an output goes that meets others.
    enum Destination {
        case input
        case partial(Int)
        case later
    }

    struct Partial {
        let strand, input: Int
        /// Outputs that meet in it.
        let count: Int
    }

    /// What the reader's strand adds up before its first step.
    struct Arrival {
        let from: PlanLayout.Place
        let input: Int
    }

    /// Of each connection to an input where several meet, in the order of steps, their outputs and the outputs'
    /// readers.
    private(set) var destinations: [Destination] = []
    private(set) var partials: [Partial] = []
    /// By strand of the reader.
    private(set) var arrivals: [[Arrival]]
    /// What meets at each input: arrivals, then outputs of the same strand.
    private(set) var counts: [Int]

    init(_ compiler: GraphCompiler, _ partition: PlanPartition) {
        arrivals = Array(repeating: [], count: partition.strands.count)
        counts = Array(repeating: 0, count: compiler.graph.inputPorts.count)
        destinations.reserveCapacity(compiler.graph.connections.count)
        // Of the strand at hand: outputs that go to each input of another strand, and the partial sum for them.
        var meeting = Array(repeating: 0, count: compiler.graph.inputPorts.count)
        var partialOf = Array(repeating: -1, count: compiler.graph.inputPorts.count)
        var meetings: [(output: Int, input: Int, reader: Int)] = []
        for (strand, places) in partition.strands.enumerated() {
            meetings.removeAll(keepingCapacity: true)
            for place in places {
                for output in compiler.graph.nodes[partition.order[place]].outputs {
                    for place in compiler.readers.places(of: output) {
                        let input = compiler.readers.value(at: place)
                        guard compiler.isMeeting[input] else { continue }
                        let reader = partition.strandOfNode[compiler.graph.inputPorts[input].node]
                        meetings.append((output, input, reader))
                    }
                }
            }
            for (_, input, reader) in meetings where reader != strand { meeting[input] += 1 }
            for (output, input, reader) in meetings {
                if reader == strand {
                    counts[input] += 1
                    destinations.append(.input)
                } else if meeting[input] == 1 {
                    counts[input] += 1
                    arrivals[reader].append(Arrival(from: .output(output), input: input))
                    destinations.append(.later)
                } else {
                    if partialOf[input] < 0 {
                        counts[input] += 1
                        partialOf[input] = partials.count
                        arrivals[reader].append(Arrival(from: .partial(partials.count), input: input))
                        partials.append(Partial(strand: strand, input: input, count: meeting[input]))
                    }
                    destinations.append(.partial(partialOf[input]))
                }
            }
            for (_, input, _) in meetings { (meeting[input], partialOf[input]) = (0, -1) }
        }
    }
}
