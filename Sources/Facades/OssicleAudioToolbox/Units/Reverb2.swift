// The reverb behind `AVAudioUnitReverb`.

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

extension UnitDescription {
    /// A room by its delays and decay times.
    static let reverb = effect(kAudioUnitSubType_Reverb2, "AUReverb2", [
        .init(kReverb2Param_DryWetMix, "dryWetMix", "Dry/Wet Mix", .equalPowerCrossfade, from: 0, to: 100, default: 100),
        .init(kReverb2Param_Gain, "gain", "Gain", .decibels, from: -20, to: 20, default: 0),
        .init(kReverb2Param_MinDelayTime, "minDelayTime", "Min Delay Time", .seconds, from: 0.0001, to: 1, default: 0.008),
        .init(kReverb2Param_MaxDelayTime, "maxDelayTime", "Max Delay Time", .seconds, from: 0.0001, to: 1, default: 0.05),
        .init(kReverb2Param_DecayTimeAt0Hz, "decayTimeAt0Hz", "Decay Time at 0 Hz", .seconds, from: 0.001, to: 20, default: 1),
        .init(kReverb2Param_DecayTimeAtNyquist, "decayTimeAtNyquist", "Decay Time at Nyquist", .seconds, from: 0.001, to: 20, default: 0.5),
        .init(kReverb2Param_RandomizeReflections, "randomizeReflections", "Randomize Reflections", .indexed, from: 1, to: 1000,
              default: 1, flags: .stepping),
    ])
}
