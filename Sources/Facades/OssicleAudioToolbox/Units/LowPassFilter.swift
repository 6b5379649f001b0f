// The low-pass filter.

/// Cutoff frequency: 10 Hz to half the sample rate, default 6900.
public let kLowPassParam_CutoffFrequency: AudioUnitParameterID = 0
/// Resonance: -20...40 dB, default 0.
public let kLowPassParam_Resonance: AudioUnitParameterID = 1

extension UnitDescription {
    /// Takes away what lies above a frequency.
    static let lowPass = effect(kAudioUnitSubType_LowPassFilter, "AULowpass", [
        .init(kLowPassParam_CutoffFrequency, "cutoffFrequency", "Cutoff Frequency", .hertz, from: 10, to: .halfSampleRate, default: 6900),
        .init(kLowPassParam_Resonance, "resonance", "Resonance", .decibels, from: -20, to: 40, default: 0),
    ])
}
