import OssicleAudioToolbox
import OssicleGraph
import OssicleNodes
import OssicleRender

/// What a mixer unit makes of its inputs, as its parameters set it. The same in an engine and in a unit by itself. One
/// call at a time.
protocol MixerDesk: AnyObject {
    var meters: MixerMeters { get }
    /// Makes the renderers for these inputs and this output; one that fits continues where it is.
    func prepare(_ inputs: [Lowering.Bus], _ output: AVAudioFormat) throws
    /// Adds them to a graph, in the order in which the busses are added up.
    func add(to graph: inout Graph, _ title: String, busses: [Int], meter: RendererBox<StepMeter>?) -> NodePorts
    /// Takes the parameters to the renderers. No memory, no lock.
    func update()
    func forget()
    /// Renderers that remember sound.
    var resettable: [OwnedRenderer] { get }
    /// Seconds.
    var latency: TimeInterval { get }
    var tailTime: TimeInterval { get }
}

extension MixerDesk {
    var resettable: [OwnedRenderer] { [] }
    var latency: TimeInterval { 0 }
    var tailTime: TimeInterval { 0 }
}

/// A desk whose inputs are rows of a matrix.
protocol RowDesk: MixerDesk {
    var mixer: ChannelMixer { get }
}

extension RowDesk {
    func add(to graph: inout Graph, _ title: String, busses: [Int], meter: RendererBox<StepMeter>?) -> NodePorts {
        mixer.add(to: &graph, title, busses: busses, meter: meter)
    }
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
        if unit.isSameUnit(as: MixerUnits.spatialMixer.component) { return SpatialDesk(MixerParameters(tree: tree)) }
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

/// The multi-channel mixer: volume, switch and pan of each input, volume and switch of the output. Its meters are those
/// of busses.
final class MultiChannelDesk: RowDesk {
    let mixer = ChannelMixer()
    let meters: MixerMeters
    private let parameters: MixerParameters

    init(_ parameters: MixerParameters) { (self.parameters, meters) = (parameters, MixerMeters(parameters.tree)) }

    func prepare(_ inputs: [Lowering.Bus], _ output: AVAudioFormat) {
        mixer.prepare(inputs, output)
        update()
        var points = mixer.rows.reduce(into: [MixerMeters.Element: MixerMeters.Point]()) { points, row in
            points[MixerMeters.Element(scope: kAudioUnitScope_Input, number: row.key)] = point(row.value)
        }
        points[MixerMeters.Element(scope: kAudioUnitScope_Output, number: 0)] = mixer.sum.map(point)
        meters.replace(points)
    }

    private func point(_ row: MixerRow) -> MixerMeters.Point { MixerMeters.Point(row: row) { row.levels } }

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

    func forget() {
        mixer.forget()
        meters.replace([:])
    }
}

/// The matrix mixer: every input channel, counted over all inputs, meets every output channel in a cross-point.
///
/// What is heard of a channel in another is the product of the input's volume, the cross-point's, the output's and the
/// master's. Fresh cross-points are 0, the others 1. Its meters are those of channels: an input's before and behind its
/// volume, an output's before and behind its own and the master's.
final class MatrixDesk: RowDesk {
    let mixer = ChannelMixer()
    let meters: MixerMeters
    private let parameters: MixerParameters
    private var busses: [(bus: Int, channels: Int)] = []
    private var entries: [CrossPoint: Float] = [:]
    private var outputs = 0

    init(_ parameters: MixerParameters) { (self.parameters, meters) = (parameters, MixerMeters(parameters.tree)) }

    func prepare(_ inputs: [Lowering.Bus], _ output: AVAudioFormat) {
        let old = mixer.rows
        mixer.prepare(inputs, output)
        busses = inputs.map { ($0.index, $0.channels) }
        // A new row begins with what the layouts say.
        entries = entries.filter { point, _ in mixer.rows[point.bus].map { $0 === old[point.bus] } ?? false }
        outputs = output.channelLabels.count
        update()
        placeMeters()
    }

    /// The rows know the product of all volumes only: what lies between two of them is computed from the volumes.
    private func placeMeters() {
        let parameters = parameters
        var points: [MixerMeters.Element: MixerMeters.Point] = [:]
        var channel = 0
        for (bus, inputs) in busses {
            guard let row = mixer.rows[bus] else { continue }
            for input in 0..<inputs {
                let element = MixerMeters.Element(scope: kAudioUnitScope_Input, number: channel)
                points[element] = MixerMeters.Point(row: row) {
                    let level = row.level(input: input)
                    return (level, level.scaled(by: Self.volume(parameters, element)))
                }
                channel += 1
            }
        }
        for output in 0..<outputs {
            guard let sum = mixer.sum else { continue }
            let element = MixerMeters.Element(scope: kAudioUnitScope_Output, number: output)
            points[element] = MixerMeters.Point(row: sum) {
                let level = sum.level(output: output)
                let volume = Self.volume(parameters, element) * Self.volume(parameters, Self.master)
                return (volume > 0 ? level.scaled(by: 1 / volume) : ChannelLevel(), level)
            }
        }
        meters.replace(points)
    }

    private static let master = MixerMeters.Element(scope: kAudioUnitScope_Global, number: Int(AudioUnitElement.max))

    private static func volume(_ parameters: MixerParameters, _ element: MixerMeters.Element) -> Float {
        parameters.gain(kMatrixMixerParam_Volume, kMatrixMixerParam_Enable, element.scope, element.number)
    }

    func update() {
        let master = Self.volume(parameters, Self.master)
        var channel = 0
        for (bus, inputs) in busses {
            for input in 0..<inputs {
                let into = Self.volume(
                    parameters, MixerMeters.Element(scope: kAudioUnitScope_Input, number: channel))
                for output in 0..<outputs {
                    let out =
                        Self.volume(
                            parameters, MixerMeters.Element(scope: kAudioUnitScope_Output, number: output)) * master
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
        meters.replace([:])
        busses = []
        entries = [:]
    }
}

/// A unit with any number of inputs and one output. Every input is converted to the output's rate.
final class MixerUnit: AVAudioUnit {
    private lazy var desk = MixerDesks.make(for: audioComponentDescription, parameterTree)
    var meters: MixerMeters? { lock.withLock { desk?.meters } }

    /// Changes what no parameter of the desk sets, and takes it to the renderers.
    func edit<Result>(_ body: (any MixerDesk) throws -> Result) rethrows -> Result? {
        try lock.withLock {
            guard let desk else { return nil }
            defer { desk.update() }
            return try body(desk)
        }
    }

    package override var keepsFormat: Bool { false }
    package override var convertsInputs: Bool { true }
    override var numberOfInputs: Int { home.machine?.inputCount(of: self) ?? 1 }

    package override func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts {
        lock.withLock {
            guard let desk else { return NodePorts() }
            do { try desk.prepare(lowering.inputs, lowering.outputFormat) } catch {
                home.machine?.errors.record(error)
                lowering.mayBeKept = false
                return NodePorts()
            }
            return desk.add(to: &lowering.graph, title, busses: lowering.inputs.map(\.index), meter: lowering.meter)
        }
    }

    override func update() {
        lock.withLock { desk?.update() }
    }

    override var resettable: [OwnedRenderer] { lock.withLock { desk?.resettable ?? [] } }
    override var latency: TimeInterval { lock.withLock { desk?.latency ?? 0 } }
    override var tailTime: TimeInterval { lock.withLock { desk?.tailTime ?? 0 } }

    override func didDetach() {
        super.didDetach()
        lock.withLock { desk?.forget() }
    }
}
