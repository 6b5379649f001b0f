import OssicleCore
import OssicleRender
import OssicleSoundEvents

/// One leaf of a sound event that is playing: its player and what became of it. Under the engine's lock, which is why
/// what every update looks at needs no check against overlapping accesses.
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
    /// Of the player.
    let control: PlayerRenderer.Control
    /// Keeps a streamed sound's window filled.
    package internal(set) var feeder: StreamFeeder?
    @exclusivity(unchecked) package internal(set) var state = State.playing
    @exclusivity(unchecked) private var found = FoundLevel()
    /// What its player plays at, as last sent.
    @exclusivity(unchecked) var sent = SentLevel()
    /// Engine frame of its beginning, as sent, `Int64.max` while that is not known, and the source frame it begins at.
    @exclusivity(unchecked) package internal(set) var begins: Int64 = 0
    var position: Int64 = 0
    /// It waits for the end of others.
    package internal(set) var isFollower = false
    /// What the voice limit makes of it.
    @exclusivity(unchecked) package internal(set) var priority = VoicePriority()
    @exclusivity(unchecked) package internal(set) var culling: VoiceCulling
    /// What it gives, measured while somebody looks.
    package private(set) lazy var meter = RendererBox(StepMeter(isPeakOnly: true))

    init(_ content: Content, node: Int, activation: Int, player: VoicePlayer, feeder: StreamFeeder? = nil) {
        self.content = content
        self.node = node
        self.activation = activation
        self.player = player
        self.feeder = feeder
        control = player.control
        switch content {
        case .sound(let leaf, _): (generator, culling) = (leaf.generator, VoiceCulling(rule: leaf.cull))
        case .stream(let leaf): (generator, culling) = (leaf.generator, VoiceCulling(rule: .doNotCull))
        }
    }

    /// Finds the level anew where anything that it depends on has changed.
    func setLevel(_ inputs: VoiceLevel.Inputs, of event: EventInstance, _ groups: GroupMix) {
        if found.inputs == inputs { return }
        found = FoundLevel(
            inputs, VoiceLevel(of: self, treeGain: inputs.treeGain, event.currentValues, groups: groups.levels))
    }

    /// What its gain and rate were made of at the last update.
    package var level: VoiceLevel { found.level }
    var gain: Double { found.gain }
    var speed: Double { found.speed }

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

    /// Whether it does not end by itself: a loop of frames that are in memory.
    var isEndless: Bool {
        if case .sound(let leaf, _) = content { leaf.playback == .looping && feeder == nil } else { false }
    }

    /// Whether its position in the sound moves on while it sleeps.
    var sleepsInRealTime: Bool { culling.rule == .sleepWakeAtRealtimeOffset }

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
        let time = control.status.pointee.finishedAt.load()
        return time >= 0 ? time : nil
    }

    /// Its file could not be opened.
    var hasFailed: Bool { feeder?.couldNotOpen ?? false }

    /// Frames that a file could not deliver in time.
    package var starvedFrames: Int64 { player.status.pointee.starvedFrames.load() }
}

/// A voice beyond its cull distance.
package struct VoiceCulling {
    /// What becomes of it. A stream plays on: its client makes frames all the same.
    let rule: SamplerLeaf.Cull
    /// Metres at which it was culled for good.
    package internal(set) var distance: Double?
    /// How often it was woken: keys the random offset.
    var wakings: UInt64 = 0
}

/// A voice's level as it was found last, and what that was made of.
private struct FoundLevel {
    private(set) var inputs: VoiceLevel.Inputs?
    private(set) var level = VoiceLevel()
    /// Of `level`.
    private(set) var gain = 0.0
    private(set) var speed = 1.0

    init() {}

    init(_ inputs: VoiceLevel.Inputs, _ level: VoiceLevel) {
        self.inputs = inputs
        self.level = level
        gain = level.gain
        speed = level.speed
    }
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

    fileprivate var control: PlayerRenderer.Control {
        switch self {
        case .sampler(let box): box.control
        case .stream(let box): box.control
        }
    }

    package var status: UnsafeMutablePointer<PlayerRenderer.Status> { control.status }
}

/// Gain and speed as a voice's player has them, so that they are sent when they change and at no other time.
struct SentLevel {
    private var gain = Double.nan
    private var speed = Double.nan
    private var parameters: PlayerRenderer.Parameters?
    /// Engine time of the last change.
    private var since: Int64 = 0
    /// Frames after which a player has come to rest at a level that stays.
    private static let longestGlide: Int64 = 65_536

    /// - Parameter isRendered: whether time passes for its glide.
    /// - Returns: what has to be sent; nil for nothing new.
    mutating func update(
        gain: Double, speed: Double, of voice: Voice, _ output: OutputStage, rampFrames: Int, isRendered: Bool,
        at position: Int64
    ) -> PlayerRenderer.Parameters? {
        if gain == self.gain, speed == self.speed {
            // While it glides, each time anew: the glide is from where it is to the next update.
            if !isRendered || position < since { since = position }
            if position - since > Self.longestGlide { return nil }
            parameters?.rampFrames = rampFrames
            return parameters
        }
        if speed == self.speed {
            parameters?.gain = Float(gain)
            parameters?.rampFrames = rampFrames
        } else {
            parameters = output.playback(voice.sampleRate, rate: speed, gain: gain, rampFrames: rampFrames)
        }
        (self.gain, self.speed, since) = (gain, speed, position)
        return parameters
    }
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

    /// What it depends on, besides the voice.
    struct Inputs: Equatable {
        let treeGain: Double
        /// Of the event's meta-parameters, and of the groups' levels.
        let values, groups: UInt64
    }

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
    /// There is room for it, once its path and level are those of now.
    var waits = false
    /// `isVirtual` as last sent to its player.
    var sentVirtual = false
    /// Its level in steps of 3 dB. It changes when the level is more than a step off, so that two voices about as loud
    /// do not take turns.
    private(set) var levelStep: Int?
    /// Amplitudes between which the step stays what it is.
    private var softest = 0.0, loudest = 0.0

    private static let decibelsPerStep = 3.0
    /// What is below this is not heard, whatever its priority.
    private static let floor = -100.0

    /// - Parameter gain: linear.
    mutating func update(gain: Double) {
        if levelStep != nil, gain >= softest, gain <= loudest { return }
        let level = gain > 0 ? min(Decibels.of(amplitude: gain), 100) : -.infinity
        guard level > Self.floor else { return levelStep = nil }
        let step = (level / Self.decibelsPerStep).rounded()
        levelStep = Int(step)
        softest = Decibels.amplitude(max((step - 1) * Self.decibelsPerStep, Self.floor))
        loudest = level < 100 ? Decibels.amplitude((step + 1) * Self.decibelsPerStep) : .infinity
    }
}
