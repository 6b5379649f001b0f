// Mixing.

import OssicleCoreAudioTypes
import OssicleGraph
import OssicleRender

/// Adds up any number of inputs, each converted from its own rate and channels to the output's, each with its source's `volume` and
/// `pan`, and scales the sum by `outputVolume`.
///
/// A sum is plain 32-bit addition in the order of the busses; unity passes untouched. Pan leaves the nearer side as it is and lowers the
/// other by cos(|pan| π/2). One channel goes to left and right unchanged; several into one are averaged.
open class AVAudioMixerNode: AVAudioNode, AVAudioMixing {
    private var master: MixerStrip?
    fileprivate var strips: [AVAudioNodeBus: MixerStrip] = [:]
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

    override var convertsInputs: Bool { true }

    override func lower(_ lowering: inout Lowering) -> NodePorts {
        let labels = ChannelLayouts.labels(of: lowering.outputFormat)
        let master = MixerStrip.reuse(self.master, from: labels, to: labels, gain: outputVolume)
        self.master = master
        let sum = lowering.graph.add("\(title) output", .matrix(master.box.pointer), owner: master.box, inputs: [labels.count], outputs: [labels.count],
                                     meter: lowering.meter)
        var ports = NodePorts(outputs: [0: Graph.Port(sum)])
        strips = strips.filter { lowering.input($0.key) != nil }
        for input in lowering.inputs {
            let strip = MixerStrip.reuse(strips[input.index], from: ChannelLayouts.labels(of: input.format), to: labels)
            strips[input.index] = strip
            let node = lowering.graph.add("\(title) input \(input.index)", .matrix(strip.box.pointer), owner: strip.box, inputs: [input.channels],
                                          outputs: [labels.count])
            lowering.graph.connect(Graph.Port(node), to: Graph.Port(sum))
            ports.inputs[input.index] = Graph.Port(node)
            if let wire = lowering.model.wire(into: self, input.index), let source = lowering.model.mixingSource(of: wire) {
                applyMixing(of: source, at: input.index)
            }
            for (point, gain) in crossPoints where point.bus == input.index { strip.setEntry(gain, input: point.input, output: point.output) }
        }
        return ports
    }

    override func didDetach() {
        (master, strips) = (nil, [:])
    }
}

extension AVAudioMixerNode: MixingTarget {
    func applyMixing(of source: AVAudioNode, at bus: AVAudioNodeBus) {
        let values = source.mixing.properties(at: self, bus)
        strips[bus]?.update(gain: values.volume, pan: values.pan)
    }
}

/// Where an input channel of a mixer's bus meets an output channel.
struct CrossPoint: Hashable {
    let bus: AVAudioNodeBus
    let input: Int
    let output: Int
}

extension OssicleAdditions where Self: AVAudioMixerNode {
    /// Sets how much of a bus's channel goes into an output channel, instead of what the layouts say; `nil` returns to that at the next
    /// change of the graph. An addition to Apple's surface, whose own mixer units have it as a parameter.
    ///
    /// - Parameter gain: any finite number.
    public func setCrossPoint(_ gain: Float?, inputBus bus: AVAudioNodeBus, inputChannel input: Int, outputChannel output: Int) {
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
