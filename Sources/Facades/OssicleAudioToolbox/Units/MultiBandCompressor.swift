// The multi-band compressor: four bands, each with a compressor.

/// Pre-gain: -40...40 dB, default 0.
public let kMultibandCompressorParam_Pregain: AudioUnitParameterID = 0
/// Post-gain: -40...40 dB, default 0.
public let kMultibandCompressorParam_Postgain: AudioUnitParameterID = 1
/// Crossover 1: 20 Hz to half the sample rate, default 120.
public let kMultibandCompressorParam_Crossover1: AudioUnitParameterID = 2
/// Crossover 2: 20 Hz to half the sample rate, default 700.
public let kMultibandCompressorParam_Crossover2: AudioUnitParameterID = 3
/// Crossover 3: 20 Hz to half the sample rate, default 3000.
public let kMultibandCompressorParam_Crossover3: AudioUnitParameterID = 4
/// Threshold 1: -100...0 dB, default -22.
public let kMultibandCompressorParam_Threshold1: AudioUnitParameterID = 5
/// Threshold 2: -100...0 dB, default -32.
public let kMultibandCompressorParam_Threshold2: AudioUnitParameterID = 6
/// Threshold 3: -100...0 dB, default -33.
public let kMultibandCompressorParam_Threshold3: AudioUnitParameterID = 7
/// Threshold 4: -100...0 dB, default -36.
public let kMultibandCompressorParam_Threshold4: AudioUnitParameterID = 8
/// Headroom 1: 0.1...40 dB, default 5.
public let kMultibandCompressorParam_Headroom1: AudioUnitParameterID = 9
/// Headroom 2: 0.1...40 dB, default 12.
public let kMultibandCompressorParam_Headroom2: AudioUnitParameterID = 10
/// Headroom 3: 0.1...40 dB, default 5.
public let kMultibandCompressorParam_Headroom3: AudioUnitParameterID = 11
/// Headroom 4: 0.1...40 dB, default 7.5.
public let kMultibandCompressorParam_Headroom4: AudioUnitParameterID = 12
/// Attack time: 0.001...0.2 s, default 0.08.
public let kMultibandCompressorParam_AttackTime: AudioUnitParameterID = 13
/// Release time: 0.01...3 s, default 0.12.
public let kMultibandCompressorParam_ReleaseTime: AudioUnitParameterID = 14
/// EQ 1: -20...20 dB, default 0.
public let kMultibandCompressorParam_EQ1: AudioUnitParameterID = 15
/// EQ 2: -20...20 dB, default 0.
public let kMultibandCompressorParam_EQ2: AudioUnitParameterID = 16
/// EQ 3: -20...20 dB, default 0.
public let kMultibandCompressorParam_EQ3: AudioUnitParameterID = 17
/// EQ 4: -20...20 dB, default 0.
public let kMultibandCompressorParam_EQ4: AudioUnitParameterID = 18
/// Compression amount 1: 0...20 dB, default 0.
public let kMultibandCompressorParam_CompressionAmount1: AudioUnitParameterID = 1000
/// Compression amount 2: 0...20 dB, default 0.
public let kMultibandCompressorParam_CompressionAmount2: AudioUnitParameterID = 2000
/// Compression amount 3: 0...20 dB, default 0.
public let kMultibandCompressorParam_CompressionAmount3: AudioUnitParameterID = 3000
/// Compression amount 4: 0...20 dB, default 0.
public let kMultibandCompressorParam_CompressionAmount4: AudioUnitParameterID = 4000
/// Input amplitude 1: -120...20 dB, default -120.
public let kMultibandCompressorParam_InputAmplitude1: AudioUnitParameterID = 5000
/// Input amplitude 2: -120...20 dB, default -120.
public let kMultibandCompressorParam_InputAmplitude2: AudioUnitParameterID = 6000
/// Input amplitude 3: -120...20 dB, default -120.
public let kMultibandCompressorParam_InputAmplitude3: AudioUnitParameterID = 7000
/// Input amplitude 4: -120...20 dB, default -120.
public let kMultibandCompressorParam_InputAmplitude4: AudioUnitParameterID = 8000
/// Output amplitude 1: -120...20 dB, default -120.
public let kMultibandCompressorParam_OutputAmplitude1: AudioUnitParameterID = 9000
/// Output amplitude 2: -120...20 dB, default -120.
public let kMultibandCompressorParam_OutputAmplitude2: AudioUnitParameterID = 10_000
/// Output amplitude 3: -120...20 dB, default -120.
public let kMultibandCompressorParam_OutputAmplitude3: AudioUnitParameterID = 11_000
/// Output amplitude 4: -120...20 dB, default -120.
public let kMultibandCompressorParam_OutputAmplitude4: AudioUnitParameterID = 12_000

