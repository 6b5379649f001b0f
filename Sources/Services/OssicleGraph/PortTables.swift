import OssicleRender

/// Where every port of a plan has its samples and its flag, in memory of the plan's arena.
struct PortTables {
    /// One port's buffers, a table of them for the render side, and the flag that says they are silent.
    struct Place {
        let buffers: [UnsafeMutablePointer<Float>]
        let table: UnsafePointer<UnsafeMutablePointer<Float>>
        let flag: UnsafeMutablePointer<Bool>
    }

    let arena = RenderArena()
    private(set) var outputs: [Graph.Port: Place] = [:]
    private(set) var sums: [Graph.Port: Place] = [:]
    private let silent: UnsafeMutablePointer<Float>
    private let always: UnsafeMutablePointer<Bool>

    /// - Parameters:
    ///   - outputs, sums: buffer numbers; buffer 0 stays silent.
    init(_ graph: Graph, order: [Int], _ outputs: [Graph.Port: [Int]], _ sums: [Graph.Port: [Int]], bufferCount: Int) {
        let buffers = arena.buffers(bufferCount)
        let flags = arena.base(of: arena.copy([Bool](repeating: true, count: outputs.count + sums.count + 1)))
        silent = buffers[0]
        always = flags
        var next = 1
        // In the order of the steps, so that two compilations of a graph lay out the same memory.
        for index in order {
            let node = graph.nodes[index]
            for port in node.outputs.indices.map({ Graph.Port(Graph.NodeID(index: index), $0) }) {
                guard let numbers = outputs[port] else { continue }
                self.outputs[port] = Self.place(numbers.map { buffers[$0] }, flags + next, arena)
                next += 1
            }
            for port in node.inputs.indices.map({ Graph.Port(Graph.NodeID(index: index), $0) }) {
                guard let numbers = sums[port] else { continue }
                self.sums[port] = Self.place(numbers.map { buffers[$0] }, flags + next, arena)
                next += 1
            }
        }
    }

    private static func place(
        _ buffers: [UnsafeMutablePointer<Float>], _ flag: UnsafeMutablePointer<Bool>, _ arena: RenderArena
    ) -> Place {
        Place(buffers: buffers, table: UnsafePointer(arena.base(of: arena.copy(buffers))), flag: flag)
    }

    /// What a port reads that nothing is connected to.
    func silence(_ channels: Int) -> Place {
        Self.place(Array(repeating: silent, count: channels), always, arena)
    }

    func ports(_ inputs: [Place], _ outputs: [Place]) -> Ports {
        let (from, into) = (inputs.flatMap(\.buffers), outputs.flatMap(\.buffers))
        return Ports(
            inputs: arena.base(of: arena.copy(from)), inputCount: from.count,
            outputs: arena.base(of: arena.copy(into)), outputCount: into.count,
            inputFlags: arena.base(of: arena.copy(inputs.map(\.flag))),
            outputFlags: arena.base(of: arena.copy(outputs.map(\.flag))), outputPortCount: outputs.count)
    }

    func sum(_ from: Place, _ into: Place, number: Int, of count: Int) -> RenderStep.Sum {
        RenderStep.Sum(
            from: from.table, into: into.table, channelCount: min(from.buffers.count, into.buffers.count),
            isFromSilent: from.flag, isIntoSilent: into.flag, isFirst: number == 1, isLast: number == count)
    }
}
