/// Who is attached and who feeds whom. A value: change a copy, try it, keep it or throw it away.
///
/// A change costs a copy and no more: graphs of thousands of nodes are built one connection at a time.
struct GraphModel {
    /// In the order in which they were attached.
    private(set) var nodes: [AVAudioNode] = []
    /// In the order in which they were made.
    private(set) var wires: [Wire] = []
    private var attached: Set<ObjectIdentifier> = []
    /// Of each node, in the order of the busses.
    private var incoming: [ObjectIdentifier: [Wire]] = [:]
    /// Of each node, in the order in which they were made.
    private var outgoing: [ObjectIdentifier: [Wire]] = [:]
    /// Formats that were set, of each node; a connection's goes before.
    private var formats: [ObjectIdentifier: [BusKey: AVAudioFormat]] = [:]

    func contains(_ node: AVAudioNode) -> Bool { attached.contains(ObjectIdentifier(node)) }

    mutating func attach(_ node: AVAudioNode) {
        if attached.insert(ObjectIdentifier(node)).inserted { nodes.append(node) }
    }

    mutating func detach(_ node: AVAudioNode) {
        guard attached.remove(ObjectIdentifier(node)) != nil else { return }
        remove(wires(into: node) + wires(from: node))
        nodes.removeAll { $0 === node }
        formats[ObjectIdentifier(node)] = nil
    }

    // MARK: Connections

    /// In the order of the busses.
    func wires(into node: AVAudioNode) -> [Wire] { incoming[ObjectIdentifier(node)] ?? [] }
    func wires(from node: AVAudioNode) -> [Wire] { outgoing[ObjectIdentifier(node)] ?? [] }
    func wires(from node: AVAudioNode, _ bus: AVAudioNodeBus) -> [Wire] { wires(from: node).filter { $0.sourceBus == bus } }

    func wire(into node: AVAudioNode, _ bus: AVAudioNodeBus) -> Wire? {
        let all = wires(into: node)
        let place = Self.place(of: bus, in: all)
        return place < all.count && all[place].targetBus == bus ? all[place] : nil
    }

    /// Where the first connection is whose bus is not below `bus`, or would be.
    private static func place(of bus: AVAudioNodeBus, in wires: [Wire]) -> Int {
        var (low, high) = (0, wires.count)
        while low < high {
            let middle = (low + high) / 2
            if wires[middle].targetBus < bus { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func add(_ wire: Wire) {
        wires.append(wire)
        outgoing[wire.from.node, default: []].append(wire)
        let place = Self.place(of: wire.targetBus, in: incoming[wire.to.node] ?? [])
        incoming[wire.to.node, default: []].insert(wire, at: place)
    }

    private mutating func remove(_ gone: [Wire]) {
        guard !gone.isEmpty else { return }
        let lost = Set(gone.map(ObjectIdentifier.init))
        let isLost = { (wire: Wire) in lost.contains(ObjectIdentifier(wire)) }
        wires.removeAll(where: isLost)
        for wire in gone {
            outgoing[wire.from.node]?.removeAll(where: isLost)
            incoming[wire.to.node]?.removeAll(where: isLost)
        }
    }

    /// Replaces what an output bus goes to, and what used the input busses before.
    mutating func connect(_ source: AVAudioNode, _ bus: AVAudioNodeBus, to targets: [(node: AVAudioNode, bus: AVAudioNodeBus)], format: AVAudioFormat) {
        remove(wires(from: source, bus) + targets.compactMap { wire(into: $0.node, $0.bus) })
        formats[ObjectIdentifier(source), default: [:]][BusKey(source, .output, bus)] = format
        for target in targets {
            let made = Wire(source, bus, to: target.node, target.bus, format: format)
            add(made)
            formats[made.to.node, default: [:]][made.to] = format
        }
    }

    mutating func disconnect(where isGone: (Wire) -> Bool) { remove(wires.filter(isGone)) }

    // MARK: Formats

    /// A connection's format; else what was set; else, behind a node that keeps its input's format, that; else the node's own beginning.
    func format(of key: BusKey, node: AVAudioNode) -> AVAudioFormat {
        if let format = chosenFormat(of: key, node) { return format }
        if node.keepsFormat, key.direction == .output, let input = chosenFormat(of: BusKey(node, .input, 0), node) { return input }
        return node.initialFormat(of: key)
    }

    private func chosenFormat(of key: BusKey, _ node: AVAudioNode) -> AVAudioFormat? {
        let wire = key.direction == .input ? wire(into: node, key.bus) : wires(from: node, key.bus).first
        return wire?.format ?? formats[key.node]?[key]
    }

    /// Sets a bus's format, and that of the connections it has.
    mutating func setFormat(_ format: AVAudioFormat, of key: BusKey) {
        formats[key.node, default: [:]][key] = format
        let old = wires
        (wires, incoming, outgoing) = ([], [:], [:])
        for wire in old { add(wire.from == key || wire.to == key ? wire.with(format) : wire) }
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

    /// The node, if it feeds itself. Whatever connection closes a circle begins at one of its nodes.
    func cycle(through node: AVAudioNode) -> AVAudioNode? {
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