extension UnitDescription {
    /// Four bands, each with a compressor.
    static let multiBandCompressor = effect(kAudioUnitSubType_MultiBandCompressor, "AUMultibandCompressor", [
        .init(kMultibandCompressorParam_Pregain, "preGain", "Pre-Gain", .decibels, from: -40, to: 40, default: 0),
        .init(kMultibandCompressorParam_Postgain, "postGain", "Post-Gain", .decibels, from: -40, to: 40, default: 0),
        .init(kMultibandCompressorParam_Crossover1, "crossover1", "Crossover 1", .hertz, from: 20, to: .halfSampleRate, default: 120),
        .init(kMultibandCompressorParam_Crossover2, "crossover2", "Crossover 2", .hertz, from: 20, to: .halfSampleRate, default: 700),
        .init(kMultibandCompressorParam_Crossover3, "crossover3", "Crossover 3", .hertz, from: 20, to: .halfSampleRate, default: 3000),
        .init(kMultibandCompressorParam_Threshold1, "threshold1", "Threshold 1", .decibels, from: -100, to: 0, default: -22),
        .init(kMultibandCompressorParam_Threshold2, "threshold2", "Threshold 2", .decibels, from: -100, to: 0, default: -32),
        .init(kMultibandCompressorParam_Threshold3, "threshold3", "Threshold 3", .decibels, from: -100, to: 0, default: -33),
        .init(kMultibandCompressorParam_Threshold4, "threshold4", "Threshold 4", .decibels, from: -100, to: 0, default: -36),
        .init(kMultibandCompressorParam_Headroom1, "headroom1", "Headroom 1", .decibels, from: 0.1, to: 40, default: 5),
        .init(kMultibandCompressorParam_Headroom2, "headroom2", "Headroom 2", .decibels, from: 0.1, to: 40, default: 12),
        .init(kMultibandCompressorParam_Headroom3, "headroom3", "Headroom 3", .decibels, from: 0.1, to: 40, default: 5),
        .init(kMultibandCompressorParam_Headroom4, "headroom4", "Headroom 4", .decibels, from: 0.1, to: 40, default: 7.5),
        .init(kMultibandCompressorParam_AttackTime, "attackTime", "Attack Time", .seconds, from: 0.001, to: 0.2, default: 0.08),
        .init(kMultibandCompressorParam_ReleaseTime, "releaseTime", "Release Time", .seconds, from: 0.01, to: 3, default: 0.12),
        .init(kMultibandCompressorParam_EQ1, "eq1", "EQ 1", .decibels, from: -20, to: 20, default: 0),
        .init(kMultibandCompressorParam_EQ2, "eq2", "EQ 2", .decibels, from: -20, to: 20, default: 0),
        .init(kMultibandCompressorParam_EQ3, "eq3", "EQ 3", .decibels, from: -20, to: 20, default: 0),
        .init(kMultibandCompressorParam_EQ4, "eq4", "EQ 4", .decibels, from: -20, to: 20, default: 0),
        .init(kMultibandCompressorParam_CompressionAmount1, "compressionAmount1", "Compression Amount 1", .decibels,
              from: 0, to: 20, default: 0, flags: .meter),
        .init(kMultibandCompressorParam_CompressionAmount2, "compressionAmount2", "Compression Amount 2", .decibels,
              from: 0, to: 20, default: 0, flags: .meter),
        .init(kMultibandCompressorParam_CompressionAmount3, "compressionAmount3", "Compression Amount 3", .decibels,
              from: 0, to: 20, default: 0, flags: .meter),
        .init(kMultibandCompressorParam_CompressionAmount4, "compressionAmount4", "Compression Amount 4", .decibels,
              from: 0, to: 20, default: 0, flags: .meter),
        .init(kMultibandCompressorParam_InputAmplitude1, "inputAmplitude1", "Input Amplitude 1", .decibels, from: -120, to: 20,
              default: -120, flags: .meter),
        .init(kMultibandCompressorParam_InputAmplitude2, "inputAmplitude2", "Input Amplitude 2", .decibels, from: -120, to: 20,
              default: -120, flags: .meter),
        .init(kMultibandCompressorParam_InputAmplitude3, "inputAmplitude3", "Input Amplitude 3", .decibels, from: -120, to: 20,
              default: -120, flags: .meter),
        .init(kMultibandCompressorParam_InputAmplitude4, "inputAmplitude4", "Input Amplitude 4", .decibels, from: -120, to: 20,
              default: -120, flags: .meter),
        .init(kMultibandCompressorParam_OutputAmplitude1, "outputAmplitude1", "Output Amplitude 1", .decibels,
              from: -120, to: 20, default: -120, flags: .meter),
        .init(kMultibandCompressorParam_OutputAmplitude2, "outputAmplitude2", "Output Amplitude 2", .decibels,
              from: -120, to: 20, default: -120, flags: .meter),
        .init(kMultibandCompressorParam_OutputAmplitude3, "outputAmplitude3", "Output Amplitude 3", .decibels,
              from: -120, to: 20, default: -120, flags: .meter),
        .init(kMultibandCompressorParam_OutputAmplitude4, "outputAmplitude4", "Output Amplitude 4", .decibels,
              from: -120, to: 20, default: -120, flags: .meter),
    ])
}
