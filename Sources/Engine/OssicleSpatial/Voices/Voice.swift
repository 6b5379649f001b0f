import OssicleCore
import OssicleRender
import OssicleSoundEvents

/// One leaf of a sound event that is playing: its player and what became of it. Under the engine's lock.
package final class Voice {
    package enum State {
        case playing
        /// Culled, but to come back when it can be heard again.
        case asleep
        case finished
        case terminated
    }

    /// What it plays.
    package enum Content {
        case sound(SamplerLeaf, RegisteredSound)
        case stream(StreamLeaf)
    }

    package let content: Content
    package let generator: Generator
    /// Index of the leaf's node, and of its activation in the event.
    package let node: Int
    package let activation: Int
    package let player: VoicePlayer
    /// Keeps a streamed sound's window filled.
    package internal(set) var feeder: StreamFeeder?
    package internal(set) var state = State.playing
    /// What its gain and rate were made of at the last update.
    package internal(set) var level = VoiceLevel()
    /// Engine frame of its beginning, as sent, `Int64.max` while that is not known, and the source frame it begins at.
    package internal(set) var begins: Int64 = 0
    var position: Int64 = 0
    /// It waits for the end of others.
    package internal(set) var isFollower = false
    /// What the voice limit makes of it.
    package internal(set) var priority = VoicePriority()
    /// Metres at which it was culled for good.
    package internal(set) var culledAt: Double?
    /// How often it was woken: keys the random offset.
    var wakings: UInt64 = 0

    init(_ content: Content, node: Int, activation: Int, player: VoicePlayer, feeder: StreamFeeder? = nil) {
        self.content = content
        self.node = node
        self.activation = activation
        self.player = player
        self.feeder = feeder
        switch content {
        case .sound(let leaf, _): generator = leaf.generator
        case .stream(let leaf): generator = leaf.generator
        }
    }

    var isPlaying: Bool { state == .playing }
    package var isOver: Bool { state == .finished || state == .terminated }

    /// Frames a second of what it plays.
    package var sampleRate: Double {
        switch content {
        case .sound(_, let sound): sound.sampleRate
        case .stream(let leaf): leaf.sampleRate
        }
    }

    /// The sound asset it plays; empty for a stream.
    package var assetName: String {
        if case .sound(let leaf, _) = content { leaf.asset } else { "" }
    }

    /// What becomes of it while it cannot be heard. A stream plays on: its client makes frames all the same.
    var cull: SamplerLeaf.Cull {
        switch content {
        case .sound(let leaf, _): leaf.cull
        case .stream: .doNotCull
        }
    }

    /// Whether its position in the sound moves on while it sleeps.
    var sleepsInRealTime: Bool { cull == .sleepWakeAtRealtimeOffset }

    /// Frame of its sound at `seconds`, for a loop within its length; the last there can be for what lies beyond all
    /// numbers.
    func frame(at seconds: Double) -> Int64 {
        let frame = Int64(nearest: seconds * sampleRate)
        guard case .sound(let leaf, let sound) = content, leaf.playback == .looping, sound.frameCount > 0 else {
            return frame
        }
        return frame % sound.frameCount
    }

    /// Engine time at which a one-shot's last frame was played, if it was.
    var finishedAt: Int64? {
        let time = player.status.pointee.finishedAt.load()
        return time >= 0 ? time : nil
    }

    /// Its file could not be opened.
    var hasFailed: Bool { feeder?.couldNotOpen ?? false }

    /// Frames that a file could not deliver in time.
    package var starvedFrames: Int64 { player.status.pointee.starvedFrames.load() }
}

/// The renderer behind a voice.
package enum VoicePlayer {
    case sampler(ControlledBox<PlayerRenderer>)
    case stream(ControlledBox<StreamRenderer>)

    /// For commands.
    var voice: VoiceReference {
        switch self {
        case .sampler(let box): .player(box.pointer)
        case .stream(let box): .stream(box.pointer)
        }
    }

    /// For the graph: the renderer, and what keeps it.
    package var body: (reference: RendererReference, owner: AnyObject) {
        switch self {
        case .sampler(let box): (.player(box.pointer), box)
        case .stream(let box): (.stream(box.pointer), box)
        }
    }

    private var control: PlayerRenderer.Control {
        switch self {
        case .sampler(let box): box.control
        case .stream(let box): box.control
        }
    }

    package var status: UnsafeMutablePointer<PlayerRenderer.Status> { control.status }

    func write(_ parameters: PlayerRenderer.Parameters) { control.cell.write(parameters) }
}

/// What the gain and the rate of a voice are made of.
package struct VoiceLevel {
    /// Blends on the way from the root of the tree.
    package var tree = 1.0
    /// Calibrated level times the gain meta-parameter.
    package var generator = 1.0
    /// The asset's own, from its loudness.
    package var normalisation = 1.0
    package var group = GroupLevel()
    /// Definition and meta-parameter, without the group's.
    var rate = 1.0

    init() {}

    package init(
        of voice: Voice, treeGain: Double, _ values: ParameterValues, groups: [String: GroupLevel]
    ) {
        tree = treeGain
        generator = voice.generator.gain(values)
        if case .sound(_, let sound) = voice.content { normalisation = sound.normalisation }
        group = voice.generator.group.flatMap { groups[$0] } ?? GroupLevel()
        rate = voice.generator.rate(values)
    }

    var gain: Double { tree * generator * normalisation * group.gain }
    package var speed: Double { rate * group.rate }
}

/// The rank of a voice when more want to be heard than the voice limit allows.
package struct VoicePriority {
    /// There is no room for it: it is virtual, advances and is not rendered.
    package internal(set) var isVirtual = false
    /// `isVirtual` as last sent to its player.
    var sentVirtual = false
    /// Its level in steps of 3 dB. It changes when the level is more than a step off, so that two voices about as loud
    /// do not take turns.
    private(set) var levelStep: Int?

    private static let decibelsPerStep = 3.0
    /// What is below this is not heard, whatever its priority.
    private static let floor = -100.0

    /// - Parameter gain: linear.
    mutating func update(gain: Double) {
        let level = gain > 0 ? min(Decibels.of(amplitude: gain), 100) : -.infinity
        guard level > Self.floor else { return levelStep = nil }
        if let step = levelStep, abs(level - Double(step) * Self.decibelsPerStep) <= Self.decibelsPerStep { return }
        levelStep = Int((level / Self.decibelsPerStep).rounded())
    }
}
