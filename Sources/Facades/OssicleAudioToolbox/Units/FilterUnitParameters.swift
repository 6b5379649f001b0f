// Parameters of the filters.

// MARK: Low-pass

/// Cutoff frequency: 10 Hz to half the sample rate, default 6900.
public let kLowPassParam_CutoffFrequency: AudioUnitParameterID = 0
/// Resonance: -20...40 dB, default 0.
public let kLowPassParam_Resonance: AudioUnitParameterID = 1

// MARK: High-pass

/// Cutoff frequency: 10 Hz to half the sample rate, default 6900.
public let kHipassParam_CutoffFrequency: AudioUnitParameterID = 0
/// Resonance: -20...40 dB, default 0.
public let kHipassParam_Resonance: AudioUnitParameterID = 1

// MARK: Band-pass

/// Center frequency: 20 Hz to half the sample rate, default 5000.
public let kBandpassParam_CenterFrequency: AudioUnitParameterID = 0
/// Bandwidth: 100...12 000 cents, default 600.
public let kBandpassParam_Bandwidth: AudioUnitParameterID = 1

// MARK: Low shelf

/// Cutoff frequency: 10...200 Hz, default 80.
public let kAULowShelfParam_CutoffFrequency: AudioUnitParameterID = 0
/// Gain: -40...40 dB, default 0.
public let kAULowShelfParam_Gain: AudioUnitParameterID = 1

// MARK: High shelf

/// Cutoff frequency: 10 000 Hz to half the sample rate, default 10 000.
public let kHighShelfParam_CutOffFrequency: AudioUnitParameterID = 0
/// Gain: -40...40 dB, default 0.
public let kHighShelfParam_Gain: AudioUnitParameterID = 1

// MARK: Parametric equaliser

/// Center frequency: 20 Hz to half the sample rate, default 2000.
public let kParametricEQParam_CenterFreq: AudioUnitParameterID = 0
/// Q: 0.1...20, default 1.
public let kParametricEQParam_Q: AudioUnitParameterID = 1
/// Gain: -20...20 dB, default 0.
public let kParametricEQParam_Gain: AudioUnitParameterID = 2

// MARK: Graphic equaliser: the gains of the bands have the numbers from 0 on

/// Number of bands: 0 for 10 bands, 1 for 31; default 1.
public let kGraphicEQParam_NumberOfBands: AudioUnitParameterID = 10_000

// MARK: Equaliser: a band's parameters count up from these, the first band's

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
