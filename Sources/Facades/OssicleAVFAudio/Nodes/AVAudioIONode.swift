// The ends of a graph.

import OssicleAudioToolbox
import OssicleCoreAudioTypes
import OssicleGraph
import OssicleNodes
import OssicleRender

/// A node that stands for a device, or for the caller in manual rendering. Made by the engine.
open class AVAudioIONode: AVAudioNode {
    /// Seconds between this node and the ear or the microphone; 0 in manual rendering.
    open var presentationLatency: TimeInterval { 0 }

    /// The unit beneath; there is none here.
    open var audioUnit: AudioUnit? { nil }

    /// Whether what is captured has the echo of what is played taken out, at both ends of the engine. Default false.
    open var isVoiceProcessingEnabled: Bool {
        home.machine.map { machine in machine.locked { machine.hardware.processesVoice } } ?? false
    }

    /// Switches voice processing for both ends: echo cancelling, noise suppression and gain control. In manual
    /// rendering too, where the input block is the microphone.
    ///
    /// The input becomes mono, so ask for formats afterwards; where its format changes at a device,
    /// `AVAudioEngineConfigurationChange` is posted. The sound is 8.7 ms late at 48 kHz. A connection that the client
    /// has given more channels gets the one in each.
    ///
    /// Throws unless the engine is stopped. `start()` throws where input and output have two sample rates, or one
    /// outside of 8 to 48 kHz.
    open func setVoiceProcessingEnabled(_ enabled: Bool) throws {
        guard let machine = home.machine else {
            throw OssicleError.avfaudio(
                kAudioUnitErr_Uninitialized, title, value: "voice processing of a node without an engine",
                rule: "Both ends of an engine are switched together.", cure: "Keep the engine.")
        }
        try machine.setVoiceProcessing(enabled)
    }
}

/// Where sound leaves the graph: a device, or the caller in manual rendering. It converts what it is connected to, to
/// the rate and channels of that.
open class AVAudioOutputNode: AVAudioIONode {
    private var strip: MixerRow?

    package override var convertsInputs: Bool { true }

    package override func initialFormat(of bus: BusKey) -> AVAudioFormat {
        home.machine?.locked { home.machine?.renderFormat.standardCounterpart } ?? .initial
    }

    /// The hardware's format, or that of manual rendering.
    @discardableResult
    open override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat {
        guard bus == 0 else { return .none }
        return home.machine?.locked { home.machine?.renderFormat } ?? .initial
    }

    open override var presentationLatency: TimeInterval {
        home.machine?.locked { home.machine?.session.device?.latency } ?? 0
    }

    package override func lower(_ lowering: inout NodeLowering<AVAudioFormat>) -> NodePorts {
        let machine = home.machine
        let labels = (machine?.renderFormat ?? lowering.outputFormat).channelLabels
        let input = lowering.input(0)
        let strip = MixerRow.reuse(
            strip, from: input.map { $0.format.channelLabels } ?? labels, to: labels)
        self.strip = strip
        let node = lowering.graph.add(
            title, .matrix(strip.box.pointer), owner: strip.box, inputs: [input?.channels ?? labels.count],
            outputs: [labels.count],
            meter: lowering.meter)
        if let voice = machine?.session.voice {
            addReference(of: voice, labels.count, behind: node, to: &lowering.graph)
        }
        return NodePorts(inputs: [0: Graph.Port(node)], outputs: [0: Graph.Port(node)])
    }

    /// Has voice processing hear what leaves the engine. Where the input's block runs: on the audio thread.
    private func addReference(
        of voice: VoiceProcessor, _ channels: Int, behind node: Graph.NodeID, to graph: inout Graph
    ) {
        let renderer = RendererBox(
            BlockRenderer { ports, context in
                voice.takeReference(ports.inputs, ports.inputCount, frames: context.frames, at: context.position)
            })
        let reference = graph.add(
            "voice reference", .block(renderer.pointer), owner: renderer, inputs: [channels], outputs: [])
        graph.addRoot(reference)
        graph.connect(Graph.Port(node), to: Graph.Port(reference))
    }
}

/// Somebody has begun or ceased to speak into a muted microphone.
public enum AVAudioVoiceProcessingSpeechActivityEvent: Int, Sendable {
    /// Speech has begun.
    case started = 0
    /// Speech has ended.
    case ended = 1
}

/// How other sound is lowered while voice processing is on.
public struct AVAudioVoiceProcessingOtherAudioDuckingConfiguration: Sendable {
    /// How much.
    public enum Level: Int, Sendable {
        /// The system's own choice.
        case `default` = 0
        /// Other sound stays as loud as possible.
        case min = 10
        /// Between `min` and `max`.
        case mid = 20
        /// Other sound is lowered most, so that speech is understood best.
        case max = 30
    }

    /// Whether the amount follows speech; default false.
    public var enableAdvancedDucking: ObjCBool
    /// Default `.default`.
    public var duckingLevel: Level

    /// The defaults.
    public init() { self.init(enableAdvancedDucking: false, duckingLevel: .default) }

    /// Both values.
    public init(enableAdvancedDucking: ObjCBool, duckingLevel: Level) {
        self.enableAdvancedDucking = enableAdvancedDucking
        self.duckingLevel = duckingLevel
    }
}
