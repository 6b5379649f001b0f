import AVFoundation

/// The ports that a unit has as an LV2 plug-in: sound in, sound out, MIDI in, a control for each parameter, and the
/// latency.
public struct UnitPorts {
    public let inputs: Int
    public let outputs: Int
    public let takesMIDI: Bool
    public let parameters: [AUParameter]

    public init(of unit: AUAudioUnit) {
        inputs = unit.inputBusses.count > 0 ? Int(unit.inputBusses[0].format.channelCount) : 0
        outputs = unit.outputBusses.count > 0 ? Int(unit.outputBusses[0].format.channelCount) : 0
        takesMIDI = unit.scheduleMIDIEventBlock != nil
        parameters = (unit.parameterTree?.allParameters ?? []).filter { $0.flags.contains(.flag_IsWritable) }
    }

    public var midi: Int? { takesMIDI ? inputs + outputs : nil }
    public var firstControl: Int { inputs + outputs + (takesMIDI ? 1 : 0) }
    public var latency: Int { firstControl + parameters.count }
    public var count: Int { latency + 1 }
}
