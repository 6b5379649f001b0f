// Mixing.

import OssicleGraph
import OssicleNodes

/// Adds up any number of inputs, each converted from its own rate and channels to the output's, each with its source's
/// `volume` and `pan`, and scales the sum by `outputVolume`.
///
/// A sum is plain 32-bit addition in the order of the busses; unity passes untouched. Pan leaves the nearer side as it
/// is and lowers the other by cos(|pan| π/2). One channel goes to left and right unchanged; several into one are
/// averaged.
open class AVAudioMixerNode: AVAudioNode, AVAudioMixing {
    fileprivate let mixer = ChannelMixer()
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
            home.machine?.locked {
                mixer.sum?.update(gain: value, pan: 0)
                home.machine?.note(self) { number, _ in .volume(number, value) }
            }
        }
    }

    package override var convertsInputs: Bool { true }

    package override func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts {
        mixer.addSum(
            to: &lowering.graph, title, labels: lowering.outputFormat.channelLabels, gain: outputVolume,
            meter: lowering.meter)
    }

    package override var lowersInputsAlone: Bool { true }

    package override func lowerInput(_ input: NodeLowering<AVAudioFormat>.Bus, to graph: inout Graph) -> InputPorts? {
        let ports = mixer.addRow(to: &graph, title, bus: input.index, labels: input.format.channelLabels)
        if let mixing = input.mixing { apply(mixing, at: input.index) }
        for (point, gain) in crossPoints where point.bus == input.index {
            mixer.rows[point.bus]?.setEntry(gain, input: point.input, output: point.output)
        }
        return ports
    }

    package override func forgetInput(_ bus: Int) { mixer.forgetRow(bus) }

    override func didDetach() { mixer.forget() }
}

extension AVAudioMixerNode: MixingTarget {
    func apply(_ mixing: SourceMixing, at bus: AVAudioNodeBus) {
        mixer.rows[bus]?.update(gain: mixing.volume, pan: mixing.pan)
    }
}

extension OssicleAdditions where Self: AVAudioMixerNode {
    /// Sets how much of a bus's channel goes into an output channel, instead of what the layouts say; `nil` returns to
    /// that at the next change of the graph (an addition of Ossicle). Apple's own mixer units have it as a parameter.
    ///
    /// - Parameters:
    ///   - gain: linear, any finite number; what is not finite is recorded as the engine's `lastError`.
    ///   - bus: an input of the mixer.
    ///   - input: channel of that bus, from 0.
    ///   - output: channel of the mixer's output, from 0.
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
            if let gain { self.mixer.rows[bus]?.setEntry(gain, input: input, output: output) }
            self.home.machine?.note(self) { number, _ in
                .crossPoint(number, gain, bus: bus, input: input, output: output)
            }
        }
        if let machine = home.machine { machine.locked(change) } else { lock.withLock(change) }
    }
}
