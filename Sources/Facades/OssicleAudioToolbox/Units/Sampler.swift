// Numbers of the sampler.

/// Gain: -90...12 dB, default 0.
public let kAUSamplerParam_Gain: AudioUnitParameterID = 900
/// Coarse tuning: -24...24 semitones, default 0.
public let kAUSamplerParam_CoarseTuning: AudioUnitParameterID = 901
/// Fine tuning: -99...99 cents, default 0.
public let kAUSamplerParam_FineTuning: AudioUnitParameterID = 902
/// Pan: -1...1, default 0.
public let kAUSamplerParam_Pan: AudioUnitParameterID = 903

/// Most significant byte of the bank of percussion sets.
public let kAUSampler_DefaultPercussionBankMSB: Int = 0x78
/// Most significant byte of the bank of melodic instruments.
public let kAUSampler_DefaultMelodicBankMSB: Int = 0x79
/// Least significant byte of either bank.
public let kAUSampler_DefaultBankLSB: Int = 0
