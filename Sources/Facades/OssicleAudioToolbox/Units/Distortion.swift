// The distortion: a short delay, decimation, a polynomial, ring modulation and a soft clip.

/// Delay: 0.1...500 ms, default 0.1.
public let kDistortionParam_Delay: AudioUnitParameterID = 0
/// Decay: 0.1...50, default 1.
public let kDistortionParam_Decay: AudioUnitParameterID = 1
/// Delay mix: 0...100 %, default 50.
public let kDistortionParam_DelayMix: AudioUnitParameterID = 2
/// Decimation: 0...100 %, default 0.
public let kDistortionParam_Decimation: AudioUnitParameterID = 3
/// Rounding: 0...100 %, default 0.
public let kDistortionParam_Rounding: AudioUnitParameterID = 4
/// Decimation mix: 0...100 %, default 50.
public let kDistortionParam_DecimationMix: AudioUnitParameterID = 5
/// Linear term: 0...1 (factor), default 1.
public let kDistortionParam_LinearTerm: AudioUnitParameterID = 6
/// Squared term: 0...20 (factor), default 0.
public let kDistortionParam_SquaredTerm: AudioUnitParameterID = 7
/// Cubic term: 0...20 (factor), default 0.
public let kDistortionParam_CubicTerm: AudioUnitParameterID = 8
/// Polynomial mix: 0...100 %, default 50.
public let kDistortionParam_PolynomialMix: AudioUnitParameterID = 9
/// Ring modulation frequency 1: 0.5...8000 Hz, default 100.
public let kDistortionParam_RingModFreq1: AudioUnitParameterID = 10
/// Ring modulation frequency 2: 0.5...8000 Hz, default 100.
public let kDistortionParam_RingModFreq2: AudioUnitParameterID = 11
/// Ring modulation balance: 0...100 %, default 50.
public let kDistortionParam_RingModBalance: AudioUnitParameterID = 12
/// Ring modulation mix: 0...100 %, default 0.
public let kDistortionParam_RingModMix: AudioUnitParameterID = 13
/// Soft clip gain: -80...20 dB, default -6.
public let kDistortionParam_SoftClipGain: AudioUnitParameterID = 14
/// Final mix: 0...100 %, default 50.
public let kDistortionParam_FinalMix: AudioUnitParameterID = 15

extension UnitDescription {
    /// Delay, decimation, polynomial, ring modulation and soft clip, in this order.
    static let distortion = effect(kAudioUnitSubType_Distortion, "AUDistortion", [
        .init(kDistortionParam_Delay, "delay", "Delay", .milliseconds, from: 0.1, to: 500, default: 0.1),
        .init(kDistortionParam_Decay, "decay", "Decay", .rate, from: 0.1, to: 50, default: 1),
        .init(kDistortionParam_DelayMix, "delayMix", "Delay Mix", .percent, from: 0, to: 100, default: 50),
        .init(kDistortionParam_Decimation, "decimation", "Decimation", .percent, from: 0, to: 100, default: 0),
        .init(kDistortionParam_Rounding, "rounding", "Rounding", .percent, from: 0, to: 100, default: 0),
        .init(kDistortionParam_DecimationMix, "decimationMix", "Decimation Mix", .percent, from: 0, to: 100, default: 50),
        .init(kDistortionParam_LinearTerm, "linearTerm", "Linear Term", .linearGain, from: 0, to: 1, default: 1),
        .init(kDistortionParam_SquaredTerm, "squaredTerm", "Squared Term", .linearGain, from: 0, to: 20, default: 0),
        .init(kDistortionParam_CubicTerm, "cubicTerm", "Cubic Term", .linearGain, from: 0, to: 20, default: 0),
        .init(kDistortionParam_PolynomialMix, "polynomialMix", "Polynomial Mix", .percent, from: 0, to: 100, default: 50),
        .init(kDistortionParam_RingModFreq1, "ringModFrequency1", "Ring Modulation Frequency 1", .hertz, from: 0.5, to: 8000, default: 100),
        .init(kDistortionParam_RingModFreq2, "ringModFrequency2", "Ring Modulation Frequency 2", .hertz, from: 0.5, to: 8000, default: 100),
        .init(kDistortionParam_RingModBalance, "ringModBalance", "Ring Modulation Balance", .percent, from: 0, to: 100, default: 50),
        .init(kDistortionParam_RingModMix, "ringModMix", "Ring Modulation Mix", .percent, from: 0, to: 100, default: 0),
        .init(kDistortionParam_SoftClipGain, "softClipGain", "Soft Clip Gain", .decibels, from: -80, to: 20, default: -6),
        .init(kDistortionParam_FinalMix, "finalMix", "Final Mix", .percent, from: 0, to: 100, default: 50),
    ])
}
