// The unit behind `AVAudioUnitVarispeed`.

/// Playback rate: 0.25...4, default 1.
public let kVarispeedParam_PlaybackRate: AudioUnitParameterID = 0
/// Playback cents: -2400...2400 cents, default 0.
public let kVarispeedParam_PlaybackCents: AudioUnitParameterID = 1

extension UnitDescription {
    /// Plays faster and higher, or slower and lower. Rate is 2^(cents/1200): the two parameters are one.
    static let varispeed = timeEffect(kAudioUnitSubType_Varispeed, "AUVarispeed", [
        .init(kVarispeedParam_PlaybackRate, "playbackRate", "Playback Rate", .rate, from: 0.25, to: 4, default: 1),
        .init(kVarispeedParam_PlaybackCents, "playbackCents", "Playback Cents", .cents, from: -2400, to: 2400, default: 0),
    ])
}
