import OssicleAudioToolbox

/// Who sends MIDI to whom, and who listens in.
///
/// Kept as data: a source hears of its destinations when MIDI flows. Nodes are held weakly, and forgotten with their
/// connections.
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
    }

    func disconnect(where isGone: (Wire) -> Bool) {
        lock.withLock { all.removeAll { isGone($0) || $0.source == nil || $0.target == nil } }
    }

    /// In the order in which they were made.
    func targets(of source: AVAudioNode) -> [AVAudioNode] {
        lock.withLock { all.filter { $0.source === source }.compactMap(\.target) }
    }
    func sources(of target: AVAudioNode) -> [AVAudioNode] {
        lock.withLock { all.filter { $0.target === target }.compactMap(\.source) }
    }
}

extension AVAudioUnit {
    /// Whether MIDI goes in.
    fileprivate var takesMIDI: Bool {
        [
            kAudioUnitType_MusicDevice, kAudioUnitType_MusicEffect, kAudioUnitType_MIDIProcessor,
            kAudioUnitType_RemoteInstrument, kAudioUnitType_RemoteMusicEffect,
        ]
        .contains(audioComponentDescription.componentType)
    }
}
