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

    /// Whether echo cancelling is on; it is not to be had yet.
    open var isVoiceProcessingEnabled: Bool { false }

    /// Switches echo cancelling for both ends. Throws: it is not implemented.
    open func setVoiceProcessingEnabled(_ enabled: Bool) throws {
        if enabled { throw notImplemented("voice processing", "Sound comes in as the device gives it.") }
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
        return NodePorts(inputs: [0: Graph.Port(node)], outputs: [0: Graph.Port(node)])
    }
}

/// Somebody has begun or ceased to speak into a muted microphone.
public enum AVAudioVoiceProcessingSpeechActivityEvent: Int, Sendable {
    case started = 0
    case ended = 1
}

/// How other sound is lowered while voice processing is on.
public struct AVAudioVoiceProcessingOtherAudioDuckingConfiguration: Sendable {
    /// How much.
    public enum Level: Int, Sendable {
        case `default` = 0
        case min = 10
        case mid = 20
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
