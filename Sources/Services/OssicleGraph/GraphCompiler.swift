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

    /// Everything that leaves the plan, in order.
    private var outputs: [Graph.Port] { (graph.output.map { [$0] } ?? []) + graph.sideOutputs }

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
        var marks: [Int: Mark] = [:]
        var order: [Int] = []
        if graph.output == nil, graph.roots.isEmpty { throw .noOutput }
        for output in outputs {
            guard node(output).outputs.indices.contains(output.index) else { throw .noOutput }
            try visit(output.node.index, &marks, &order)
        }
        for root in graph.roots { try visit(root.index, &marks, &order) }
        for observer in graph.observers where upstream(of: observer.index).allSatisfy({ marks[$0] == .done }) {
            try visit(observer.index, &marks, &order)
        }
        return order
    }

    /// Appends a node behind all that must run before it.
    private func visit(_ start: Int, _ marks: inout [Int: Mark], _ order: inout [Int]) throws(GraphError) {
        if marks[start] == .done { return }
        // Backwards, so that the next is at the end: a sum of thousands is popped one by one.
        var stack: [(node: Int, pending: [Int])] = [(start, upstream(of: start).reversed())]
        marks[start] = .open
        while !stack.isEmpty {
            guard let next = stack[stack.count - 1].pending.popLast() else {
                let node = stack.removeLast().node
                marks[node] = .done
                order.append(node)
                continue
            }
            switch marks[next] {
            case .done: continue
            case .open: throw .cycle(through: graph.nodes[next].name)
            case nil:
                marks[next] = .open
                stack.append((next, upstream(of: next).reversed()))
            }
        }
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
        let leaving = Set(outputs)
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
                openReaders[port] = targets.filter { !isSum($0) }.count + (leaving.contains(port) ? 1 : 0)
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
        let tables = PortTables(
            graph, order: order, assignment.outputs, assignment.sums, bufferCount: assignment.bufferCount)
        var sumsMade: [Graph.Port: Int] = [:]
        let heard = Set(order)
        let steps = order.map { index in
            let node = graph.nodes[index]
            let ids = { (port: Int) in Graph.Port(Graph.NodeID(index: index), port) }
            let inputs = node.inputs.indices.map { source(of: ids($0), channels: node.inputs[$0], tables) }
            let outputs = node.outputs.indices.map { tables.outputs[ids($0)] ?? tables.silence(node.outputs[$0]) }
            var sums: [RenderStep.Sum] = []
            for port in node.outputs.indices.map(ids) {
                for target in readers[port] ?? [] where isSum(target) && heard.contains(target.node.index) {
                    guard let from = tables.outputs[port], let into = tables.sums[target] else { continue }
                    sumsMade[target, default: 0] += 1
                    sums.append(tables.sum(from, into, number: sumsMade[target] ?? 1, of: feeders[target]?.count ?? 1))
                }
            }
            return RenderStep(
                renderer: node.renderer, ports: tables.ports(inputs, outputs),
                sums: tables.arena.base(of: tables.arena.copy(sums)),
                sumCount: sums.count, meter: node.meter?.pointer)
        }
        let outputs = outputs.flatMap { tables.outputs[$0]?.buffers ?? [] }
        let owners = order.flatMap { [graph.nodes[$0].owner] + (graph.nodes[$0].meter.map { [$0] } ?? []) }
        return RenderPlan(steps: steps, outputs: outputs, arena: tables.arena, owners: owners + graph.companions)
    }

    private func source(of port: Graph.Port, channels: Int, _ tables: PortTables) -> PortTables.Place {
        if isSum(port) { return tables.sums[port] ?? tables.silence(channels) }
        return feeders[port]?.first.flatMap { tables.outputs[$0] } ?? tables.silence(channels)
    }
}
