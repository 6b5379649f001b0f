// The ends of the line.

/// Volume: 0...1 (factor), default 1.
public let kHALOutputParam_Volume: AudioUnitParameterID = 14

extension UnitDescription {
    /// Rendering on demand, without a device.
    package static let genericOutput = output(kAudioUnitSubType_GenericOutput, "GenericOutput")
    /// A device, in the spelling of phones.
    static let remoteIO = output(kAudioUnitSubType_RemoteIO, "AURemoteIO")
    /// A device, in the spelling of computers.
    package static let halOutput = output(kAudioUnitSubType_HALOutput, "AudioDeviceOutput")
    /// The device the user has chosen.
    static let defaultOutput = output(kAudioUnitSubType_DefaultOutput, "DefaultOutputUnit")
    /// A device with echo cancellation.
    static let voiceProcessingIO = output(kAudioUnitSubType_VoiceProcessingIO, "AUVoiceIO")
}
