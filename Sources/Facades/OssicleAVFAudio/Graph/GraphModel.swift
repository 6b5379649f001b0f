/// Who is attached and who feeds whom. A value: change a copy, try it, keep it or throw it away.
struct GraphModel {
    /// In the order in which they were attached.
    private(set) var nodes: [AVAudioNode] = []
    /// In the order in which they were made.
    private(set) var wires: [Wire] = [] { didSet { sortWires() } }
    private var incoming: [ObjectIdentifier: [Wire]] = [:]
    private var outgoing: [ObjectIdentifier: [Wire]] = [:]
    /// Formats that were set and are not a connection's.
    private var formats: [BusKey: AVAudioFormat] = [:]

    func contains(_ node: AVAudioNode) -> Bool { nodes.contains { $0 === node } }

    mutating func attach(_ node: AVAudioNode) {
        if !contains(node) { nodes.append(node) }
    }

    mutating func detach(_ node: AVAudioNode) {
        wires.removeAll { $0.source === node || $0.target === node }
        nodes.removeAll { $0 === node }
        formats = formats.filter { $0.key.node != ObjectIdentifier(node) }
    }

    // MARK: Connections

    /// In the order of the busses.
    func wires(into node: AVAudioNode) -> [Wire] { incoming[ObjectIdentifier(node)] ?? [] }
    func wires(from node: AVAudioNode) -> [Wire] { outgoing[ObjectIdentifier(node)] ?? [] }
    func wire(into node: AVAudioNode, _ bus: AVAudioNodeBus) -> Wire? { wires(into: node).first { $0.targetBus == bus } }
    func wires(from node: AVAudioNode, _ bus: AVAudioNodeBus) -> [Wire] { wires(from: node).filter { $0.sourceBus == bus } }

    private mutating func sortWires() {
        incoming = Dictionary(grouping: wires) { ObjectIdentifier($0.target) }.mapValues { $0.sorted { $0.targetBus < $1.targetBus } }
        outgoing = Dictionary(grouping: wires) { ObjectIdentifier($0.source) }
    }

    /// Replaces what an output bus goes to, and what used the input busses before.
    mutating func connect(_ source: AVAudioNode, _ bus: AVAudioNodeBus, to targets: [(node: AVAudioNode, bus: AVAudioNodeBus)], format: AVAudioFormat) {
        let made = targets.map { Wire(source, bus, to: $0.node, $0.bus, format: format) }
        wires.removeAll { old in
            (old.source === source && old.sourceBus == bus) || made.contains { $0.target === old.target && $0.targetBus == old.targetBus }
        }
        wires += made
        formats[BusKey(source, .output, bus)] = format
        for wire in made { formats[wire.to] = format }
    }

    mutating func disconnect(where isGone: (Wire) -> Bool) { wires.removeAll(where: isGone) }

    // MARK: Formats

    /// A connection's format; else what was set; else, behind a node that keeps its input's format, that; else the node's own beginning.
    func format(of key: BusKey, node: AVAudioNode) -> AVAudioFormat {
        if let format = chosenFormat(of: key, node) { return format }
        if node.keepsFormat, key.direction == .output, let input = chosenFormat(of: BusKey(node, .input, 0), node) { return input }
        return node.initialFormat(of: key)
    }

    private func chosenFormat(of key: BusKey, _ node: AVAudioNode) -> AVAudioFormat? {
        let wire = key.direction == .input ? wire(into: node, key.bus) : wires(from: node, key.bus).first
        return wire?.format ?? formats[key]
    }

    /// Sets a bus's format, and that of the connections it has.
    mutating func setFormat(_ format: AVAudioFormat, of key: BusKey) {
        formats[key] = format
        wires = wires.map { $0.from == key || $0.to == key ? $0.with(format) : $0 }
    }

    // MARK: Ways

    /// The nodes that can be heard at one of `ends`, ends included.
    func heard(at ends: [AVAudioNode]) -> Set<ObjectIdentifier> {
        var found = Set(ends.map(ObjectIdentifier.init))
        var open = ends
        while let node = open.popLast() {
            for wire in wires(into: node) where found.insert(ObjectIdentifier(wire.source)).inserted { open.append(wire.source) }
        }
        return found
    }

    /// Whether a node feeds itself.
    func hasCycle() -> AVAudioNode? {
        var done: Set<ObjectIdentifier> = []
        for start in nodes {
            var path: [(node: AVAudioNode, next: [AVAudioNode])] = [(start, wires(from: start).map(\.target))]
            var onPath: Set<ObjectIdentifier> = [ObjectIdentifier(start)]
            while let top = path.last {
                guard let next = top.next.last else {
                    done.insert(ObjectIdentifier(top.node))
                    onPath.remove(ObjectIdentifier(top.node))
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next.removeLast()
                if onPath.contains(ObjectIdentifier(next)) { return next }
                if done.contains(ObjectIdentifier(next)) { continue }
                onPath.insert(ObjectIdentifier(next))
                path.append((next, wires(from: next).map(\.target)))
            }
        }
        return nil
    }

    /// The source whose mixing properties govern what comes in over a connection: its node, or the first source up a chain of effects.
    func mixingSource(of wire: Wire) -> AVAudioNode? {
        var wire = wire
        var steps = 0
        while !(wire.source is AVAudioMixing), steps < nodes.count, let next = self.wire(into: wire.source, 0) {
            wire = next
            steps += 1
        }
        return wire.source is AVAudioMixing ? wire.source : nil
    }
}
