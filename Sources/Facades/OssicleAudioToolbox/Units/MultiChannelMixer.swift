// The multi-channel mixer.

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

extension UnitDescription {
    /// Adds its inputs up.
    package static let multiChannelMixer = mixer(kAudioUnitSubType_MultiChannelMixer, "AUMultiChannelMixer", [
        .init(kMultiChannelMixerParam_Volume, "volume", "Volume", .linearGain, from: 0, to: 1, default: 1, place: .inputAndOutput),
        .init(kMultiChannelMixerParam_Enable, "enable", "Enable", .boolean, from: 0, to: 1, default: 1, flags: .stepping,
              place: .inputAndOutput),
        .init(kMultiChannelMixerParam_Pan, "pan", "Pan", .pan, from: -1, to: 1, default: 0, place: .input),
        .init(kMultiChannelMixerParam_PreAveragePower, "preAveragePower", "Pre Average Power", .decibels, from: -120, to: 20,
              default: -120, flags: .meter, place: .inputAndOutput),
        .init(kMultiChannelMixerParam_PrePeakHoldLevel, "prePeakHoldLevel", "Pre Peak Hold Level", .decibels, from: -120, to: 20,
              default: -120, flags: .meter, place: .inputAndOutput),
        .init(kMultiChannelMixerParam_PostAveragePower, "postAveragePower", "Post Average Power", .decibels, from: -120, to: 20,
              default: -120, flags: .meter, place: .inputAndOutput),
        .init(kMultiChannelMixerParam_PostPeakHoldLevel, "postPeakHoldLevel", "Post Peak Hold Level", .decibels,
              from: -120, to: 20, default: -120, flags: .meter, place: .inputAndOutput),
    ])
}
