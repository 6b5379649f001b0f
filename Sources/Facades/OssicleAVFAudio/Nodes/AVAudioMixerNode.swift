// Mixing.

import OssicleChannels
import OssicleCore
import OssicleCoreAudioTypes
import OssicleGraph
import OssicleNodes
import OssicleRender

/// Adds up any number of inputs, each converted from its own rate and channels to the output's, each with its source's
/// `volume` and `pan`, and scales the sum by `outputVolume`.
///
/// A sum is plain 32-bit addition in the order of the busses; unity passes untouched. Pan leaves the nearer side as it
/// is and lowers the other by cos(|pan| π/2). One channel goes to left and right unchanged; several into one are
/// averaged.
open class AVAudioMixerNode: AVAudioNode, AVAudioMixing {
    private var master: MixerRow?
    fileprivate var strips: [AVAudioNodeBus: MixerRow] = [:]
    private var level: Float = 1
    fileprivate var crossPoints: [CrossPoint: Float] = [:]

    /// A mixer without inputs, which is legal and silent.
    public override init() { super.init() }

    /// Up to the last that is connected, at least one. There is always room for more: see `nextAvailableInputBus`.
    open override var numberOfInputs: Int { home.machine?.inputCount(of: self) ?? 1 }

    /// The first input bus that nothing is connected to.
    open var nextAvailableInputBus: AVAudioNodeBus { home.machine?.freeInput(of: self) ?? 0 }

    /// Gain of the sum, 0 to 1; default 1.
    open var outputVolume: Float {
        get { lock.withLock { level } }
        set {
            guard let value = mixing.checked(newValue, 0...1) else { return }
            lock.withLock { level = value }
            home.machine?.locked { master?.update(gain: value, pan: 0) }
        }
    }

    package override var convertsInputs: Bool { true }

    package override func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts {
        let labels = lowering.outputFormat.channelLabels
        let master = MixerRow.reuse(self.master, from: labels, to: labels, gain: outputVolume)
        self.master = master
        let sum = lowering.graph.add(
            "\(title) output", .matrix(master.box.pointer), owner: master.box, inputs: [labels.count],
            outputs: [labels.count],
            meter: lowering.meter)
        var ports = NodePorts(outputs: [0: Graph.Port(sum)])
        strips = strips.filter { lowering.input($0.key) != nil }
        for input in lowering.inputs {
            let strip = MixerRow.reuse(strips[input.index], from: input.format.channelLabels, to: labels)
            strips[input.index] = strip
            let node = lowering.graph.add(
                "\(title) input \(input.index)", .matrix(strip.box.pointer), owner: strip.box, inputs: [input.channels],
                outputs: [labels.count])
            lowering.graph.connect(Graph.Port(node), to: Graph.Port(sum))
            ports.inputs[input.index] = Graph.Port(node)
            if let mixing = input.mixing { apply(mixing, at: input.index) }
            for (point, gain) in crossPoints where point.bus == input.index {
                strip.setEntry(gain, input: point.input, output: point.output)
            }
        }
        return ports
    }

    override func didDetach() {
        (master, strips) = (nil, [:])
    }
}

extension AVAudioMixerNode: MixingTarget {
    func apply(_ mixing: SourceMixing, at bus: AVAudioNodeBus) {
        strips[bus]?.update(gain: mixing.volume, pan: mixing.pan)
    }
}

/// Where an input channel of a mixer's bus meets an output channel.
struct CrossPoint: Hashable {
    let bus: AVAudioNodeBus
    let input: Int
    let output: Int
}

extension OssicleAdditions where Self: AVAudioMixerNode {
    /// Sets how much of a bus's channel goes into an output channel, instead of what the layouts say; `nil` returns to
    /// that at the next change of the graph. An addition to Apple's surface, whose own mixer units have it as a
    /// parameter.
    ///
    /// - Parameter gain: any finite number.
    public func setCrossPoint(
        _ gain: Float?, inputBus bus: AVAudioNodeBus, inputChannel input: Int, outputChannel output: Int
    ) {
        if let gain, !gain.isFinite {
            home.machine?.errors.record(MixingFault.notANumber(title))
            return
        }
        let point = CrossPoint(bus: bus, input: input, output: output)
        let change = {
            self.crossPoints[point] = gain
            if let gain { self.strips[bus]?.setEntry(gain, input: input, output: output) }
        }
        if let machine = home.machine { machine.locked(change) } else { lock.withLock(change) }
    }
}

/// One row of a mixer: channels of one layout into those of another, with a gain and a pan.
final class MixerRow {
    let box: ControlledBox<MatrixRenderer>
    private let from: [UInt32]
    private let to: [UInt32]
    private var parameters: MatrixRenderer.Parameters

    init(from: [UInt32], to: [UInt32], gain: Float = 1) {
        (self.from, self.to) = (from, to)
        parameters = MatrixRenderer.Parameters(gain: gain)
        let sides = to.map { label -> MatrixRenderer.Side in
            switch ChannelMatrix.side(of: label) {
            case .left: .left
            case .right: .right
            default: .middle
            }
        }
        box = ControlledBox(
            MatrixRenderer(
                matrix: ChannelMatrix(from: from, to: to, intoMono: .mean).gains, inputCount: from.count,
                outputCount: to.count,
                sides: sides, parameters: parameters))
    }

    /// The strip there is, if it fits, so that it continues where it is.
    static func reuse(_ old: MixerRow?, from: [UInt32], to: [UInt32], gain: Float = 1) -> MixerRow {
        if let old, old.from == from, old.to == to { return old }
        return MixerRow(from: from, to: to, gain: gain)
    }

    /// Under the engine's lock. Pan acts only where there are a left and a right.
    func update(gain: Float, pan: Float) {
        let lowered =
            pan.magnitude == 1 ? 0 : Float(DeterministicMath.cos(Double(pan.magnitude) * DeterministicMath.pi / 2))
        let next = MatrixRenderer.Parameters(
            gain: gain, left: pan > 0 ? lowered : 1, right: pan < 0 ? lowered : 1, revision: parameters.revision)
        if next.gain == parameters.gain, next.left == parameters.left, next.right == parameters.right { return }
        parameters = next
        box.control.cell.write(next)
    }

    func setEntry(_ gain: Float, input: Int, output: Int) {
        box.control.setEntry(gain, input: input, output: output)
        parameters.revision &+= 1
        box.control.cell.write(parameters)
    }
}
