/// Which nodes are attached and how they are connected. A value: change a copy, check it, keep it or drop it.
///
/// A change costs a copy and no more: graphs of thousands of nodes are built one connection at a time.
package struct GraphModel<Node: GraphNode> {
    /// In the order in which they were attached.
    package private(set) var nodes: [Node] = []
    /// Of each node.
    private(set) var entries: [NodeEntry] = []
    /// In the order in which they were made.
    private(set) var ends: [WireEnds] = []
    private var places: [ObjectIdentifier: Int] = [:]
    /// Of this model and its copies.
    private let revisions = Revisions()

    package init() {}

    /// In the order in which they were made.
    package var wires: [Wire<Node>] { Self.typed(ends) }

    private static func typed(_ ends: [WireEnds]) -> [Wire<Node>] { ends.map { $0.wire(of: Node.self) } }

    package func contains(_ node: Node) -> Bool { places[ObjectIdentifier(node)] != nil }

    /// The attached node of this identity.
    package func node(_ id: ObjectIdentifier) -> Node? { places[id].map { nodes[$0] } }

    package mutating func attach(_ node: Node) {
        guard !contains(node) else { return }
        places[ObjectIdentifier(node)] = nodes.count
        nodes.append(node)
        let site = NodeSite(node, number: revisions.next())
        entries.append(NodeEntry(site, NodeEntry.Content(), revision: revisions.next()))
    }

    package mutating func detach(_ node: Node) {
        guard let place = places.removeValue(forKey: ObjectIdentifier(node)) else { return }
        remove(entries[place].incoming + entries[place].outgoing)
        nodes.remove(at: place)
        entries.remove(at: place)
        for later in place..<entries.count { places[entries[later].site.id] = later }
    }

    private func entry(of id: ObjectIdentifier) -> NodeEntry? { places[id].map { entries[$0] } }
    private func entry(of node: Node) -> NodeEntry? { entry(of: ObjectIdentifier(node)) }

    // MARK: Connections

    /// In the order of the busses.
    package func wires(into node: Node) -> [Wire<Node>] { Self.typed(ends(into: node)) }
    package func wires(from node: Node) -> [Wire<Node>] { Self.typed(entry(of: node)?.outgoing ?? []) }
    package func wires(from node: Node, _ bus: Int) -> [Wire<Node>] {
        wires(from: node).filter { $0.sourceBus == bus }
    }

    /// The connections into a node in the order of the busses, without their type.
    package func ends(into node: Node) -> [WireEnds] { entry(of: node)?.incoming ?? [] }

    package func wire(into node: Node, _ bus: Int) -> Wire<Node>? {
        entry(of: node)?.end(into: bus)?.wire(of: Node.self)
    }

    private mutating func add(_ wire: WireEnds) {
        ends.append(wire)
        change(wire.from.node) { $0.outgoing.append(wire) }
        change(wire.to.node) { $0.incoming.insert(wire, at: $0.index(of: wire.targetBus)) }
    }

    private mutating func remove(_ gone: [WireEnds]) {
        guard !gone.isEmpty else { return }
        let lost = Set(gone.map(ObjectIdentifier.init))
        let isLost = { (wire: WireEnds) in lost.contains(ObjectIdentifier(wire)) }
        ends.removeAll(where: isLost)
        for wire in gone {
            change(wire.from.node) { $0.outgoing.removeAll(where: isLost) }
            change(wire.to.node) { $0.incoming.removeAll(where: isLost) }
        }
    }

    /// Edits a node's entry; what the node was lowered to is outdated.
    private mutating func change(_ node: ObjectIdentifier, _ edit: (inout NodeEntry.Content) -> Void) {
        guard let place = places[node] else { return }
        var content = entries[place].content
        edit(&content)
        entries[place] = NodeEntry(entries[place].site, content, revision: revisions.next())
    }

    /// Replaces the connections of an output bus, and those of the input busses.
    package mutating func connect(
        _ source: Node, _ bus: Int, to targets: [(node: Node, bus: Int)], format: Node.Format
    ) {
        guard let site = entry(of: source)?.site else { return }
        let from = BusKey(source, .output, bus: bus)
        remove(
            (entry(of: source)?.outgoing.filter { $0.sourceBus == bus } ?? [])
                + targets.compactMap { entry(of: $0.node)?.end(into: $0.bus) })
        let chosen = FormatBox(format)
        change(from.node) { $0.formats[from] = chosen }
        for target in targets {
            guard let targetSite = entry(of: target.node)?.site else { continue }
            let to = BusKey(target.node, .input, bus: target.bus)
            add(Wire<Node>(site, from, to: targetSite, to, format: format, number: revisions.next()))
            change(to.node) { $0.formats[to] = chosen }
        }
    }

    package mutating func disconnect(where isGone: (Wire<Node>) -> Bool) { remove(wires.filter(isGone)) }

    // MARK: Formats

    /// A connection's format; else the one that was set; else, for the output of a node that keeps its format, the
    /// input's; else the node's initial one.
    package func format(of key: BusKey, node: Node) -> Node.Format {
        if let format = chosenFormat(of: key) { return format }
        if node.keepsFormat, key.direction == .output,
            let input = chosenFormat(of: BusKey(node, .input, bus: 0))
        {
            return input
        }
        return node.initialFormat(of: key)
    }

    private func chosenFormat(of key: BusKey) -> Node.Format? {
        guard let entry = entry(of: key.node) else { return nil }
        let wire =
            key.direction == .input ? entry.end(into: key.bus) : entry.outgoing.first { $0.sourceBus == key.bus }
        if let wire { return wire.wire(of: Node.self).format }
        return entry.content.formats[key].map { unsafeDowncast($0, to: FormatBox<Node.Format>.self).format }
    }

    /// Sets a bus's format, and that of the connections it has.
    package mutating func setFormat(_ format: Node.Format, of key: BusKey) {
        change(key.node) { $0.formats[key] = FormatBox(format) }
        let old = ends
        ends = []
        for place in entries.indices { entries[place] = entries[place].withoutConnections }
        for wire in old {
            let hasBus = wire.from == key || wire.to == key
            add(hasBus ? wire.wire(of: Node.self).with(format, number: revisions.next()) : wire)
        }
    }

    // MARK: Paths

    /// The node, if it feeds itself. A cycle that a connection closes passes through the connection's source.
    package func cycle(through node: Node) -> Node? {
        let start = ObjectIdentifier(node)
        var seen: Set<ObjectIdentifier> = []
        var open = [start]
        while let next = open.popLast() {
            for wire in entry(of: next)?.outgoing ?? [] {
                if wire.to.node == start { return node }
                if seen.insert(wire.to.node).inserted { open.append(wire.to.node) }
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
        while let wire = open.popLast(), steps <= ends.count {
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

/// What a model knows of one node. Immutable, so that a copy of a model costs one reference a node.
final class NodeEntry {
    struct Content {
        /// In the order of the busses.
        fileprivate(set) var incoming: [WireEnds] = []
        /// In the order in which they were made.
        fileprivate(set) var outgoing: [WireEnds] = []
        /// Formats that were set, each in a `FormatBox` of the node's format; a connection's has precedence.
        fileprivate var formats: [BusKey: AnyObject] = [:]
    }

    let site: NodeSite
    fileprivate let content: Content
    /// Another one after every change of the content.
    let revision: Int

    fileprivate init(_ site: NodeSite, _ content: Content, revision: Int) {
        (self.site, self.content, self.revision) = (site, content, revision)
    }

    var incoming: [WireEnds] { content.incoming }
    var outgoing: [WireEnds] { content.outgoing }

    fileprivate var withoutConnections: NodeEntry {
        var content = content
        (content.incoming, content.outgoing) = ([], [])
        return NodeEntry(site, content, revision: revision)
    }

    func end(into bus: Int) -> WireEnds? {
        let index = content.index(of: bus)
        return index < incoming.count && incoming[index].targetBus == bus ? incoming[index] : nil
    }
}

extension NodeEntry.Content {
    /// Index of the first incoming connection whose bus is not below `bus`.
    fileprivate func index(of bus: Int) -> Int {
        var (low, high) = (0, incoming.count)
        while low < high {
            let middle = (low + high) / 2
            if incoming[middle].targetBus < bus { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// A format that was set.
private final class FormatBox<Format> {
    let format: Format
    init(_ format: Format) { self.format = format }
}

/// Numbers that no two changes, connections or nodes share, in whichever copy of a model: a copy that was dropped
/// leaves no trace. In place of the objects, which what was lowered must not keep.
private final class Revisions {
    private var last = 0

    func next() -> Int {
        last += 1
        return last
    }
}
