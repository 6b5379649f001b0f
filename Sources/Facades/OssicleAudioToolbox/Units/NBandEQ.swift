// The equaliser behind `AVAudioUnitEQ`. A band's parameters are numbered from these constants on: the first band has the constant
// itself, the next one more.

/// Global gain: -96...24 dB, default 0.
public let kAUNBandEQParam_GlobalGain: AudioUnitParameterID = 0
/// Whether the first band does nothing: 0 or 1, default 1.
public let kAUNBandEQParam_BypassBand: AudioUnitParameterID = 1000
/// Type of the first band: 0...10, default 0.
public let kAUNBandEQParam_FilterType: AudioUnitParameterID = 2000
/// Frequency of the first band: 20 Hz to half the sample rate, default 1000.
public let kAUNBandEQParam_Frequency: AudioUnitParameterID = 3000
/// Gain of the first band: -96...24 dB, default 0.
public let kAUNBandEQParam_Gain: AudioUnitParameterID = 4000
/// Bandwidth of the first band: 0.05...5 octaves, default 0.5.
public let kAUNBandEQParam_Bandwidth: AudioUnitParameterID = 5000

extension UnitDescription {
    /// As many filters as wanted, one behind the other.
    package static let bandEQ = effect(kAudioUnitSubType_NBandEQ, "AUNBandEQ", [
        .init(kAUNBandEQParam_GlobalGain, "globalGain", "Global Gain", .decibels, from: -96, to: 24, default: 0),
        .init(kAUNBandEQParam_BypassBand, "bypass", "Bypass", .boolean, from: 0, to: 1, default: 1, flags: .stepping, place: .band),
        .init(kAUNBandEQParam_FilterType, "filterType", "Filter Type", .indexed, from: 0, to: 10, default: 0, flags: .stepping,
              place: .band, valueStrings: filterTypes),
        .init(kAUNBandEQParam_Frequency, "frequency", "Frequency", .hertz, from: 20, to: .halfSampleRate, default: 1000, place: .band),
        .init(kAUNBandEQParam_Gain, "gain", "Gain", .decibels, from: -96, to: 24, default: 0, place: .band),
        .init(kAUNBandEQParam_Bandwidth, "bandwidth", "Bandwidth", .octaves, from: 0.05, to: 5, default: 0.5, place: .band),
    ])
}

extension UnitDescription {
    /// The filters a band can be, in the order of their numbers.
    static let filterTypes = ["Parametric", "Low Pass", "High Pass", "Resonant Low Pass", "Resonant High Pass", "Band Pass", "Band Stop", "Low Shelf",
                              "High Shelf", "Resonant Low Shelf", "Resonant High Shelf"]
}
