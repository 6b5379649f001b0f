// The matrix reverb: a small and a large room, mixed, with a filter behind.

/// Dry/wet mix: 0...100 (equal power), default 100.
public let kReverbParam_DryWetMix: AudioUnitParameterID = 0
/// Small/large mix: 0...100 (equal power), default 50.
public let kReverbParam_SmallLargeMix: AudioUnitParameterID = 1
/// Small size: 0.005...0.02 s, default 0.02.
public let kReverbParam_SmallSize: AudioUnitParameterID = 2
/// Large size: 0.4...10 s, default 3.07.
public let kReverbParam_LargeSize: AudioUnitParameterID = 3
/// Pre delay: 0.001...0.03 s, default 0.025.
public let kReverbParam_PreDelay: AudioUnitParameterID = 4
/// Large delay: 0.001...0.1 s, default 0.035.
public let kReverbParam_LargeDelay: AudioUnitParameterID = 5
/// Small density: 0...1, default 0.28.
public let kReverbParam_SmallDensity: AudioUnitParameterID = 6
/// Large density: 0...1, default 0.82.
public let kReverbParam_LargeDensity: AudioUnitParameterID = 7
/// Large delay range: 0...1, default 0.3.
public let kReverbParam_LargeDelayRange: AudioUnitParameterID = 8
/// Small brightness: 0.1...1, default 0.96.
public let kReverbParam_SmallBrightness: AudioUnitParameterID = 9
/// Large brightness: 0.1...1, default 0.49.
public let kReverbParam_LargeBrightness: AudioUnitParameterID = 10
/// Small delay range: 0...1, default 0.5.
public let kReverbParam_SmallDelayRange: AudioUnitParameterID = 11
/// Modulation rate: 0.001...2 Hz, default 1.
public let kReverbParam_ModulationRate: AudioUnitParameterID = 12
/// Modulation depth: 0...1, default 0.2.
public let kReverbParam_ModulationDepth: AudioUnitParameterID = 13
/// Filter frequency: 10...20 000 Hz, default 800.
public let kReverbParam_FilterFrequency: AudioUnitParameterID = 14
/// Filter bandwidth: 0.05...4 octaves, default 3.
public let kReverbParam_FilterBandwidth: AudioUnitParameterID = 15
/// Filter gain: -18...18 dB, default 0.
public let kReverbParam_FilterGain: AudioUnitParameterID = 16
/// Filter type: 0...10, default 0.
public let kReverbParam_FilterType: AudioUnitParameterID = 17
/// Filter enable: 0 or 1, default 1.
public let kReverbParam_FilterEnable: AudioUnitParameterID = 18

extension UnitDescription {
    /// A small and a large room, mixed, with a filter behind. The published default of the small size, 0.06 s, lies outside its own
    /// range; ours is the limit next to it.
    static let matrixReverb = effect(kAudioUnitSubType_MatrixReverb, "AUMatrixReverb", [
        .init(kReverbParam_DryWetMix, "dryWetMix", "Dry/Wet Mix", .equalPowerCrossfade, from: 0, to: 100, default: 100),
        .init(kReverbParam_SmallLargeMix, "smallLargeMix", "Small/Large Mix", .equalPowerCrossfade, from: 0, to: 100, default: 50),
        .init(kReverbParam_SmallSize, "smallSize", "Small Size", .seconds, from: 0.005, to: 0.02, default: 0.02),
        .init(kReverbParam_LargeSize, "largeSize", "Large Size", .seconds, from: 0.4, to: 10, default: 3.07),
        .init(kReverbParam_PreDelay, "preDelay", "Pre Delay", .seconds, from: 0.001, to: 0.03, default: 0.025),
        .init(kReverbParam_LargeDelay, "largeDelay", "Large Delay", .seconds, from: 0.001, to: 0.1, default: 0.035),
        .init(kReverbParam_SmallDensity, "smallDensity", "Small Density", .generic, from: 0, to: 1, default: 0.28),
        .init(kReverbParam_LargeDensity, "largeDensity", "Large Density", .generic, from: 0, to: 1, default: 0.82),
        .init(kReverbParam_LargeDelayRange, "largeDelayRange", "Large Delay Range", .generic, from: 0, to: 1, default: 0.3),
        .init(kReverbParam_SmallBrightness, "smallBrightness", "Small Brightness", .generic, from: 0.1, to: 1, default: 0.96),
        .init(kReverbParam_LargeBrightness, "largeBrightness", "Large Brightness", .generic, from: 0.1, to: 1, default: 0.49),
        .init(kReverbParam_SmallDelayRange, "smallDelayRange", "Small Delay Range", .generic, from: 0, to: 1, default: 0.5),
        .init(kReverbParam_ModulationRate, "modulationRate", "Modulation Rate", .hertz, from: 0.001, to: 2, default: 1),
        .init(kReverbParam_ModulationDepth, "modulationDepth", "Modulation Depth", .generic, from: 0, to: 1, default: 0.2),
        .init(kReverbParam_FilterFrequency, "filterFrequency", "Filter Frequency", .hertz, from: 10, to: 20_000, default: 800),
        .init(kReverbParam_FilterBandwidth, "filterBandwidth", "Filter Bandwidth", .octaves, from: 0.05, to: 4, default: 3),
        .init(kReverbParam_FilterGain, "filterGain", "Filter Gain", .decibels, from: -18, to: 18, default: 0),
        .init(kReverbParam_FilterType, "filterType", "Filter Type", .indexed, from: 0, to: 10, default: 0, flags: .stepping,
              valueStrings: filterTypes),
        .init(kReverbParam_FilterEnable, "filterEnable", "Filter Enable", .boolean, from: 0, to: 1, default: 1, flags: .stepping),
    ])
}
