// The high shelf.

/// Cutoff frequency: 10 000 Hz to half the sample rate, default 10 000.
public let kHighShelfParam_CutOffFrequency: AudioUnitParameterID = 0
/// Gain: -40...40 dB, default 0.
public let kHighShelfParam_Gain: AudioUnitParameterID = 1

extension UnitDescription {
    /// Raises or lowers the treble.
    static let highShelf = effect(kAudioUnitSubType_HighShelfFilter, "AUHighShelfFilter", [
        .init(kHighShelfParam_CutOffFrequency, "cutoffFrequency", "Cutoff Frequency", .hertz, from: 10_000, to: .halfSampleRate,
              default: 10_000),
        .init(kHighShelfParam_Gain, "gain", "Gain", .decibels, from: -40, to: 40, default: 0),
    ])
}
