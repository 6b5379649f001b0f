import OssicleCoreAudioTypes
import OssicleNodes

/// What can be wrong with a graph as a whole.
enum GraphFault {
    /// Calls the engine's graph and words the fault it throws.
    static func worded<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let fault as NodeFault<AVAudioNode> { throw error(of: fault) }
    }

    private static func error(of fault: NodeFault<AVAudioNode>) -> OssicleError {
        switch fault {
        case .rates(let node, let rate, let other): rates(node, rate, other)
        case .splitOverClocks(let wire): splitOverClocks(wire)
        case .liveThroughTimeChange(let node): liveThroughTimeChange(node)
        case .formats(let node, let input, let output): formats(node, input, output)
        case .cycle(let node): cycle(node)
        }
    }

    private static func error(
        _ status: OSStatus, _ object: String, _ value: String, _ rule: String, _ cure: String
    ) -> OssicleError {
        .avfaudio(status, object, value: value, rule: rule, cure: cure)
    }

    private static func rates(_ node: AVAudioNode, _ rate: Double, _ other: Double) -> OssicleError {
        error(
            kAudioUnitErr_FormatNotSupported, node.title, "\(rate) Hz beside \(other) Hz",
            "Only mixers, environments and the output convert sample rates.",
            "Connect it at \(other) Hz on every side, or put a mixer in between.")
    }

    private static func splitOverClocks(_ wire: Wire) -> OssicleError {
        error(
            kAudioUnitErr_FormatNotSupported, wire.source.title,
            "split towards \(wire.target.title) at \(wire.format.sampleRate) Hz",
            "All ways from a split to where they meet again must keep one rate, without a time effect on any of them.",
            "Split behind the conversion, or give every way a player of its own.")
    }

    private static func liveThroughTimeChange(_ node: AVAudioNode) -> OssicleError {
        error(
            kAudioUnitErr_CannotDoInCurrentContext, node.title, "fed by the input node",
            "A time effect takes in more or fewer frames than it gives out, and live input cannot be had ahead of time.",
            "Record the input first, or use an effect with as many frames out as in.")
    }

    private static func formats(_ node: AVAudioNode, _ input: AVAudioFormat, _ output: AVAudioFormat) -> OssicleError {
        error(
            kAudioUnitErr_FormatNotSupported, node.title, "\(input) in, \(output) out",
            "This node gives out the format it takes in.",
            "Connect both sides with one format, or put a mixer in between; while the engine runs, disconnect its output first."
        )
    }

    static func cycle(_ node: AVAudioNode) -> OssicleError {
        error(
            kAudioUnitErr_CannotDoInCurrentContext, node.title, "fed by its own output",
            "A graph must not go round in circles.",
            "Take away one connection of the circle; for feedback use AVAudioUnitDelay.")
    }

    static func notAttached(_ node: AVAudioNode) -> OssicleError {
        error(
            kAudio_ParamError, node.title, "not attached to this engine", "Only attached nodes can be connected.",
            "Call attach(_:) first.")
    }

    static func nodeIsGone(_ source: AVAudioNode, _ bus: AVAudioNodeBus) -> OssicleError {
        error(
            kAudio_ParamError, source.title, "a connection point for bus \(bus) of a node that is gone",
            "A connection point holds its node weakly.",
            "Attach the node, or keep it elsewhere, before you connect to it.")
    }

    static func attachedElsewhere(_ node: AVAudioNode) -> OssicleError {
        error(
            kAudio_ParamError, node.title, "attached to another engine", "A node belongs to one engine at a time.",
            "Detach it there first.")
    }

    static func inserted(_ node: AVAudioNode) -> OssicleError {
        error(
            kAudio_ParamError, node.title, "in a chain of insert effects",
            "A node belongs to one engine or one chain at a time.",
            "Take it out of the chain first, or make another one.")
    }

    static func unknownBus(_ node: AVAudioNode, _ bus: AVAudioNodeBus, _ direction: String, count: Int) -> OssicleError
    {
        error(
            kAudioUnitErr_InvalidElement, node.title, "\(direction) bus \(bus)",
            "It has \(count) \(direction) bus\(count == 1 ? "" : "ses"), counted from 0.",
            "Use one of them.")
    }

    private static func noInput(_ node: AVAudioNode) -> OssicleError {
        error(
            kAudioUnitErr_FormatNotSupported, node.title, "no input device",
            "It has a format once there is a microphone to record from.",
            "Connect one and start the sound server, or use manual rendering with setManualRenderingInputPCMFormat.")
    }

    static func badFormat(_ node: AVAudioNode, _ format: AVAudioFormat) -> OssicleError {
        if node is AVAudioInputNode, format.channelCount == 0 { return noInput(node) }
        return error(
            kAudioUnitErr_FormatNotSupported, node.title, "\(format)",
            "A connection carries deinterleaved 32-bit floats at 1 to 768,000 Hz in 1 to 64 channels.",
            "Use standardFormatWithSampleRate, or nil for the source's own; 0 Hz or 0 channels mean that there is no device."
        )
    }
}
