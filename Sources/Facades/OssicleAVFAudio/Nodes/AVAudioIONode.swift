// The ends of a graph.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleGraph
import OssicleRender

/// A node that stands for a device, or for the caller in manual rendering. Made by the engine.
open class AVAudioIONode: AVAudioNode {
    /// Seconds between this node and the ear or the microphone; 0 in manual rendering.
    open var presentationLatency: TimeInterval { 0 }

    /// The unit beneath; there is none here.
    open var audioUnit: AudioUnit? { nil }

    /// Whether echo cancelling is on; it is not to be had yet.
    open var isVoiceProcessingEnabled: Bool { false }

    /// Switches echo cancelling for both ends. Throws: it is not implemented.
    open func setVoiceProcessingEnabled(_ enabled: Bool) throws {
        if enabled { throw notImplemented("voice processing", "Sound comes in as the device gives it.") }
    }
}

/// Where sound leaves the graph: a device, or the caller in manual rendering. It converts what it is connected to, to the rate and
/// channels of that.
open class AVAudioOutputNode: AVAudioIONode {
    private var strip: MixerStrip?

    override var convertsInputs: Bool { true }

    override func initialFormat(of bus: BusKey) -> AVAudioFormat { home.machine?.locked { home.machine?.renderFormat.standardCounterpart } ?? .initial }

    /// The hardware's format, or that of manual rendering.
    @discardableResult
    open override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        guard bus == 0 else { return .none }
        return home.machine?.locked { home.machine?.renderFormat } ?? .initial
    }

    open override var presentationLatency: TimeInterval { home.machine?.locked { home.machine?.device?.latency } ?? 0 }

    override func lower(_ lowering: inout Lowering) -> NodePorts {
        let machine = home.machine
        let labels = ChannelLayouts.labels(of: machine?.renderFormat ?? lowering.outputFormat)
        let input = lowering.input(0)
        let strip = MixerStrip.reuse(strip, from: input.map { ChannelLayouts.labels(of: $0.format) } ?? labels, to: labels)
        self.strip = strip
        let node = lowering.graph.add(title, .matrix(strip.box.pointer), owner: strip.box, inputs: [input?.channels ?? labels.count], outputs: [labels.count],
                                      meter: lowering.meter)
        return NodePorts(inputs: [0: Graph.Port(node)], outputs: [0: Graph.Port(node)])
    }
}
