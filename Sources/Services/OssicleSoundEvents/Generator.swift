import OssicleCore

/// What all leaves of a sound event have in common: how loud and how fast they play, and into which mixer.
package struct Generator: Codable, Hashable, Sendable {
    /// Speed factors a generator can play at; the pitch moves along.
    package static let rates = 0.25...4.0

    /// Index into the tree's mixers.
    package let mixer: Int
    package let calibration: Calibration
    package let rate: Double
    /// Identifier of the group whose gain and rate this generator follows.
    package let group: String?
    package let gainParameter: Int?
    package let rateParameter: Int?
    /// Who is heard where not all can be: the higher.
    package let priority: Int

    package init(
        mixer: Int, calibration: Calibration = Calibration(), rate: Double = 1, group: String? = nil,
        gainParameter: Int? = nil, rateParameter: Int? = nil, priority: Int = 0
    ) {
        (self.mixer, self.calibration, self.rate) = (mixer, calibration, rate)
        (self.group, self.gainParameter, self.rateParameter) = (group, gainParameter, rateParameter)
        self.priority = priority
    }

    /// Linear gain now: calibration times meta-parameter, not below 0. The tree's and the group's gains come on top.
    package func gain(_ parameters: ParameterValues, referenceLevel: Double = Calibration.referenceLevel) -> Double {
        max(calibration.gain(referenceLevel: referenceLevel) * (gainParameter.flatMap(parameters.number) ?? 1), 0)
    }

    /// Speed now: the definition's times the meta-parameter's, 0.25…4. The group's rate comes on top.
    package func rate(_ parameters: ParameterValues) -> Double {
        let product = rate * (rateParameter.flatMap(parameters.number) ?? 1)
        return min(max(product, Generator.rates.lowerBound), Generator.rates.upperBound)
    }
}

/// A leaf that plays a registered sound asset.
package struct SamplerLeaf: Codable, Hashable, Sendable {
    package enum Playback: UInt8, Codable, Hashable, Sendable {
        case oneShot, looping
    }

    /// What becomes of the leaf while it cannot be heard.
    package enum Cull: UInt8, Codable, Hashable, Sendable {
        case terminate, sleepWakeAtZero, sleepWakeAtRandomOffset, sleepWakeAtRealtimeOffset, doNotCull
    }

    /// Identifier of the sound asset, looked up when the event is made.
    package let asset: String
    package let generator: Generator
    package let playback: Playback
    package let cull: Cull

    package init(asset: String, generator: Generator, playback: Playback = .oneShot, cull: Cull = .terminate) {
        (self.asset, self.generator, self.playback, self.cull) = (asset, generator, playback, cull)
    }
}

/// A leaf that plays frames the client makes while it plays.
package struct StreamLeaf: Codable, Hashable, Sendable {
    package enum Direction: UInt8, Codable, Hashable, Sendable {
        /// The client schedules buffers.
        case push
        /// The client is asked for frames.
        case pull
    }

    package let direction: Direction
    package let generator: Generator
    /// Of the client's frames.
    package let sampleRate: Double
    package let channelCount: Int
    /// Whether the client's frames are brought to the loudness that calibrated levels refer to.
    package let normalises: Bool

    package init(
        _ direction: Direction, generator: Generator, sampleRate: Double, channelCount: Int, normalises: Bool = false
    ) {
        (self.direction, self.generator, self.normalises) = (direction, generator, normalises)
        (self.sampleRate, self.channelCount) = (sampleRate, channelCount)
    }
}

/// What the level of a generator means, and the gain it comes to.
package struct Calibration: Codable, Hashable, Sendable {
    package enum Mode: UInt8, Codable, Hashable, Sendable {
        /// The level is a linear gain, 0…1.
        case none
        /// The level is in dB relative to what the asset's normalisation gives, −200…12.
        case relativeSPL
        /// The level is the wanted sound pressure level in dB, 0…120.
        case absoluteSPL

        /// Unpublished for PHASE itself; the ranges its Unity plug-in offers.
        package var levels: ClosedRange<Double> {
            switch self {
            case .none: 0...1
            case .relativeSPL: -200...12
            case .absoluteSPL: 0...120
            }
        }

        /// The level that leaves a sound as it is, for one that is not a number.
        package var neutralLevel: Double {
            switch self {
            case .none: 1
            case .relativeSPL: 0
            case .absoluteSPL: Calibration.referenceLevel
            }
        }
    }

    /// dB SPL that a device is taken to make from −23 LUFS, unless it is known better.
    package static let referenceLevel = 70.0

    package let mode: Mode
    package let level: Double

    /// `level` is clamped to the mode's range; NaN becomes the mode's neutral level.
    package init(_ mode: Mode = .none, level: Double = 1) {
        self.mode = mode
        let range = mode.levels
        self.level = level.isNaN ? mode.neutralLevel : min(max(level, range.lowerBound), range.upperBound)
    }

    /// Linear gain; exactly 1 at 0 dB relative.
    /// - Parameter referenceLevel: dB SPL the device makes from −23 LUFS.
    package func gain(referenceLevel: Double = Calibration.referenceLevel) -> Double {
        switch mode {
        case .none: level
        case .relativeSPL: Decibels.amplitude(level)
        case .absoluteSPL: Decibels.amplitude(level - referenceLevel)
        }
    }
}

/// The gain that brings a sound asset to one common loudness, so that calibrated levels mean something.
///
/// Loudness and true peak as ITU-R BS.1770-4 defines them; the target is that of EBU R 128.
package enum LoudnessNormalisation {
    package static let target = -23.0 // LUFS
    package static let greatestChange = 24.0 // dB up or down
    package static let peakCeiling = -1.0 // dBTP

    /// Linear gain for an asset of this integrated loudness (LUFS) and true peak (dBTP).
    ///
    /// The peak ceiling wins over the target. Silence (loudness −∞ or NaN) is left as it is.
    package static func gain(loudness: Double, truePeak: Double) -> Double {
        guard loudness.isFinite else { return 1 }
        let wanted = min(max(target - loudness, -greatestChange), greatestChange)
        return Decibels.amplitude(truePeak.isFinite ? min(wanted, peakCeiling - truePeak) : wanted)
    }
}
