// The ends of the line.

/// Volume: 0...1 (factor), default 1.
public let kHALOutputParam_Volume: AudioUnitParameterID = 14

extension UnitDescription {
    /// Rendering on demand, without a device.
    static let genericOutput = output(kAudioUnitSubType_GenericOutput, "Generic Output")
    /// A device, in the spelling of phones.
    static let remoteIO = output(kAudioUnitSubType_RemoteIO, "Remote IO")
    /// A device, in the spelling of computers.
    static let halOutput = output(kAudioUnitSubType_HALOutput, "Device Output")
    /// The device the user has chosen.
    static let defaultOutput = output(kAudioUnitSubType_DefaultOutput, "Default Output")
    /// A device with echo cancellation.
    static let voiceProcessingIO = output(kAudioUnitSubType_VoiceProcessingIO, "Voice Processing IO")
}
