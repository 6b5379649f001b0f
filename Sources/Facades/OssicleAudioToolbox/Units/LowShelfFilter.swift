// The low shelf.

/// Cutoff frequency: 10...200 Hz, default 80.
public let kAULowShelfParam_CutoffFrequency: AudioUnitParameterID = 0
/// Gain: -40...40 dB, default 0.
public let kAULowShelfParam_Gain: AudioUnitParameterID = 1

extension UnitDescription {
    /// Raises or lowers the bass.
    static let lowShelf = effect(kAudioUnitSubType_LowShelfFilter, "AULowShelfFilter", [
        .init(kAULowShelfParam_CutoffFrequency, "cutoffFrequency", "Cutoff Frequency", .hertz, from: 10, to: 200, default: 80),
        .init(kAULowShelfParam_Gain, "gain", "Gain", .decibels, from: -40, to: 40, default: 0),
    ])
}
