// The band-pass filter.

/// Center frequency: 20 Hz to half the sample rate, default 5000.
public let kBandpassParam_CenterFrequency: AudioUnitParameterID = 0
/// Bandwidth: 100...12 000 cents, default 600.
public let kBandpassParam_Bandwidth: AudioUnitParameterID = 1

extension UnitDescription {
    /// Leaves what lies around a frequency.
    static let bandPass = effect(kAudioUnitSubType_BandPassFilter, "AUBandpass", [
        .init(kBandpassParam_CenterFrequency, "centerFrequency", "Center Frequency", .hertz, from: 20, to: .halfSampleRate, default: 5000),
        .init(kBandpassParam_Bandwidth, "bandwidth", "Bandwidth", .cents, from: 100, to: 12_000, default: 600),
    ])
}
