// The dynamics processor: compression above one threshold, expansion below another.

/// Threshold: -40...20 dB, default -20.
public let kDynamicsProcessorParam_Threshold: AudioUnitParameterID = 0
/// Headroom: 0.1...40 dB, default 5.
public let kDynamicsProcessorParam_HeadRoom: AudioUnitParameterID = 1
/// Expansion ratio: 1...50, default 2.
public let kDynamicsProcessorParam_ExpansionRatio: AudioUnitParameterID = 2
/// Expansion threshold: -120...0 dB, default -120.
public let kDynamicsProcessorParam_ExpansionThreshold: AudioUnitParameterID = 3
/// Attack time: 0.0001...0.2 s, default 0.001.
public let kDynamicsProcessorParam_AttackTime: AudioUnitParameterID = 4
/// Release time: 0.01...3 s, default 0.05.
public let kDynamicsProcessorParam_ReleaseTime: AudioUnitParameterID = 5
/// Overall gain: -40...40 dB, default 0.
public let kDynamicsProcessorParam_OverallGain: AudioUnitParameterID = 6
/// How far the level is taken down, read only: -120...120 dB, default 0.
public let kDynamicsProcessorParam_CompressionAmount: AudioUnitParameterID = 1000
/// Level at the input, read only: -120...20 dB, default -120.
public let kDynamicsProcessorParam_InputAmplitude: AudioUnitParameterID = 2000
/// Level at the output, read only: -120...20 dB, default -120.
public let kDynamicsProcessorParam_OutputAmplitude: AudioUnitParameterID = 3000

extension UnitDescription {
    /// Compressor and downward expander. No range of the expansion threshold is published; ours leaves it off by default.
    static let dynamicsProcessor = effect(kAudioUnitSubType_DynamicsProcessor, "AUDynamicsProcessor", [
        .init(kDynamicsProcessorParam_Threshold, "threshold", "Threshold", .decibels, from: -40, to: 20, default: -20),
        .init(kDynamicsProcessorParam_HeadRoom, "headroom", "Headroom", .decibels, from: 0.1, to: 40, default: 5),
        .init(kDynamicsProcessorParam_ExpansionRatio, "expansionRatio", "Expansion Ratio", .rate, from: 1, to: 50, default: 2),
        .init(kDynamicsProcessorParam_ExpansionThreshold, "expansionThreshold", "Expansion Threshold", .decibels,
              from: -120, to: 0, default: -120),
        .init(kDynamicsProcessorParam_AttackTime, "attackTime", "Attack Time", .seconds, from: 0.0001, to: 0.2, default: 0.001),
        .init(kDynamicsProcessorParam_ReleaseTime, "releaseTime", "Release Time", .seconds, from: 0.01, to: 3, default: 0.05),
        .init(kDynamicsProcessorParam_OverallGain, "overallGain", "Overall Gain", .decibels, from: -40, to: 40, default: 0),
        .init(kDynamicsProcessorParam_CompressionAmount, "compressionAmount", "Compression Amount", .decibels,
              from: -120, to: 120, default: 0, flags: .meter),
        .init(kDynamicsProcessorParam_InputAmplitude, "inputAmplitude", "Input Amplitude", .decibels, from: -120, to: 20,
              default: -120, flags: .meter),
        .init(kDynamicsProcessorParam_OutputAmplitude, "outputAmplitude", "Output Amplitude", .decibels, from: -120, to: 20,
              default: -120, flags: .meter),
    ])
}
