// Mixers that are units.

import OssicleAudioToolbox
import OssicleGraph
import OssicleRender

/// A unit with any number of inputs and one output. Every input is converted to the output's rate.
final class MixerUnit: AVAudioUnit {
    private lazy var desk = MixerDesks.make(for: audioComponentDescription, parameterTree)

    override var keepsFormat: Bool { false }
    override var convertsInputs: Bool { true }
    override var numberOfInputs: Int { home.machine?.inputCount(of: self) ?? 1 }

    override func lower(_ lowering: inout Lowering) -> NodePorts {
        lock.withLock {
            guard let desk else { return NodePorts() }
            desk.prepare(lowering.inputs, lowering.outputFormat)
            return desk.add(to: &lowering.graph, title, lowering.inputs, channels: lowering.outputChannels, meter: lowering.meter)
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
