// The delay: one echo with feedback.

/// Wet/dry mix: 0...100 (equal power), default 50.
public let kDelayParam_WetDryMix: AudioUnitParameterID = 0
/// Delay time: 0...2 s, default 1.
public let kDelayParam_DelayTime: AudioUnitParameterID = 1
/// Feedback: -100...100 %, default 50.
public let kDelayParam_Feedback: AudioUnitParameterID = 2
/// Low-pass cutoff: 10 Hz to half the sample rate, default 15 000.
public let kDelayParam_LopassCutoff: AudioUnitParameterID = 3

extension UnitDescription {
    /// One echo with feedback and a low-pass in the loop.
    static let delay = effect(kAudioUnitSubType_Delay, "AUDelay", [
        .init(kDelayParam_WetDryMix, "wetDryMix", "Wet/Dry Mix", .equalPowerCrossfade, from: 0, to: 100, default: 50),
        .init(kDelayParam_DelayTime, "delayTime", "Delay Time", .seconds, from: 0, to: 2, default: 1),
        .init(kDelayParam_Feedback, "feedback", "Feedback", .percent, from: -100, to: 100, default: 50),
        .init(kDelayParam_LopassCutoff, "lowPassCutoff", "Low-Pass Cutoff", .hertz, from: 10, to: .halfSampleRate, default: 15_000),
    ])
}
