import OssicleCore

/// What becomes of a sound event, and why it is heard as it is, or not at all (an addition of Ossicle).
///
/// `description` prints all of it. Gains, states and positions in the sound are those of the moment; places in the scene, and what stands between
/// them, are those of the last update, because tracing is the update's work.
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

    /// One of the ways that lead from a spatial mixer to the listener.
    public struct Send: Sendable, Equatable {
        public let category: PHASESpatialCategory
        /// Of the pipeline's entry, with its meta-parameter; linear.
        public let level: Double
        /// The product of all factors that this way takes, linear, at 1 kHz: the direct sound with distance, directivity and occlusion, the
        /// reverb's send without.
        public let gain: Double

        public var decibels: Double { PHASEExplanation.decibels(gain) }
    }

    /// A way of sound other than the straight one, in `acousticsMode` `.geometry`.
    public struct Path: Sendable, Equatable {
        /// How it goes, as “around 1 edge” or “off 2 surfaces”.
        public let course: String
        /// Milliseconds behind the direct sound, whether that is heard or not.
        public let delay: Double
        /// Where it comes from as the listener's head is turned, degrees: to the left, and up.
        public let azimuth, elevation: Double
        /// What the way makes of the sound, distance included, in dB re the source at 1 m: at 1 kHz, and in the ten octave bands.
        public let decibels: Double
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
        public let state: String
        /// Seconds into the sound.
        public let position: Double
        /// Speed factor, with the group's.
        public let rate: Double
        /// What the level of its direct sound is the product of, in the order of the signal.
        public let factors: [Factor]
        /// Empty for a channel or ambient mixer, which has one way only.
        public let sends: [Send]
        /// Metres between the centres of source and listener; nil without a path.
        public let distance: Double?
        /// Metres; nil if it is never culled.
        public let cullDistance: Double?
        /// What stands between, with its loss in the ten octave bands.
        public let occluders: [PHASEDirectPathReport.Occluder]
        /// Ways around edges and off surfaces, loudest first; empty with a reverb preset.
        public let paths: [Path]
        /// Seconds in which the reverb around the listener decays by 60 dB, in the ten octave bands; nil where there is none.
        public let reverbTimes: [Double]?
        /// What keeps it from being heard; empty if it is heard.
        public let silentBecause: [Cause]

        /// The product of all factors: the gain of the direct sound, linear, at 1 kHz.
        public var gain: Double { factors.reduce(1) { $0 * $1.gain } }
        public var decibels: Double { PHASEExplanation.decibels(gain) }
        /// The same in the ten octave bands, in dB.
        public var bands: [Double] {
            (0..<10).map { band in factors.reduce(0) { $0 + ($1.bands?[band] ?? $1.decibels) } }
        }
    }

    /// Identifier of the event's asset.
    public let event: String
    public let state: String
    /// Seconds of engine time: of the moment, and of the last update.
    public let time: Double
    public let lastUpdate: Double
    /// Those of the event's leaves that its tree chose, in order; empty before the event has begun.
    public let voices: [Voice]
    /// Seconds by which the engine is behind its device, if it does not keep up with it: gaps are heard then, and times of the engine lag.
    public let secondsBehindDevice: Double?
    /// What keeps the whole event from being heard; empty if any of it is heard.
    public let silentBecause: [Cause]

    static func decibels(_ gain: Double) -> Double { gain > 0 ? Decibels.of(amplitude: gain) : -.infinity }
}
