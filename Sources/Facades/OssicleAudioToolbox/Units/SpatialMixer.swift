// The mixer behind `AVAudioEnvironmentNode`.

/// Azimuth: -180...180°, default 0.
public let kSpatialMixerParam_Azimuth: AudioUnitParameterID = 0
/// Elevation: -90...90°, default 0.
public let kSpatialMixerParam_Elevation: AudioUnitParameterID = 1
/// Distance: 0...10 000 m, default 0.
public let kSpatialMixerParam_Distance: AudioUnitParameterID = 2
/// Gain: -120...20 dB, default 0.
public let kSpatialMixerParam_Gain: AudioUnitParameterID = 3
/// Playback rate: 0.5...2, default 1.
public let kSpatialMixerParam_PlaybackRate: AudioUnitParameterID = 4
/// Enable: 0 or 1, default 1.
public let kSpatialMixerParam_Enable: AudioUnitParameterID = 5
/// Min gain: 0...10 (factor), default 0.
public let kSpatialMixerParam_MinGain: AudioUnitParameterID = 6
/// Max gain: 0...10 (factor), default 10.
public let kSpatialMixerParam_MaxGain: AudioUnitParameterID = 7
/// Share of reverb: 0...100 %, default 30.
public let kSpatialMixerParam_ReverbBlend: AudioUnitParameterID = 8
/// Global reverb gain: -40...40 dB, default 0.
public let kSpatialMixerParam_GlobalReverbGain: AudioUnitParameterID = 9
/// Level of what passes through an obstacle at 5 kHz, ahead of the reverb send: -100...0 dB, default 0.
public let kSpatialMixerParam_OcclusionAttenuation: AudioUnitParameterID = 10
/// Level of the direct path at 5 kHz, behind the reverb send: -100...0 dB, default 0.
public let kSpatialMixerParam_ObstructionAttenuation: AudioUnitParameterID = 11
/// Head yaw: -180...180°, default 0.
public let kSpatialMixerParam_HeadYaw: AudioUnitParameterID = 19
/// Head pitch: -90...90°, default 0.
public let kSpatialMixerParam_HeadPitch: AudioUnitParameterID = 20
/// Head roll: -180...180°, default 0.
public let kSpatialMixerParam_HeadRoll: AudioUnitParameterID = 21

extension UnitDescription {
    /// Places its inputs around a listener.
    package static let spatialMixer = mixer(kAudioUnitSubType_SpatialMixer, "AUSpatialMixer", [
        .init(kSpatialMixerParam_Azimuth, "azimuth", "Azimuth", .degrees, from: -180, to: 180, default: 0, place: .input),
        .init(kSpatialMixerParam_Elevation, "elevation", "Elevation", .degrees, from: -90, to: 90, default: 0, place: .input),
        .init(kSpatialMixerParam_Distance, "distance", "Distance", .meters, from: 0, to: 10_000, default: 0, place: .input),
        .init(kSpatialMixerParam_Gain, "gain", "Gain", .decibels, from: -120, to: 20, default: 0, place: .inputAndOutput),
        .init(kSpatialMixerParam_PlaybackRate, "playbackRate", "Playback Rate", .rate, from: 0.5, to: 2, default: 1, place: .input),
        .init(kSpatialMixerParam_Enable, "enable", "Enable", .boolean, from: 0, to: 1, default: 1, flags: .stepping, place: .input),
        .init(kSpatialMixerParam_MinGain, "minGain", "Min Gain", .linearGain, from: 0, to: 10, default: 0, place: .input),
        .init(kSpatialMixerParam_MaxGain, "maxGain", "Max Gain", .linearGain, from: 0, to: 10, default: 10, place: .input),
        .init(kSpatialMixerParam_ReverbBlend, "reverbBlend", "Reverb Blend", .percent, from: 0, to: 100, default: 30, place: .input),
        .init(kSpatialMixerParam_GlobalReverbGain, "globalReverbGain", "Global Reverb Gain", .decibels, from: -40, to: 40, default: 0),
        .init(kSpatialMixerParam_OcclusionAttenuation, "occlusionAttenuation", "Occlusion Attenuation", .decibels,
              from: -100, to: 0, default: 0, place: .input),
        .init(kSpatialMixerParam_ObstructionAttenuation, "obstructionAttenuation", "Obstruction Attenuation", .decibels,
              from: -100, to: 0, default: 0, place: .input),
        .init(kSpatialMixerParam_HeadYaw, "headYaw", "Head Yaw", .degrees, from: -180, to: 180, default: 0),
        .init(kSpatialMixerParam_HeadPitch, "headPitch", "Head Pitch", .degrees, from: -90, to: 90, default: 0),
        .init(kSpatialMixerParam_HeadRoll, "headRoll", "Head Roll", .degrees, from: -180, to: 180, default: 0),
    ])
}
