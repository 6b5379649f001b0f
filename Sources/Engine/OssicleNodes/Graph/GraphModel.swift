/// One connection, from an output bus to an input bus. Immutable.
package final class Wire<Node: GraphNode> {
    package let source: Node
    package let sourceBus: Int
    package let target: Node
    package let targetBus: Int
    /// Both busses'.
    package let format: Node.Format
    /// The crossing between two clocks; lives on from plan to plan.
    package let passage = Passage()

    package init(_ source: Node, _ sourceBus: Int, to target: Node, targetBus: Int, format: Node.Format) {
        self.source = source
        self.sourceBus = sourceBus
        self.target = target
        self.targetBus = targetBus
        self.format = format
    }

    /// The same connection with another format and a new passage.
    func with(_ format: Node.Format) -> Wire {
        Wire(source, sourceBus, to: target, targetBus: targetBus, format: format)
    }

    package var from: BusKey { BusKey(source, .output, bus: sourceBus) }
    package var to: BusKey { BusKey(target, .input, bus: targetBus) }
    package var channels: Int { format.channels }
}

/// Which nodes are attached and how they are connected. A value: change a copy, check it, keep it or drop it.
///
/// A change costs a copy and no more: graphs of thousands of nodes are built one connection at a time.
package struct GraphModel<Node: GraphNode> {
    /// In the order in which they were attached.
    package private(set) var nodes: [Node] = []
    /// In the order in which they were made.
    package private(set) var wires: [Wire<Node>] = []
    private var attached: Set<ObjectIdentifier> = []
    /// Of each node, in the order of the busses.
    private var incoming: [ObjectIdentifier: [Wire<Node>]] = [:]
    /// Of each node, in the order in which they were made.
    private var outgoing: [ObjectIdentifier: [Wire<Node>]] = [:]
    /// Formats that were set, of each node; a connection's has precedence.
    private var formats: [ObjectIdentifier: [BusKey: Node.Format]] = [:]

    package init() {}

    package func contains(_ node: Node) -> Bool { attached.contains(ObjectIdentifier(node)) }

    package mutating func attach(_ node: Node) {
        if attached.insert(ObjectIdentifier(node)).inserted { nodes.append(node) }
    }

    package mutating func detach(_ node: Node) {
        guard attached.remove(ObjectIdentifier(node)) != nil else { return }
        remove(wires(into: node) + wires(from: node))
        nodes.removeAll { $0 === node }
        formats[ObjectIdentifier(node)] = nil
    }

    // MARK: Connections

    /// In the order of the busses.
    package func wires(into node: Node) -> [Wire<Node>] { incoming[ObjectIdentifier(node)] ?? [] }
    package func wires(from node: Node) -> [Wire<Node>] { outgoing[ObjectIdentifier(node)] ?? [] }
    package func wires(from node: Node, _ bus: Int) -> [Wire<Node>] {
        wires(from: node).filter { $0.sourceBus == bus }
    }

    package func wire(into node: Node, _ bus: Int) -> Wire<Node>? {
        let all = wires(into: node)
        let index = Self.index(of: bus, in: all)
        return index < all.count && all[index].targetBus == bus ? all[index] : nil
    }

    /// Index of the first connection whose target bus is not below `bus`.
    private static func index(of bus: Int, in wires: [Wire<Node>]) -> Int {
        var (low, high) = (0, wires.count)
        while low < high {
            let middle = (low + high) / 2
            if wires[middle].targetBus < bus { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func add(_ wire: Wire<Node>) {
        wires.append(wire)
        outgoing[wire.from.node, default: []].append(wire)
        let index = Self.index(of: wire.targetBus, in: incoming[wire.to.node] ?? [])
        incoming[wire.to.node, default: []].insert(wire, at: index)
    }

    private mutating func remove(_ gone: [Wire<Node>]) {
        guard !gone.isEmpty else { return }
        let lost = Set(gone.map(ObjectIdentifier.init))
        let isLost = { (wire: Wire<Node>) in lost.contains(ObjectIdentifier(wire)) }
        wires.removeAll(where: isLost)
        for wire in gone {
            outgoing[wire.from.node]?.removeAll(where: isLost)
            incoming[wire.to.node]?.removeAll(where: isLost)
        }
    }

    /// Replaces the connections of an output bus, and those of the input busses.
    package mutating func connect(
        _ source: Node, _ bus: Int, to targets: [(node: Node, bus: Int)], format: Node.Format
    ) {
        remove(wires(from: source, bus) + targets.compactMap { wire(into: $0.node, $0.bus) })
        formats[ObjectIdentifier(source), default: [:]][BusKey(source, .output, bus: bus)] = format
        for target in targets {
            let made = Wire(source, bus, to: target.node, targetBus: target.bus, format: format)
            add(made)
            formats[made.to.node, default: [:]][made.to] = format
        }
    }

    package mutating func disconnect(where isGone: (Wire<Node>) -> Bool) { remove(wires.filter(isGone)) }

    // MARK: Formats

    /// A connection's format; else the one that was set; else, for the output of a node that keeps its format, the
    /// input's; else the node's initial one.
    package func format(of key: BusKey, node: Node) -> Node.Format {
        if let format = chosenFormat(of: key, node) { return format }
        if node.keepsFormat, key.direction == .output,
            let input = chosenFormat(of: BusKey(node, .input, bus: 0), node)
        {
            return input
        }
        return node.initialFormat(of: key)
    }

    private func chosenFormat(of key: BusKey, _ node: Node) -> Node.Format? {
        let wire =
            key.direction == .input
            ? wire(into: node, key.bus) : outgoing[key.node]?.first { $0.sourceBus == key.bus }
        return wire?.format ?? formats[key.node]?[key]
    }

    /// Sets a bus's format, and that of the connections it has.
    package mutating func setFormat(_ format: Node.Format, of key: BusKey) {
        formats[key.node, default: [:]][key] = format
        let old = wires
        (wires, incoming, outgoing) = ([], [:], [:])
        for wire in old { add(wire.from == key || wire.to == key ? wire.with(format) : wire) }
    }

    // MARK: Paths

    /// The node, if it feeds itself. A cycle that a connection closes passes through the connection's source.
    package func cycle(through node: Node) -> Node? {
        var seen: Set<ObjectIdentifier> = []
        var open = [node]
        while let next = open.popLast() {
            for wire in wires(from: next) {
                if wire.target === node { return node }
                if seen.insert(ObjectIdentifier(wire.target)).inserted { open.append(wire.target) }
            }
        }
        return nil
    }

    /// The source whose mixing properties govern a connection: its node, or the first source up a chain of effects.
    package func mixingSource(of wire: Wire<Node>) -> Node? {
        var wire = wire
        var steps = 0
        while !wire.source.isMixingSource, steps < nodes.count, let next = self.wire(into: wire.source, 0) {
            wire = next
            steps += 1
        }
        return wire.source.isMixingSource ? wire.source : nil
    }

    /// The connections into mixers at which a source's mixing properties act.
    package func mixerWires(from source: Node) -> [Wire<Node>] {
        var found: [Wire<Node>] = []
        var open = wires(from: source)
        var steps = 0
        while let wire = open.popLast(), steps <= wires.count {
            steps += 1
            if wire.target.appliesMixing {
                found.append(wire)
            } else {
                open += wires(from: wire.target)
            }
        }
        return found
    }

    /// Seconds from a node's output to `end`'s output over the longest path; `end` itself lags by `final`.
    package func longestLatency(from node: Node, to end: Node?, final: Double) -> Double {
        var longest: [ObjectIdentifier: Double] = [:]
        func latency(_ node: Node) -> Double {
            if let known = longest[ObjectIdentifier(node)] { return known }
            let own =
                node === end ? final : wires(from: node).map { $0.target.latency + latency($0.target) }.max() ?? 0
            longest[ObjectIdentifier(node)] = own
            return own
        }
        return latency(node)
    }
}
