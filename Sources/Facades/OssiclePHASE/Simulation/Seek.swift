import OssicleAVFAudio

/// A seek that is under way.
struct Seek {
    let seconds: Double
    /// When to go on; nil is as soon as may be.
    let time: AVAudioTime?
    let handler: (@Sendable (PHASESoundEvent.SeekHandlerReason) -> Void)?
    /// Engine frame at which the voices go on; nil until an update has told them.
    var takesEffectAt: Int64?
}
