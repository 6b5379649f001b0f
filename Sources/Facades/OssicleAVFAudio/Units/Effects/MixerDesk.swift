import OssicleAudioToolbox
import OssicleNodes

/// The rows of a mixer unit as its parameters set them. The same in an engine and in a unit by itself. One call at a
/// time.
protocol MixerDesk: AnyObject {
    var mixer: ChannelMixer { get }
    /// Makes the rows for these inputs and this output; a row that fits continues where it is.
    func prepare(_ inputs: [Lowering.Bus], _ output: AVAudioFormat)
    /// Takes the parameters to the rows.
    func update()
    func forget()
}

extension ChannelMixer {
    func prepare(_ inputs: [Lowering.Bus], _ output: AVAudioFormat) {
        prepare(inputs.map { ($0.index, $0.format.channelLabels) }, to: output.channelLabels)
    }
}

/// Which desk a mixer unit has.
enum MixerDesks {
    /// `nil` for units that are no such mixers.
    static func make(for unit: AudioComponentDescription, _ tree: AUParameterTree) -> (any MixerDesk)? {
        if unit.isSameUnit(as: MixerUnits.multiChannelMixer.component) {
            return MultiChannelDesk(MixerParameters(tree: tree))
        }
        if unit.isSameUnit(as: MixerUnits.matrixMixer.component) { return MatrixDesk(MixerParameters(tree: tree)) }
        return nil
    }
}

/// The parameters of a mixer's inputs and outputs.
struct MixerParameters {
    let tree: AUParameterTree

    func value(_ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: Int) -> Float? {
        tree.parameter(withID: id, scope: scope, element: AudioUnitElement(truncatingIfNeeded: element))
            .flatMap { tree.stored.values[$0.address]?.current }
    }

    /// A volume, and 0 where its switch is off.
    func gain(
        _ volume: AudioUnitParameterID, _ enable: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: Int
    ) -> Float {
        (value(enable, scope, element) ?? 1) >= 0.5 ? value(volume, scope, element) ?? 1 : 0
    }
}

/// The multi-channel mixer: volume, switch and pan of each input, volume and switch of the output. Its meters are not
/// measured.
final class MultiChannelDesk: MixerDesk {
    let mixer = ChannelMixer()
    private let parameters: MixerParameters

    init(_ parameters: MixerParameters) { self.parameters = parameters }

    func prepare(_ inputs: [Lowering.Bus], _ output: AVAudioFormat) {
        mixer.prepare(inputs, output)
        update()
    }

    func update() {
        mixer.sum?.update(
            gain: parameters.gain(
                kMultiChannelMixerParam_Volume, kMultiChannelMixerParam_Enable, kAudioUnitScope_Output, 0), pan: 0)
        for (bus, row) in mixer.rows {
            row.update(
                gain: parameters.gain(
                    kMultiChannelMixerParam_Volume, kMultiChannelMixerParam_Enable, kAudioUnitScope_Input, bus),
                pan: parameters.value(kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, bus) ?? 0)
        }
    }

    func forget() { mixer.forget() }
}

/// The matrix mixer: every input channel, counted over all inputs, meets every output channel in a cross-point.
///
/// What is heard of a channel in another is the product of the input's volume, the cross-point's, the output's and the
/// master's. Fresh cross-points are 0, the others 1. Its meters are not measured.
final class MatrixDesk: MixerDesk {
    let mixer = ChannelMixer()
    private let parameters: MixerParameters
    private var busses: [(bus: Int, channels: Int)] = []
    private var entries: [CrossPoint: Float] = [:]
    private var outputs = 0

    init(_ parameters: MixerParameters) { self.parameters = parameters }

    func prepare(_ inputs: [Lowering.Bus], _ output: AVAudioFormat) {
        let old = mixer.rows
        mixer.prepare(inputs, output)
        busses = inputs.map { ($0.index, $0.channels) }
        // A new row begins with what the layouts say.
        entries = entries.filter { point, _ in mixer.rows[point.bus].map { $0 === old[point.bus] } ?? false }
        outputs = output.channelLabels.count
        update()
    }

    func update() {
        let master = parameters.gain(
            kMatrixMixerParam_Volume, kMatrixMixerParam_Enable, kAudioUnitScope_Global, Int(AudioUnitElement.max))
        var channel = 0
        for (bus, inputs) in busses {
            for input in 0..<inputs {
                let into = parameters.gain(
                    kMatrixMixerParam_Volume, kMatrixMixerParam_Enable, kAudioUnitScope_Input, channel)
                for output in 0..<outputs {
                    let out =
                        parameters.gain(
                            kMatrixMixerParam_Volume, kMatrixMixerParam_Enable, kAudioUnitScope_Output, output) * master
                    let cross =
                        parameters.value(kMatrixMixerParam_Volume, kAudioUnitScope_Global, channel << 16 | output) ?? 0
                    set(into * cross * out, CrossPoint(bus: bus, input: input, output: output))
                }
                channel += 1
            }
        }
    }

    private func set(_ gain: Float, _ point: CrossPoint) {
        if entries[point] == gain { return }
        entries[point] = gain
        mixer.rows[point.bus]?.setEntry(gain, input: point.input, output: point.output)
    }

    func forget() {
        mixer.forget()
        busses = []
        entries = [:]
    }
}

/// A unit with any number of inputs and one output. Every input is converted to the output's rate.
final class MixerUnit: AVAudioUnit {
    private lazy var desk = MixerDesks.make(for: audioComponentDescription, parameterTree)

    package override var keepsFormat: Bool { false }
    package override var convertsInputs: Bool { true }
    override var numberOfInputs: Int { home.machine?.inputCount(of: self) ?? 1 }

    package override func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts {
        lock.withLock {
            guard let desk else { return NodePorts() }
            desk.prepare(lowering.inputs, lowering.outputFormat)
            return desk.mixer.add(
                to: &lowering.graph, title, busses: lowering.inputs.map(\.index), meter: lowering.meter)
        }
    }

    override func update() {
        lock.withLock { desk?.update() }
    }

    override func didDetach() {
        super.didDetach()
        lock.withLock { desk?.forget() }
    }
}
