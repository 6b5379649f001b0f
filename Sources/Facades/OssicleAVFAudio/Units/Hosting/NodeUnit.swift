import OssicleAudioToolbox
import OssicleDSP

/// The version 3 side of a built-in node: its parameters, presets, latency and busses. The engine renders it.
final class NodeUnit: AUAudioUnitV2Bridge {
    private weak var node: AVAudioUnit?
    private var presets: FactoryPresets?
    private lazy var nodeInputs = NodeBusses(self, .input)
    private lazy var nodeOutputs = NodeBusses(self, .output)

    /// For a class below `AUAudioUnit` the initialiser does not throw; were it to, there would be nothing else to do than to try again.
    static func make(for node: AVAudioUnit) -> NodeUnit {
        guard let unit = try? NodeUnit(componentDescription: node.audioComponentDescription, options: []) else { return make(for: node) }
        unit.node = node
        if let description = node.unit, let driver = node.driver { unit.presets = FactoryPresets(description, node.parameterTree, driver) }
        return unit
    }

    override var audioUnit: AudioUnit { node?.audioUnit ?? super.audioUnit }
    override var inputBusses: AUAudioUnitBusArray { nodeInputs.array(of: node?.numberOfInputs ?? 0) }
    override var outputBusses: AUAudioUnitBusArray { nodeOutputs.array(of: node?.numberOfOutputs ?? 0) }
    override func allocateRenderResources() throws { throw AUFault.ofEngine }
    override func reset() { node?.reset() }
    override var latency: TimeInterval { node?.latency ?? 0 }
    override var tailTime: TimeInterval { node?.tailTime ?? 0 }

    override var parameterTree: AUParameterTree? {
        get { node?.parameterTree }
        set {}
    }

    override var shouldBypassEffect: Bool {
        get { node?.isBypassed ?? false }
        set {
            (node as? AVAudioUnitEffect)?.bypass = newValue
            (node as? AVAudioUnitTimeEffect)?.bypass = newValue
            (node as? AVAudioUnitGenerator)?.bypass = newValue
        }
    }

    override var factoryPresets: [AUAudioUnitPreset]? { presets.flatMap { $0.names.isEmpty ? nil : AUAudioUnitPreset.numbered($0.names) } }

    override var currentPreset: AUAudioUnitPreset? {
        get { super.currentPreset }
        set {
            super.currentPreset = newValue
            guard let node, let presets, let number = newValue?.number else { return }
            node.lock.withLock { presets.choose(number) }
            presets.setParameters(number)
        }
    }

    fileprivate func format(_ type: AUAudioUnitBusType, _ bus: Int) -> AVAudioFormat {
        (type == .input ? node?.inputFormat(forBus: bus) : node?.outputFormat(forBus: bus)) ?? .none
    }

    /// As many busses as the node has, which are always the same ones.
    private final class NodeBusses {
        private let all: AUAudioUnitBusArray
        private var busses: [NodeBus] = []
        private unowned let unit: NodeUnit

        init(_ unit: NodeUnit, _ type: AUAudioUnitBusType) {
            self.unit = unit
            all = AUAudioUnitBusArray(audioUnit: unit, busType: type)
        }

        func array(of count: Int) -> AUAudioUnitBusArray {
            unit.lock.withLock {
                guard all.count != count else { return }
                while busses.count < count { busses.append(NodeBus()) }
                all.replaceBusses(Array(busses.prefix(count)))
            }
            return all
        }
    }

    /// A bus whose format is the node's connection's.
    private final class NodeBus: AUAudioUnitBus {
        init() { super.init(missing: AUFault.formatOfEngine) }

        override var format: AVAudioFormat { (ownerAudioUnit as? NodeUnit)?.format(busType, index) ?? .none }
    }
}
