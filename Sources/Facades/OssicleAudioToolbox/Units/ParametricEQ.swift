// The parametric equaliser: one bell.

/// Center frequency: 20 Hz to half the sample rate, default 2000.
public let kParametricEQParam_CenterFreq: AudioUnitParameterID = 0
/// Q: 0.1...20, default 1.
public let kParametricEQParam_Q: AudioUnitParameterID = 1
/// Gain: -20...20 dB, default 0.
public let kParametricEQParam_Gain: AudioUnitParameterID = 2

extension UnitDescription {
    /// Raises or lowers the surroundings of a frequency.
    static let parametricEQ = effect(kAudioUnitSubType_ParametricEQ, "AUParametricEQ", [
        .init(kParametricEQParam_CenterFreq, "centerFrequency", "Center Frequency", .hertz, from: 20, to: .halfSampleRate, default: 2000),
        .init(kParametricEQParam_Q, "q", "Q", .generic, from: 0.1, to: 20, default: 1),
        .init(kParametricEQParam_Gain, "gain", "Gain", .decibels, from: -20, to: 20, default: 0),
    ])
}
