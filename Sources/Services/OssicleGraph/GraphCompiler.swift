import OssicleRender

/// Turns a graph into a plan, in four passes with a name each.
///
/// 1. `order`: who must run before whom, from the output backwards; what the output does not hear is left out.
/// 2. `PlanPartition`: which steps may run at the same time, and `PlanFlows`: what they add up for each other.
/// 3. `assign`: a buffer for every output channel; one is free again after its last reader.
/// 4. `emit`: steps with bare pointers into one `PlanLayout`.
///
/// Nodes, ports and channels are numbers, and what is known of them stands in arrays: a graph of 600 nodes is compiled
/// in the time that one node takes to be attached.
package struct GraphCompiler {
    let graph: Graph
    /// Output ports that feed each input port, and input ports that read each output port.
    let feeders: Links
    let readers: Links
    /// Output ports that leave the plan, in order.
    let outputs: [Int]
    /// By node, whether it is in the plan; known after the first pass.
    private(set) var isRun: [Bool]
    /// By input port, whether several outputs meet there in the plan; known after the first pass.
    private(set) var isMeeting: [Bool]

    package static func compile(_ graph: Graph) throws(GraphError) -> RenderPlan {
        var compiler = try GraphCompiler(graph)
        let order = try compiler.order()
        compiler.note(order)
        let partition = PlanPartition(compiler, order)
        let flows = PlanFlows(compiler, partition)
        return compiler.emit(partition, flows, compiler.assign(partition, flows))
    }

    private init(_ graph: Graph) throws(GraphError) {
        self.graph = graph
        isRun = Array(repeating: false, count: graph.nodes.count)
        isMeeting = Array(repeating: false, count: graph.inputPorts.count)
        var (from, to): ([Int], [Int]) = ([], [])
        from.reserveCapacity(graph.connections.count)
        to.reserveCapacity(graph.connections.count)
        for connection in graph.connections {
            let (output, input) = try Self.ports(of: connection, in: graph)
            from.append(output)
            to.append(input)
        }
        feeders = Links(of: to, values: from, count: graph.inputPorts.count)
        readers = Links(of: from, values: to, count: graph.outputPorts.count)
        var outputs: [Int] = []
        for port in (graph.output.map { [$0] } ?? []) + graph.sideOutputs {
            guard let number = graph.output(port) else { throw .noOutput }
            outputs.append(number)
        }
        self.outputs = outputs
    }

    private static func ports(
        of connection: Graph.Connection, in graph: Graph
    ) throws(GraphError) -> (output: Int, input: Int) {
        let (from, to) = (connection.from, connection.to)
        let name = { (port: Graph.Port) in graph.keepers[port.node.index].name }
        guard let output = graph.output(from) else { throw .unknownPort(node: name(from), port: from.index) }
        guard let input = graph.input(to) else { throw .unknownPort(node: name(to), port: to.index) }
        let (channels, expects) = (graph.outputPorts[output].channelCount, graph.inputPorts[input].channelCount)
        guard channels == expects else {
            throw .channelMismatch(from: name(from), channels: channels, to: name(to), expects: expects)
        }
        return (output, input)
    }

    /// Whether several outputs meet at an input port.
    func isSum(_ input: Int) -> Bool { feeders.count(of: input) > 1 }

    private mutating func note(_ order: [Int]) {
        for node in order {
            isRun[node] = true
            for input in graph.nodes[node].inputs { isMeeting[input] = isSum(input) }
        }
    }
}

/// First pass.
extension GraphCompiler {
    private enum Mark { case new, open, done }

    private func order() throws(GraphError) -> [Int] {
        if graph.output == nil, graph.roots.isEmpty { throw .noOutput }
        var marks = [Mark](repeating: .new, count: graph.nodes.count)
        var order: [Int] = []
        order.reserveCapacity(graph.nodes.count)
        for output in outputs { try visit(graph.outputPorts[output].node, &marks, &order) }
        for root in graph.roots { try visit(root.index, &marks, &order) }
        for observer in graph.observers {
            let isFed = feeders[graph.nodes[observer.index].inputs].allSatisfy {
                marks[graph.outputPorts[$0].node] == .done
            }
            if isFed { try visit(observer.index, &marks, &order) }
        }
        return order
    }

    /// Appends a node behind all that must run before it. Depth first without recursion: a chain of ten thousand nodes
    /// must not overflow the stack.
    private func visit(_ start: Int, _ marks: inout [Mark], _ order: inout [Int]) throws(GraphError) {
        guard marks[start] == .new else { return }
        var stack = [(node: start, pending: feeders.places(of: graph.nodes[start].inputs))]
        marks[start] = .open
        while !stack.isEmpty {
            let (node, pending) = stack[stack.count - 1]
            guard let place = pending.first else {
                stack.removeLast()
                marks[node] = .done
                order.append(node)
                continue
            }
            stack[stack.count - 1].pending = place + 1..<pending.upperBound
            let next = graph.outputPorts[feeders.value(at: place)].node
            switch marks[next] {
            case .done: continue
            case .open: throw .cycle(through: graph.keepers[next].name)
            case .new:
                marks[next] = .open
                stack.append((next, feeders.places(of: graph.nodes[next].inputs)))
            }
        }
    }
}

extension Graph.PortInfo {
    /// Its channels among those of all ports of that direction.
    var channels: Range<Int> { firstChannel..<firstChannel + channelCount }
}

extension [Graph.PortInfo] {
    /// Of all ports.
    var channelCount: Int { last?.channels.upperBound ?? 0 }
    /// Of neighbouring ports.
    func channels(of ports: Range<Int>) -> Range<Int> {
        ports.isEmpty ? 0..<0 : self[ports.lowerBound].firstChannel..<self[ports.upperBound - 1].channels.upperBound
    }
}
