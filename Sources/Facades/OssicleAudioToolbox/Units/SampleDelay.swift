// The sample delay.

/// Delay: 0 frames to the sample rate, default 0.
public let kSampleDelayParam_DelayFrames: AudioUnitParameterID = 0

extension UnitDescription {
    /// Delays by whole frames.
    static let sampleDelay = effect(kAudioUnitSubType_SampleDelay, "AUSampleDelay", [
        .init(kSampleDelayParam_DelayFrames, "delayFrames", "Delay", .sampleFrames, from: 0, to: .sampleRate, default: 0),
    ])
}
