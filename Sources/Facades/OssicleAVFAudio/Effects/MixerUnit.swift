// Mixers that are units: what they have in common, and the plain one.

import OssicleAudioToolbox
import OssicleGraph
import OssicleRender

/// A unit with any number of inputs and one output. Every input is converted to the output's rate.
class MixerUnit: AVAudioUnit {
    override var keepsFormat: Bool { false }
    override var convertsInputs: Bool { true }
    override var numberOfInputs: Int { home.machine?.inputCount(of: self) ?? 1 }

    /// A strip for each input, and their sum through one more.
    fileprivate func lower(_ lowering: inout Lowering, strips: [AVAudioNodeBus: MixerStrip], sum: MixerStrip) -> NodePorts {
        let channels = lowering.outputChannels
        let node = lowering.graph.add("\(title) output", .matrix(sum.box.pointer), owner: sum.box, inputs: [channels], outputs: [channels],
                                      meter: lowering.meter)
        var ports = NodePorts(outputs: [0: Graph.Port(node)])
        for input in lowering.inputs {
            guard let strip = strips[input.index] else { continue }
            let row = lowering.graph.add("\(title) input \(input.index)", .matrix(strip.box.pointer), owner: strip.box, inputs: [input.channels],
                                         outputs: [channels])
            lowering.graph.connect(Graph.Port(row), to: Graph.Port(node))
            ports.inputs[input.index] = Graph.Port(row)
        }
        return ports
    }

    /// A parameter of one input or output.
    fileprivate func value(_ id: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: Int) -> Float? {
        parameterTree.parameter(withID: id, scope: scope, element: AudioUnitElement(truncatingIfNeeded: element))?.storedValue
    }

    /// A volume, and 0 where its switch is off.
    fileprivate func gain(_ volume: AudioUnitParameterID, _ enable: AudioUnitParameterID, _ scope: AudioUnitScope, _ element: Int) -> Float {
        (value(enable, scope, element) ?? 1) >= 0.5 ? value(volume, scope, element) ?? 1 : 0
    }
}

/// The multi-channel mixer: volume, switch and pan of each input, volume and switch of the output. Its meters are not measured.
final class MultiChannelMixerUnit: MixerUnit {
    private var strips: [AVAudioNodeBus: MixerStrip] = [:]
    private var master: MixerStrip?

    override func lower(_ lowering: inout Lowering) -> NodePorts {
        lock.withLock {
            let labels = ChannelLayouts.labels(of: lowering.outputFormat)
            let master = MixerStrip.reuse(master, from: labels, to: labels)
            strips = Dictionary(uniqueKeysWithValues: lowering.inputs.map { input in
                (input.index, MixerStrip.reuse(strips[input.index], from: ChannelLayouts.labels(of: input.format), to: labels))
            })
            self.master = master
            update()
            return lower(&lowering, strips: strips, sum: master)
        }
    }

    override func update() {
        lock.withLock {
            master?.update(gain: gain(kMultiChannelMixerParam_Volume, kMultiChannelMixerParam_Enable, kAudioUnitScope_Output, 0), pan: 0)
            for (bus, strip) in strips {
                strip.update(gain: gain(kMultiChannelMixerParam_Volume, kMultiChannelMixerParam_Enable, kAudioUnitScope_Input, bus),
                             pan: value(kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, bus) ?? 0)
            }
        }
    }

    override func didDetach() {
        super.didDetach()
        lock.withLock { (strips, master) = ([:], nil) }
    }
}

/// The matrix mixer: every input channel, counted over all inputs, meets every output channel in a cross-point.
///
/// What is heard of a channel in another is the product of the input's volume, the cross-point's, the output's and the master's. Fresh
/// cross-points are 0, the others 1. Its meters are not measured.
final class MatrixMixerUnit: MixerUnit {
    private var rows: [(bus: AVAudioNodeBus, channels: Int, strip: MixerStrip)] = []
    private var entries: [CrossPoint: Float] = [:]
    private var sum: MixerStrip?

    override func lower(_ lowering: inout Lowering) -> NodePorts {
        lock.withLock {
            let labels = ChannelLayouts.labels(of: lowering.outputFormat)
            let sum = MixerStrip.reuse(sum, from: labels, to: labels)
            let old = Dictionary(uniqueKeysWithValues: rows.map { ($0.bus, $0.strip) })
            rows = lowering.inputs.map { input in
                (input.index, input.channels, MixerStrip.reuse(old[input.index], from: ChannelLayouts.labels(of: input.format), to: labels))
            }
            // A new strip begins with what the layouts say.
            entries = entries.filter { point, _ in rows.contains { $0.bus == point.bus && $0.strip === old[point.bus] } }
            (self.sum, outputs) = (sum, labels.count)
            update()
            return lower(&lowering, strips: Dictionary(uniqueKeysWithValues: rows.map { ($0.bus, $0.strip) }), sum: sum)
        }
    }

    private var outputs = 0

    override func update() {
        lock.withLock {
            let master = gain(kMatrixMixerParam_Volume, kMatrixMixerParam_Enable, kAudioUnitScope_Global, Int(AudioUnitElement.max))
            let out = (0..<outputs).map { gain(kMatrixMixerParam_Volume, kMatrixMixerParam_Enable, kAudioUnitScope_Output, $0) * master }
            var channel = 0
            for row in rows {
                for input in 0..<row.channels {
                    let into = gain(kMatrixMixerParam_Volume, kMatrixMixerParam_Enable, kAudioUnitScope_Input, channel)
                    for output in 0..<outputs {
                        let cross = value(kMatrixMixerParam_Volume, kAudioUnitScope_Global, channel << 16 | output) ?? 0
                        set(into * cross * out[output], CrossPoint(bus: row.bus, input: input, output: output), row.strip)
                    }
                    channel += 1
                }
            }
        }
    }

    private func set(_ gain: Float, _ point: CrossPoint, _ strip: MixerStrip) {
        if entries[point] == gain { return }
        entries[point] = gain
        strip.setEntry(gain, input: point.input, output: point.output)
    }

    override func didDetach() {
        super.didDetach()
        lock.withLock { (rows, entries, sum) = ([], [:], nil) }
    }
}
