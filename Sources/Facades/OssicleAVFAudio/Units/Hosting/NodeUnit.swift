import OssicleAudioToolbox
import OssicleNodes

/// The version 3 side of a node: its parameters, presets, latency and busses. The engine renders it.
final class NodeUnit: AUAudioUnitV2Bridge {
    private weak var node: AVAudioNode?
    private var mixerTree: AUParameterTree?
    private lazy var nodeInputs = NodeBusses(self, .input)
    private lazy var nodeOutputs = NodeBusses(self, .output)

    static func make(for node: AVAudioNode) -> NodeUnit {
        let unit: NodeUnit
        // Of classes below `AUAudioUnit` the initialiser throws nothing: it looks for a component only for the base
        // class.
        do { unit = try NodeUnit(componentDescription: description(of: node), options: []) } catch {
            preconditionFailure("\(error)")
        }
        unit.node = node
        if let mixer = node as? AVAudioMixerNode { unit.mixerTree = makeTree(of: mixer) }
        return unit
    }

    /// The unit that stands behind a node of Apple's.
    private static func description(of node: AVAudioNode) -> AudioComponentDescription {
        switch node {
        case let unit as AVAudioUnit: unit.audioComponentDescription
        case is AVAudioMixerNode: MixerUnits.multiChannelMixer.component
        case is AVAudioEnvironmentNode: MixerUnits.spatialMixer.component
        case is AVAudioIONode: MixerUnits.halOutput.component
        case is AVAudioSinkNode: MixerUnits.genericOutput.component
        default: MixerUnits.scheduledSoundPlayer.component
        }
    }

    /// The output volume of a mixer node as a parameter of its unit.
    private static func makeTree(of mixer: AVAudioMixerNode) -> AUParameterTree? {
        guard
            let address = AUParameterAddress(
                parameterID: kMultiChannelMixerParam_Volume, scope: kAudioUnitScope_Output, element: 0)
        else { return nil }
        let volume = AUParameterTree.createParameter(
            withIdentifier: "volume", name: "Volume", address: address, min: 0, max: 1, unit: .linearGain,
            unitName: nil,
            flags: .settable, valueStrings: nil, dependentParameters: nil)
        volume.implementorValueProvider = { [weak mixer] _ in mixer?.outputVolume ?? 1 }
        let output = AUParameterTree.createGroup(withIdentifier: "output0", name: "Output 1", children: [volume])
        let tree = AUParameterTree.createTree(withChildren: [output])
        let values = tree.stored.values
        tree.stored.setOwner { [weak mixer] in if let value = values[$0]?.current { mixer?.outputVolume = value } }
        return tree
    }

    override var audioUnit: AudioUnit { (node as? AVAudioUnit)?.audioUnit ?? super.audioUnit }
    override var inputBusses: AUAudioUnitBusArray { nodeInputs.array(of: node?.numberOfInputs ?? 0) }
    override var outputBusses: AUAudioUnitBusArray { nodeOutputs.array(of: node?.numberOfOutputs ?? 0) }
    /// The node, if it is a mixer unit's.
    var mixer: MixerUnit? { node as? MixerUnit }
    override func allocateRenderResources() throws { throw AUFault.ofEngine }
    override func reset() { node?.reset() }
    override var latency: TimeInterval { node?.latency ?? 0 }
    override var tailTime: TimeInterval { (node as? AVAudioUnit)?.tailTime ?? 0 }

    override var parameterTree: AUParameterTree? {
        get { (node as? AVAudioUnit)?.parameterTree ?? mixerTree }
        set {}
    }

    override var shouldBypassEffect: Bool {
        get { (node as? AVAudioUnit)?.isBypassed ?? false }
        set {
            (node as? AVAudioUnitEffect)?.bypass = newValue
            (node as? AVAudioUnitTimeEffect)?.bypass = newValue
            (node as? AVAudioUnitGenerator)?.bypass = newValue
        }
    }

    override var factoryPresets: [AUAudioUnitPreset]? {
        let names = (node as? AVAudioUnit)?.unit?.presets.map(\.name) ?? []
        return names.isEmpty ? nil : AUAudioUnitPreset.numbered(names)
    }

    override var supportsUserPresets: Bool { (node as? AVAudioUnit)?.unit != nil }

    override var currentPreset: AUAudioUnitPreset? {
        get { super.currentPreset }
        set {
            super.currentPreset = newValue
            if let number = newValue?.number { (node as? AVAudioUnit)?.load(preset: number) }
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
