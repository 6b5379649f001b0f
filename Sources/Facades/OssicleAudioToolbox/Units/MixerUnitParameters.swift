// Parameters of mixers and outputs.

// MARK: Multi-channel mixer

/// Volume: 0...1 (factor), default 1.
public let kMultiChannelMixerParam_Volume: AudioUnitParameterID = 0
/// Enable: 0 or 1, default 1.
public let kMultiChannelMixerParam_Enable: AudioUnitParameterID = 1
/// Pan: -1...1, default 0.
public let kMultiChannelMixerParam_Pan: AudioUnitParameterID = 2
/// Pre average power: -120...20 dB, default -120.
public let kMultiChannelMixerParam_PreAveragePower: AudioUnitParameterID = 1000
/// Pre peak hold level: -120...20 dB, default -120.
public let kMultiChannelMixerParam_PrePeakHoldLevel: AudioUnitParameterID = 2000
/// Post average power: -120...20 dB, default -120.
public let kMultiChannelMixerParam_PostAveragePower: AudioUnitParameterID = 3000
/// Post peak hold level: -120...20 dB, default -120.
public let kMultiChannelMixerParam_PostPeakHoldLevel: AudioUnitParameterID = 4000

// MARK: Matrix mixer

/// Volume: 0...1 (factor), default 1.
public let kMatrixMixerParam_Volume: AudioUnitParameterID = 0
/// Enable: 0 or 1, default 1.
public let kMatrixMixerParam_Enable: AudioUnitParameterID = 1
/// Pre average power: -120...20 dB, default -120.
public let kMatrixMixerParam_PreAveragePower: AudioUnitParameterID = 1000
/// Pre peak hold level: -120...20 dB, default -120.
public let kMatrixMixerParam_PrePeakHoldLevel: AudioUnitParameterID = 2000
/// Post average power: -120...20 dB, default -120.
public let kMatrixMixerParam_PostAveragePower: AudioUnitParameterID = 3000
/// Post peak hold level: -120...20 dB, default -120.
public let kMatrixMixerParam_PostPeakHoldLevel: AudioUnitParameterID = 4000
/// Pre average power linear: 0...10 (factor), default 0.
public let kMatrixMixerParam_PreAveragePowerLinear: AudioUnitParameterID = 5000
/// Pre peak hold level linear: 0...10 (factor), default 0.
public let kMatrixMixerParam_PrePeakHoldLevelLinear: AudioUnitParameterID = 6000
/// Post average power linear: 0...10 (factor), default 0.
public let kMatrixMixerParam_PostAveragePowerLinear: AudioUnitParameterID = 7000
/// Post peak hold level linear: 0...10 (factor), default 0.
public let kMatrixMixerParam_PostPeakHoldLevelLinear: AudioUnitParameterID = 8000

// MARK: Spatial mixer

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

// MARK: Outputs

/// Volume: 0...1 (factor), default 1.
public let kHALOutputParam_Volume: AudioUnitParameterID = 14
