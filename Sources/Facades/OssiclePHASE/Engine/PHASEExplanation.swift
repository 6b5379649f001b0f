import OssicleSpatial

/// The state of a sound event, and why it has its level, or is inaudible (an addition of Ossicle).
///
/// `description` prints all of it. Gains, states and positions in the sound are those of the moment; places in the
/// scene, and what stands between them, are those of the last update, because tracing is the update's work.
public struct PHASEExplanation: Sendable {
    /// One factor of the gain of a voice.
    public struct Factor: Sendable, Equatable {
        /// What it comes from, as “group “music””.
        public let name: String
        /// Linear. Where it depends on the frequency: at 1 kHz.
        public let gain: Double
        /// dB in the ten octave bands 31.5 Hz … 16 kHz; nil where they are all alike.
        public let bands: [Double]?
        /// The numbers behind it, in words.
        public let detail: String

        /// `gain` in dB, −∞ for 0.
        public var decibels: Double { PHASEExplanation.decibels(gain) }
    }

    /// One of the paths from a spatial mixer to the listener.
    public struct Send: Sendable, Equatable {
        /// Which path it is.
        public let category: PHASESpatialCategory
        /// Of the pipeline's entry, with its meta-parameter; linear.
        public let level: Double
        /// The product of all factors on this path, linear, at 1 kHz: the direct sound with distance,
        /// directivity and occlusion, the reverb's send without.
        public let gain: Double

        /// `gain` in dB, −∞ for 0.
        public var decibels: Double { PHASEExplanation.decibels(gain) }
    }

    /// A reflection or diffraction path, in `acousticsMode` `.geometry`.
    public struct Path: Sendable, Equatable {
        /// How it goes, as “around 1 edge” or “off 2 surfaces”.
        public let course: String
        /// Milliseconds behind the direct sound, whether that is audible or not.
        public let delay: Double
        /// Where it comes from as the listener's head is turned, degrees: to the left, and up.
        public let azimuth, elevation: Double
        /// Level with distance, in dB re the source at 1 m, at 1 kHz.
        public let decibels: Double
        /// dB re the source at 1 m in the ten octave bands 31.5 Hz … 16 kHz.
        public let bands: [Double]
    }

    /// One leaf of the event.
    public struct Voice: Sendable {
        /// Identifier of its node.
        public let node: String
        /// What it plays: the identifier of a sound asset, or “push stream”, “pull stream”.
        public let sound: String
        /// How the tree led to it, from the root.
        public let way: [String]
        /// Whether it plays, in words.
        public let state: String
        /// Seconds into the sound.
        public let position: Double
        /// Speed factor, with the group's.
        public let rate: Double
        /// What the level of its direct sound is the product of, in the order of the signal.
        public let factors: [Factor]
        /// Empty for a channel or ambient mixer, which has one path only.
        public let sends: [Send]
        /// Metres between the centres of source and listener; nil without a path.
        public let distance: Double?
        /// Metres; nil if it is never culled.
        public let cullDistance: Double?
        /// What stands between, with its loss in the ten octave bands.
        public let occluders: [PHASEDirectPathReport.Occluder]
        /// Diffraction and reflection paths, loudest first; empty with a reverb preset.
        public let paths: [Path]
        /// Seconds in which the reverb around the listener decays by 60 dB, in the ten octave bands; nil where there is
        /// none.
        public let reverbTimes: [Double]?
        /// How its direct sound is rendered, and why; nil where its mixer is not spatial.
        public let tier: Tier?
        /// What makes it inaudible; empty if it is audible.
        public let silentBecause: [Cause]

        /// The product of all factors: the gain of the direct sound, linear, at 1 kHz.
        public var gain: Double { factors.reduce(1) { $0 * $1.gain } }
        /// `gain` in dB, −∞ for 0.
        public var decibels: Double { PHASEExplanation.decibels(gain) }
        /// The same in the ten octave bands, in dB.
        public var bands: [Double] {
            (0..<10).map { band in factors.reduce(0) { $0 + ($1.bands?[band] ?? $1.decibels) } }
        }
    }

    /// How the direct sound of a spatial mixer's voice is rendered, and why.
    public enum Tier: Sendable, Equatable, CustomStringConvertible {
        /// Through an HRTF of its own, or panned to loudspeakers. `limit` is the engine's `maximumFullVoiceCount`,
        /// where more want to be and it is among the first; else nil.
        case full(limit: Int?)
        /// In the ambisonic bus: so many mixers come first.
        case bus(limit: Int)
        /// Not at all: so many voices come first.
        case virtual(limit: Int)

        init?(_ tier: TierExplanation) {
            switch tier {
            case .full(let limit): self = .full(limit: limit)
            case .bus(let limit): self = .bus(limit: limit)
            case .virtual(let limit): self = .virtual(limit: limit)
            case .none: return nil
            }
        }

        public var description: String {
            switch self {
            case .full(nil): "full: there is room for all"
            case .full(let limit?): "full: among the first \(limit) (maximumFullVoiceCount)"
            case .bus(let limit): "in the ambisonic bus: \(limit) others come first (maximumFullVoiceCount)"
            case .virtual(let limit): "virtual: \(limit) others come first (maximumVoiceCount)"
            }
        }
    }

