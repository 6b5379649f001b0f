import OssicleRender
import OssicleSoundEvents

/// One leaf of a sound event that is playing: its player and what became of it.
final class Voice {
    enum State {
        case playing
        /// Culled, but to come back when it can be heard again.
        case asleep
        case finished
        case terminated
    }

    /// What it plays.
    enum Content {
        case sound(SamplerLeaf, RegisteredSound)
        case stream(StreamLeaf)
    }

    let content: Content
    let generator: Generator
    /// Index of the leaf's node, and of its activation in the event.
    let node: Int
    let activation: Int
    let player: VoicePlayer
    /// Keeps a streamed sound's window filled.
    var feeder: StreamFeeder?
    var state = State.playing
    /// What its gain and rate were made of at the last update.
    var level = VoiceLevel()
    /// Engine frame it was told to begin with, `Int64.max` while that is not known, and the source frame it begins at.
    var begins: Int64 = 0
    var place: Int64 = 0
    /// It waits for the end of others.
    var isFollower = false
    /// What the voice limit makes of it.
    var standing = VoiceStanding()
    /// Metres at which it was culled for good.
    var culledAt: Double?
    /// How often it was woken: keys the random offset.
    var wakings: UInt64 = 0

    init(_ content: Content, node: Int, activation: Int, player: VoicePlayer, feeder: StreamFeeder? = nil) {
        (self.content, self.node, self.activation) = (content, node, activation)
        (self.player, self.feeder) = (player, feeder)
        switch content {
        case .sound(let leaf, _): generator = leaf.generator
        case .stream(let leaf): generator = leaf.generator
        }
    }

    var isPlaying: Bool {
        if case .playing = state { true } else { false }
    }

    var isOver: Bool {
        switch state {
        case .playing, .asleep: false
        case .finished, .terminated: true
        }
    }

    /// Frames a second of what it plays.
    var sampleRate: Double {
        switch content {
        case .sound(_, let sound): sound.sampleRate
        case .stream(let leaf): leaf.sampleRate
        }
    }

    /// What becomes of it while it cannot be heard. A stream goes on: its client makes frames all the same.
    var cull: SamplerLeaf.Cull {
        switch content {
        case .sound(let leaf, _): leaf.cull
        case .stream: .doNotCull
        }
    }

    /// Whether its place in the sound moves on while it sleeps.
    var sleepsInRealTime: Bool { cull == .sleepWakeAtRealtimeOffset }

    /// Frame of its sound at `seconds`, for a loop within its length; the last there can be for what lies beyond all numbers.
    func frame(at seconds: Double) -> Int64 {
        let frame = Int64(nearest: seconds * sampleRate)
        guard case .sound(let leaf, let sound) = content, leaf.playback == .looping, sound.frameCount > 0 else { return frame }
        return frame % sound.frameCount
    }

    /// Engine time at which a one-shot's last frame was played, if it was.
    var finishedAt: Int64? {
        let time = player.status.pointee.finishedAt.load()
        return time >= 0 ? time : nil
    }
}
