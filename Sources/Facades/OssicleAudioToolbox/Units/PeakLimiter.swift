// The peak limiter.

/// Attack time: 0.001...0.03 s, default 0.012.
public let kLimiterParam_AttackTime: AudioUnitParameterID = 0
/// Decay time: 0.001...0.06 s, default 0.024.
public let kLimiterParam_DecayTime: AudioUnitParameterID = 1
/// Pre-gain: -40...40 dB, default 0.
public let kLimiterParam_PreGain: AudioUnitParameterID = 2

extension UnitDescription {
    /// Keeps peaks below full scale.
    static let peakLimiter = effect(kAudioUnitSubType_PeakLimiter, "AUPeakLimiter", [
        .init(kLimiterParam_AttackTime, "attackTime", "Attack Time", .seconds, from: 0.001, to: 0.03, default: 0.012),
        .init(kLimiterParam_DecayTime, "decayTime", "Decay Time", .seconds, from: 0.001, to: 0.06, default: 0.024),
        .init(kLimiterParam_PreGain, "preGain", "Pre-Gain", .decibels, from: -40, to: 40, default: 0),
    ])
}
