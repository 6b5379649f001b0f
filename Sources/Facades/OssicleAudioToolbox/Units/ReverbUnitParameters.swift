// Parameters of the reverbs.

// MARK: Reverb

/// Dry/wet mix: 0...100 (equal power), default 100.
public let kReverb2Param_DryWetMix: AudioUnitParameterID = 0
/// Gain: -20...20 dB, default 0.
public let kReverb2Param_Gain: AudioUnitParameterID = 1
/// Min delay time: 0.0001...1 s, default 0.008.
public let kReverb2Param_MinDelayTime: AudioUnitParameterID = 2
/// Max delay time: 0.0001...1 s, default 0.05.
public let kReverb2Param_MaxDelayTime: AudioUnitParameterID = 3
/// Decay time at 0 hz: 0.001...20 s, default 1.
public let kReverb2Param_DecayTimeAt0Hz: AudioUnitParameterID = 4
/// Decay time at nyquist: 0.001...20 s, default 0.5.
public let kReverb2Param_DecayTimeAtNyquist: AudioUnitParameterID = 5
/// Randomize reflections: 1...1000, default 1.
public let kReverb2Param_RandomizeReflections: AudioUnitParameterID = 6

// MARK: Matrix reverb

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
/// Whether the reverb sounds as it did before a change of its maker's. No unit here has it.
public let kReverb2Param_LegacyMode: AudioUnitParameterID = 7
