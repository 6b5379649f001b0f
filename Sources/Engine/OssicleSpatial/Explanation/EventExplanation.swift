import OssicleAcoustics
import OssicleCore

/// The state of one sound event, and what its level is the product of. Plain values.
///
/// Gains and states are those of the moment; paths and obstacles those of the last update.
package struct EventExplanation {
    package let state: String
    /// Of the leaves that the tree chose, in order; empty unless the event plays.
    package let voices: [VoiceExplanation]
    /// What makes the whole event inaudible; empty if any of it is audible.
    package let silentBecause: [SilenceCause]

    /// Linear: −90 dB and below counts as silence.
    static let inaudible = Decibels.amplitude(-90)

    /// A linear gain in dB, −∞ for 0.
    package static func decibels(_ gain: Double) -> Double { gain > 0 ? Decibels.of(amplitude: gain) : -.infinity }
}

/// One leaf of an event.
package struct VoiceExplanation {
    /// Identifier of its node.
    package let node: String
    /// Identifier of the sound asset, or the kind of stream.
    package let sound: String
    /// What each node above it chose, from the root.
    package let choices: [String]
    package let state: String
    /// Seconds into the sound.
    package let position: Double
    /// Speed factor, with the group's.
    package let rate: Double
    /// What the gain of its direct sound is the product of, in the order of the signal.
    package let factors: [GainFactor]
    /// Empty for a channel or ambient mixer.
    package let sends: [SendGain]
    /// Metres; nil without a path.
    package let distance: Double?
    /// Metres; nil if it is never culled.
    package let cullDistance: Double?
    /// By the names that the client has given them by now.
    package let obstacles: [(name: String, obstacle: DirectPath.Obstacle)]
    /// Diffraction and reflection paths, loudest first.
    package let paths: [PathExplanation]
    /// Seconds of decay by 60 dB around the listener, by octave band; nil without reverberation.
    package let reverbTimes: [Double]?
    /// How its direct sound is rendered, and why.
    package let tier: TierExplanation
    /// What makes it inaudible; empty if it is audible.
    package let silentBecause: [SilenceCause]
}

/// How the direct sound of a voice is rendered, and why.
package enum TierExplanation: Equatable {
    /// Through an HRTF of its own, or panned: one of at most so many; nil where there is no limit.
    case full(limit: Int?)
    /// In the ambisonic bus: so many others come first.
    case bus(limit: Int)
    /// Not at all, because of the limit of voices.
    case virtual(limit: Int)
    /// Not a spatial mixer.
    case none
}

/// One factor of a voice's gain, and what it means if it is next to nothing.
package struct GainFactor {
    /// Which paths to the listener it lies on.
    enum Reach { case everything, directSound }

    package let name: String
    /// Linear; where it depends on the frequency, at 1 kHz.
    package let gain: Double
    /// dB by octave band; nil where they are all alike.
    package let bands: [Double]?
    /// The numbers behind it, in words.
    package let detail: String
    let reach: Reach
    let cause: SilenceCause
    /// Whether it alone makes a voice inaudible on that path.
    let silences: Bool

    /// - Parameters:
    ///   - cause: of silence; by default the factor's name. - silences: by default where the gain is inaudible.
    init(
        _ name: String, _ gain: Double, _ detail: String = "", bands: [Double]? = nil, on reach: Reach = .everything,
        cause: SilenceCause? = nil, silences: Bool? = nil
    ) {
        self.name = name
        self.gain = gain
        self.bands = bands
        self.detail = detail
        self.reach = reach
        self.cause = cause ?? .gain(of: name)
        self.silences = silences ?? !(gain > EventExplanation.inaudible)
    }
}

/// One send of a spatial mixer.
package struct SendGain {
    package enum Kind { case direct, early, late }

    package let kind: Kind
    /// Of the pipeline's entry, with its meta-parameter; linear.
    package let level: Double
    /// The product of all factors on this path, linear, at 1 kHz.
    package let gain: Double
}

/// A diffraction or reflection path.
package struct PathExplanation {
    /// What it meets, in words.
    package let course: String
    /// Milliseconds behind the direct sound.
    package let delay: Double
    /// Degrees to the left and up, in the axes of the listener's head.
    package let azimuth: Double
    package let elevation: Double
    /// dB re the source at 1 m, by octave band.
    package let bands: [Double]

    /// dB at 1 kHz.
    package var decibels: Double { bands[5] }

    /// - Parameter perMetre: milliseconds that sound takes for a metre.
    init(_ path: SoundPath, _ received: ReceivedPath, milliseconds perMetre: Double) {
        course = path.kind.words
        delay = (path.length - received.direct.centreDistance) * perMetre
        let seen = received.head.toLocalUnscaled(received.head.position + path.arrival)
        azimuth = DeterministicMath.atan2(-seen.x, -seen.z) * 180 / DeterministicMath.pi
        elevation = DeterministicMath.asin(min(max(seen.y, -1), 1)) * 180 / DeterministicMath.pi
        bands = path.bandGains.values.map { EventExplanation.decibels(Double($0) / max(path.length, 1e-6)) }
    }
}

/// Why a voice or an event is inaudible.
package enum SilenceCause: Equatable {
    case notStarted
    case waitingForUpdate
    /// Seconds from now.
    case waitingForStartTime(seconds: Double)
    case waitingForTurn
    case eventPaused
    case ended(EventEnd)
    case nothingChosen
    /// Metres.
    case culled(distance: Double, cullDistance: Double)
    case groupMuted(group: String)
    case silencedBySolo(group: String, of: [String])
    case groupPreset(group: String)
    case ducked(group: String, by: String)
    case blend(node: String, input: Double)
    /// The factor of that name.
    case gain(of: String)
    case sends(mixer: String)
    case behind(occluders: [String])
    case sourceNotInScene(String)
    case listenerNotInScene(String)
    case listenerGain(String)
    case voiceLimit(maximum: Int)
    case noFrames(node: String)
    /// No factor alone, but all together; dB.
    case tooQuiet(decibels: Double)
}

extension SoundPath.Kind {
    fileprivate var words: String {
        func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
        return switch self {
        case .reflection(let order): "off \(count(order, "surface"))"
        case .diffraction(let edges): "around \(count(edges, "edge"))"
        case .diffractedReflection(let order): "off \(count(order, "surface")) and around an edge"
        }
    }
}
