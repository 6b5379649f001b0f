// The high-pass filter.

/// Cutoff frequency: 10 Hz to half the sample rate, default 6900.
public let kHipassParam_CutoffFrequency: AudioUnitParameterID = 0
/// Resonance: -20...40 dB, default 0.
public let kHipassParam_Resonance: AudioUnitParameterID = 1

extension UnitDescription {
    /// Takes away what lies below a frequency.
    static let highPass = effect(kAudioUnitSubType_HighPassFilter, "AUHipass", [
        .init(kHipassParam_CutoffFrequency, "cutoffFrequency", "Cutoff Frequency", .hertz, from: 10, to: .halfSampleRate, default: 6900),
        .init(kHipassParam_Resonance, "resonance", "Resonance", .decibels, from: -20, to: 40, default: 0),
    ])
}
