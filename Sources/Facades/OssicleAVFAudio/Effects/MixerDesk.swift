import OssicleAudioToolbox
import OssicleGraph
import OssicleNodes
import OssicleRender

/// The strips of a mixer unit as its parameters set them: one for each input, and their sum through one more. The same
/// in an engine and in a unit by itself. One call at a time.
protocol MixerDesk: AnyObject {
    var strips: [Int: MixerRow] { get }
    var sum: MixerRow? { get }
    /// Makes the strips for these inputs and this output; those there are go on where they fit.
    func prepare(_ inputs: [Lowering.Bus], _ output: AVAudioFormat)
    /// Takes the parameters to the strips.
    func update()
    func forget()
}

extension MixerDesk {
    /// Adds the strips to a graph, in the order of the inputs.
    func add(
        to graph: inout Graph, _ title: String, _ inputs: [Lowering.Bus], channels: Int,
        meter: RendererBox<StepMeter>? = nil
    ) -> NodePorts {
        guard let sum else { return NodePorts() }
        let node = graph.add(
            "\(title) output", .matrix(sum.box.pointer), owner: sum.box, inputs: [channels], outputs: [channels],
            meter: meter)
        var ports = NodePorts(outputs: [0: Graph.Port(node)])
        for input in inputs {
            guard let strip = strips[input.index] else { continue }
            let row = graph.add(
                "\(title) input \(input.index)", .matrix(strip.box.pointer), owner: strip.box, inputs: [input.channels],
                outputs: [channels])
            graph.connect(Graph.Port(row), to: Graph.Port(node))
            ports.inputs[input.index] = Graph.Port(row)
        }
        return ports
    }
}

/// Which desk a mixer unit has.
enum MixerDesks {
    /// `nil` for units that are no such mixers.
    static func make(for unit: AudioComponentDescription, _ tree: AUParameterTree) -> (any MixerDesk)? {
        if unit.isSameUnit(as: UnitDescription.multiChannelMixer.component) {
            return MultiChannelDesk(MixerParameters(tree: tree))
        }
        if unit.isSameUnit(as: UnitDescription.matrixMixer.component) { return MatrixDesk(MixerParameters(tree: tree)) }
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
    private(set) var strips: [Int: MixerRow] = [:]
    private(set) var sum: MixerRow?
    private let parameters: MixerParameters

    init(_ parameters: MixerParameters) { self.parameters = parameters }

    func prepare(_ inputs: [Lowering.Bus], _ output: AVAudioFormat) {
        let labels = output.channelLabels
        sum = MixerRow.reuse(sum, from: labels, to: labels)
        strips = Dictionary(
            uniqueKeysWithValues: inputs.map { input in
                (
                    input.index,
                    MixerRow.reuse(strips[input.index], from: input.format.channelLabels, to: labels)
                )
            })
        update()
    }

    func update() {
        sum?.update(
            gain: parameters.gain(
                kMultiChannelMixerParam_Volume, kMultiChannelMixerParam_Enable, kAudioUnitScope_Output, 0), pan: 0)
        for (bus, strip) in strips {
            strip.update(
                gain: parameters.gain(
                    kMultiChannelMixerParam_Volume, kMultiChannelMixerParam_Enable, kAudioUnitScope_Input, bus),
                pan: parameters.value(kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, bus) ?? 0)
        }
    }

    func forget() { (strips, sum) = ([:], nil) }
}

/// The matrix mixer: every input channel, counted over all inputs, meets every output channel in a cross-point.
///
/// What is heard of a channel in another is the product of the input's volume, the cross-point's, the output's and the
/// master's. Fresh cross-points are 0, the others 1. Its meters are not measured.
final class MatrixDesk: MixerDesk {
    private(set) var strips: [Int: MixerRow] = [:]
    private(set) var sum: MixerRow?
    private let parameters: MixerParameters
    private var rows: [(bus: Int, channels: Int)] = []
    private var entries: [CrossPoint: Float] = [:]
    private var outputs = 0

    init(_ parameters: MixerParameters) { self.parameters = parameters }

    func prepare(_ inputs: [Lowering.Bus], _ output: AVAudioFormat) {
        let labels = output.channelLabels, old = strips
        sum = MixerRow.reuse(sum, from: labels, to: labels)
        rows = inputs.map { ($0.index, $0.channels) }
        strips = Dictionary(
            uniqueKeysWithValues: inputs.map { input in
                (
                    input.index,
                    MixerRow.reuse(old[input.index], from: input.format.channelLabels, to: labels)
                )
            })
        // A new strip begins with what the layouts say.
        entries = entries.filter { point, _ in strips[point.bus].map { $0 === old[point.bus] } ?? false }
        outputs = labels.count
        update()
    }

    func update() {
        let master = parameters.gain(
            kMatrixMixerParam_Volume, kMatrixMixerParam_Enable, kAudioUnitScope_Global, Int(AudioUnitElement.max))
        var channel = 0
        for row in rows {
            for input in 0..<row.channels {
                let into = parameters.gain(
                    kMatrixMixerParam_Volume, kMatrixMixerParam_Enable, kAudioUnitScope_Input, channel)
                for output in 0..<outputs {
                    let out =
                        parameters.gain(
                            kMatrixMixerParam_Volume, kMatrixMixerParam_Enable, kAudioUnitScope_Output, output) * master
                    let cross =
                        parameters.value(kMatrixMixerParam_Volume, kAudioUnitScope_Global, channel << 16 | output) ?? 0
                    set(into * cross * out, CrossPoint(bus: row.bus, input: input, output: output))
                }
                channel += 1
            }
        }
    }

    private func set(_ gain: Float, _ point: CrossPoint) {
        if entries[point] == gain { return }
        entries[point] = gain
        strips[point.bus]?.setEntry(gain, input: point.input, output: point.output)
    }

    func forget() { (strips, rows, entries, sum) = ([:], [], [:], nil) }
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
            return desk.add(
                to: &lowering.graph, title, lowering.inputs, channels: lowering.outputChannels, meter: lowering.meter)
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