    /// Identifier of the event's asset.
    public let event: String
    /// Whether the event plays, in words.
    public let state: String
    /// Seconds of engine time: of the moment.
    public let time: Double
    /// Seconds of engine time: of the last update.
    public let lastUpdate: Double
    /// Those of the event's leaves that its tree chose, in order; empty before the event has begun.
    public let voices: [Voice]
    /// Seconds by which the engine is behind its device, if it does not keep up with it: gaps are heard then, and times
    /// of the engine lag.
    public let secondsBehindDevice: Double?
    /// What makes the whole event inaudible; empty if any of it is audible.
    public let silentBecause: [Cause]

    static func decibels(_ gain: Double) -> Double { EventExplanation.decibels(gain) }
}

extension PHASEExplanation {
    /// Why something is inaudible.
    public enum Cause: Sendable, Equatable {
        /// `PHASEEngine.start()` was not called, or the engine was stopped.
        case engineStopped
        /// The engine is paused.
        case enginePaused
        /// `start()` was not called.
        case notStarted
        /// It was started, and begins with the next update.
        case waitingForUpdate
        /// It was started for a time that has not come yet; in seconds from now.
        case waitingForStartTime(seconds: Double)
        /// It is not the first of its sequence, and others play before it.
        case waitingForTurn
        /// The event is paused.
        case eventPaused
        /// It has ended, for this reason.
        case ended(PHASESoundEvent.StartHandlerReason)
        /// The tree let no leaf sound: a switch without a fitting child, or a random node without children.
        case nothingChosen
        /// Metres.
        case culled(distance: Double, cullDistance: Double)
        /// The group of its generator is muted.
        case groupMuted(group: String)
        /// Other groups are soloed, and its own is not.
        case silencedBySolo(group: String, of: [String])
        /// The active preset turns its group down to nothing.
        case groupPreset(group: String)
        /// A ducker turns its group down to nothing.
        case ducked(group: String, by: String)
        /// `input` is what the blend goes by.
        case blend(node: String, input: Double)
        /// The factor of that name is 0, or next to it.
        case gain(of: String)
        /// All sends of the mixer's pipeline are 0.
        case sends(mixer: String)
        /// They take more than 30 dB in every octave band, and there is no audible reverb instead.
        case behind(occluders: [String])
        /// The source, by its name, does not hang below `rootObject`.
        case sourceNotInScene(String)
        /// The listener, by its name, does not hang below `rootObject`.
        case listenerNotInScene(String)
        /// The gain of the listener, by its name, is 0.
        case listenerGain(String)
        /// Others come first, and there are as many as `maximumVoiceCount` allows.
        case voiceLimit(maximum: Int)
        /// A push stream that has nothing to play.
        case noFrames(node: String)
        /// No factor alone, but all together; dB.
        case tooQuiet(decibels: Double)
    }
}

extension PHASEExplanation.Cause: CustomStringConvertible {
    public var description: String {
        switch self {
        case .engineStopped: "the engine is stopped; call start()"
        case .enginePaused: "the engine is paused; call start()"
        case .notStarted: "it was not started; call start()"
        case .waitingForUpdate: "it begins with the next update"
        case .waitingForStartTime(let seconds): "its start time comes in \(seconds.words(3)) s"
        case .waitingForTurn: "others of its sequence play before it"
        case .eventPaused: "it is paused; call resume()"
        case .ended(.finishedPlaying): "it has played to its end"
        case .ended(.terminated): "it was stopped or culled"
        case .ended(.failure): "it could not play; see the engine's recordedErrors"
        case .nothingChosen:
            "its tree chose nothing: a switch without a fitting child, or a random node without children"
        case .culled(let distance, let limit):
            "it is \(distance.words(2)) m away, and culled from \(limit.words(2)) m on"
        case .groupMuted(let group): "group “\(group)” is muted"
        case .silencedBySolo(let group, let soloed): "group “\(group)” is silenced by the solo of \(soloed.quotedList)"
        case .groupPreset(let group): "the group preset turns group “\(group)” off"
        case .ducked(let group, let ducker): "\(ducker) turns group “\(group)” off"
        case .blend(let node, let input): "blend “\(node)” lets it not be heard at \(input.words(3))"
        case .gain(let factor): "the gain of \(factor) is 0, or next to it"
        case .sends(let mixer): "mixer “\(mixer)” sends it nowhere"
        case .behind(let occluders): "it is behind \(occluders.quotedList)"
        case .sourceNotInScene(let name): "its source “\(name)” is not in the scene; add it below rootObject"
        case .listenerNotInScene(let name): "its listener “\(name)” is not in the scene; add it below rootObject"
        case .listenerGain(let name): "the gain of its listener “\(name)” is 0, or next to it"
        case .voiceLimit(let maximum): "the engine's maximumVoiceCount is \(maximum), and others come first"
        case .noFrames(let node): "stream “\(node)” has nothing to play; schedule a buffer"
        case .tooQuiet(let decibels): "all factors together make \(decibels.words(1)) dB"
        }
    }
}
