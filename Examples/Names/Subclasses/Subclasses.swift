// Subclasses whose own members have names that Ossicle's additions have as well: stored properties, without `override`.

import AVFAudio

/// An engine.
public final class Recorder: AVAudioEngine {
    public var lastError: Int = -1
    public var errorHandler: () -> String = { "wrapper" }
    public var duration: TimeInterval = -1
}

/// A player.
public final class Deck: AVAudioPlayerNode {
    public var starvedFrameCount = "deck"
    public func metadata() -> String { "wrapper" }
}
