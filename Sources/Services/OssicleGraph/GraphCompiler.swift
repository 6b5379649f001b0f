import OssicleRender

/// Turns a graph into a plan, in three passes with a name each.
///
/// 1. `order`: who must run before whom, from the output backwards; what the output does not hear is left out.
/// 2. `assign`: a buffer for every output channel; one is free again after its last reader.
/// 3. `emit`: steps with bare pointers.
package struct GraphCompiler {
    private let graph: Graph
    /// Connections into each port, in the order they were made.
    private let feeders: [Graph.Port: [Graph.Port]]
    private let readers: [Graph.Port: [Graph.Port]]

    package static func compile(_ graph: Graph) throws(GraphError) -> RenderPlan {
        let compiler = GraphCompiler(graph)
        try compiler.check()
        let order = try compiler.order()
        return compiler.emit(order, compiler.assign(order))
    }

    private init(_ graph: Graph) {
        self.graph = graph
        var feeders: [Graph.Port: [Graph.Port]] = [:]
        var readers: [Graph.Port: [Graph.Port]] = [:]
        for connection in graph.connections {
            feeders[connection.to, default: []].append(connection.from)
            readers[connection.from, default: []].append(connection.to)
        }
        self.feeders = feeders
        self.readers = readers
    }

    private func node(_ port: Graph.Port) -> Graph.Node { graph.nodes[port.node.index] }

    // MARK: Check

    private func check() throws(GraphError) {
        for connection in graph.connections {
            let (from, to) = (node(connection.from), node(connection.to))
            guard from.outputs.indices.contains(connection.from.index) else {
                throw .unknownPort(node: from.name, port: connection.from.index)
            }
            guard to.inputs.indices.contains(connection.to.index) else {
                throw .unknownPort(node: to.name, port: connection.to.index)
            }
            let (channels, expects) = (from.outputs[connection.from.index], to.inputs[connection.to.index])
            guard channels == expects else {
                throw .channelMismatch(from: from.name, channels: channels, to: to.name, expects: expects)
            }
        }
    }

    // MARK: Order

    private enum Mark { case open, done }

    /// Depth first without recursion: a chain of ten thousand nodes must not overflow the stack.
    private func order() throws(GraphError) -> [Int] {
        guard let output = graph.output, node(output).outputs.indices.contains(output.index) else { throw .noOutput }
        var marks: [Int: Mark] = [:]
        var order: [Int] = []
        var stack: [(node: Int, pending: [Int])] = [(output.node.index, upstream(of: output.node.index))]
        marks[output.node.index] = .open
        while let top = stack.last {
            guard let next = top.pending.first else {
                marks[top.node] = .done
                order.append(top.node)
                stack.removeLast()
                continue
            }
            stack[stack.count - 1].pending.removeFirst()
            switch marks[next] {
            case .done: continue
            case .open: throw .cycle(through: graph.nodes[next].name)
            case nil:
                marks[next] = .open
                stack.append((next, upstream(of: next)))
            }
        }
        return order
    }

    private func upstream(of index: Int) -> [Int] {
        graph.nodes[index].inputs.indices.flatMap { port in
            (feeders[Graph.Port(Graph.NodeID(index: index), port)] ?? []).map(\.node.index)
        }
    }

    // MARK: Assign

    /// Buffer numbers of every port's channels, and how many buffers that takes. Buffer 0 stays silent.
    private struct Assignment {
        var outputs: [Graph.Port: [Int]] = [:]
        var sums: [Graph.Port: [Int]] = [:]
        var bufferCount = 1
        private var free: [Int] = []

        mutating func take(_ channels: Int) -> [Int] {
            (0..<channels).map { _ in
                if let buffer = free.popLast() { return buffer }
                defer { bufferCount += 1 }
                return bufferCount
            }
        }

        mutating func giveBack(_ buffers: [Int]) { free.append(contentsOf: buffers.reversed()) }
    }

    private func isSum(_ port: Graph.Port) -> Bool { (feeders[port]?.count ?? 0) > 1 }

    private func assign(_ order: [Int]) -> Assignment {
        var assignment = Assignment()
        let heard = Set(order)
        var openReaders: [Graph.Port: Int] = [:]
        for index in order {
            let node = graph.nodes[index]
            let id = Graph.NodeID(index: index)
            for port in node.outputs.indices.map({ Graph.Port(id, $0) }) {
                assignment.outputs[port] = assignment.take(node.outputs[port.index])
                let targets = (readers[port] ?? []).filter { heard.contains($0.node.index) }
                for target in targets where isSum(target) && assignment.sums[target] == nil {
                    assignment.sums[target] = assignment.take(self.node(target).inputs[target.index])
                }
                // A sum has swallowed the output as soon as the step is over; only direct readers keep it.
                openReaders[port] = targets.filter { !isSum($0) }.count + (port == graph.output ? 1 : 0)
            }
            for port in node.outputs.indices.map({ Graph.Port(id, $0) }) where openReaders[port] == 0 {
                assignment.giveBack(assignment.outputs[port] ?? [])
            }
            for port in node.inputs.indices.map({ Graph.Port(id, $0) }) {
                if isSum(port) {
                    assignment.giveBack(assignment.sums[port] ?? [])
                } else if let feeder = feeders[port]?.first {
                    openReaders[feeder, default: 0] -= 1
                    if openReaders[feeder] == 0 { assignment.giveBack(assignment.outputs[feeder] ?? []) }
                }
            }
        }
        return assignment
    }

    // MARK: Emit

    private func emit(_ order: [Int], _ assignment: Assignment) -> RenderPlan {
        let arena = RenderArena()
        let buffers = arena.buffers(assignment.bufferCount)
        var begunSums: Set<Graph.Port> = []
        let heard = Set(order)
        let steps = order.map { index in
            let node = graph.nodes[index]
            let id = Graph.NodeID(index: index)
            let inputs = node.inputs.indices.flatMap { inputBuffers(Graph.Port(id, $0), node.inputs[$0], assignment) }
            let outputs = node.outputs.indices.flatMap { assignment.outputs[Graph.Port(id, $0)] ?? [] }
            var sums: [RenderStep.Sum] = []
            for port in node.outputs.indices.map({ Graph.Port(id, $0) }) {
                for target in readers[port] ?? [] where isSum(target) && heard.contains(target.node.index) {
                    let isFirst = begunSums.insert(target).inserted
                    for (from, into) in zip(assignment.outputs[port] ?? [], assignment.sums[target] ?? []) {
                        sums.append(RenderStep.Sum(from: UnsafePointer(buffers[from]), into: buffers[into], isFirst: isFirst))
                    }
                }
            }
            let inputTable = arena.copy(inputs.map { buffers[$0] })
            let outputTable = arena.copy(outputs.map { buffers[$0] })
            let ports = Ports(inputs: arena.base(of: inputTable), inputCount: inputs.count,
                              outputs: arena.base(of: outputTable), outputCount: outputs.count)
            return RenderStep(renderer: node.renderer, ports: ports, sums: arena.base(of: arena.copy(sums)), sumCount: sums.count)
        }
        let outputs = graph.output.flatMap { assignment.outputs[$0] } ?? []
        return RenderPlan(steps: steps, outputs: outputs.map { buffers[$0] }, arena: arena, owners: order.map { graph.nodes[$0].owner } + graph.companions)
    }

    private func inputBuffers(_ port: Graph.Port, _ channels: Int, _ assignment: Assignment) -> [Int] {
        if isSum(port) { return assignment.sums[port] ?? [] }
        if let feeder = feeders[port]?.first, let buffers = assignment.outputs[feeder] { return buffers }
        return Array(repeating: 0, count: channels)
    }
}
