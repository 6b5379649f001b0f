import OssicleAudioToolbox

/// Who sends MIDI to whom, and who listens in.
///
/// A source is run by the first of its targets that renders a block (`MIDIProcessor`). Nodes are held weakly, and
/// forgotten with their connections.
final class MIDIWires: @unchecked Sendable {
    /// Listens in on one source.
    enum Listener {
        case bytes(AUMIDIOutputEventBlock)
        case events(AUMIDIEventListBlock)
    }

    struct Wire {
        weak var source: AVAudioNode?
        weak var target: AVAudioNode?
        let format: AVAudioFormat?
        let listener: Listener?
    }

    private let lock = NSLock()
    private var all: [Wire] = []

    /// A second connection of the same two takes the place of the first.
    private func connect(_ source: AVAudioNode, to target: AVAudioNode, format: AVAudioFormat?, _ listener: Listener?) {
        lock.withLock {
            all.removeAll { $0.source === source && $0.target === target }
            all.append(Wire(source: source, target: target, format: format, listener: listener))
        }
    }

    /// Connects nodes of one engine, all or none. Throws for others, and for units that send or take no MIDI.
    func connect(
        _ source: AVAudioNode, to targets: [AVAudioNode], in machine: EngineMachine, format: AVAudioFormat?,
        _ listener: Listener?
    ) throws {
        for node in [source] + targets where node.home.machine !== machine { throw GraphFault.notAttached(node) }
        guard (source as? AVAudioUnit)?.audioComponentDescription.componentType == kAudioUnitType_MIDIProcessor else {
            throw AUFault.notMIDI(source)
        }
        for target in targets where (target as? AVAudioUnit)?.takesMIDI != true { throw AUFault.noMIDIInput(target) }
        for target in targets { connect(source, to: target, format: format, listener) }
        update([source], targets)
        machine.locked { machine.reinstall() }
    }

    func disconnect(where isGone: (Wire) -> Bool) {
        let gone = lock.withLock {
            let gone = all.filter { isGone($0) || $0.source == nil || $0.target == nil }
            all.removeAll { isGone($0) || $0.source == nil || $0.target == nil }
            return gone
        }
        update(gone.compactMap(\.source), gone.compactMap(\.target))
    }

    /// Takes connections to the units: sources learn where they send, targets who runs before them.
    private func update(_ sources: [AVAudioNode], _ targets: [AVAudioNode]) {
        let wires = lock.withLock { all }
        for source in sources {
            var outlet = MIDIProcessor.Outlet()
            for wire in wires where wire.source === source {
                if let target = wire.target.flatMap(Self.driver) { outlet.targets.append(target.music.events) }
                if let listener = wire.listener { outlet.listeners.append(listener) }
            }
            Self.driver(source)?.processor.set(outlet)
        }
        for target in targets {
            Self.driver(target)?.music.setSources(self.sources(of: target).compactMap { Self.driver($0)?.processor })
        }
    }

    private static func driver(_ node: AVAudioNode) -> HostedDriver? { (node as? AVAudioUnit)?.driver as? HostedDriver }

    /// Processors that have to be allocated before MIDI reaches a node, directly or by way of others.
    func allocations(before target: AVAudioNode, sampleRate: Double, isOffline: Bool) -> [() -> Void] {
        var found: [() -> Void] = [], reached: [AVAudioNode] = [], open = sources(of: target)
        while let node = open.popLast() {
            if reached.contains(where: { $0 === node }) { continue }
            reached.append(node)
            Self.driver(node)?.unit.isRenderingOffline = isOffline
            if let work = Self.driver(node)?.processor.allocation(sampleRate: sampleRate) { found.append(work) }
            open += sources(of: node)
        }
        return found
    }

    /// In the order in which they were made.
    func targets(of source: AVAudioNode) -> [AVAudioNode] {
        lock.withLock { all.filter { $0.source === source }.compactMap(\.target) }
    }
    func sources(of target: AVAudioNode) -> [AVAudioNode] {
        lock.withLock { all.filter { $0.target === target }.compactMap(\.source) }
    }
}
