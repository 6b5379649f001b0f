import OssicleCore

/// The 22 presets of the distortion unit in Apple's raw order. The names are Apple's, the values are ours.
package enum DistortionPreset: UInt8, BitwiseCopyable, CaseIterable, Sendable {
    case drumsBitBrush, drumsBufferBeats, drumsLoFi
    case multiBrokenSpeaker, multiCellphoneConcert
    case multiDecimated1, multiDecimated2, multiDecimated3, multiDecimated4
    case multiDistortedFunk, multiDistortedCubed, multiDistortedSquared
    case multiEcho1, multiEcho2, multiEchoTight1, multiEchoTight2
    case multiEverythingIsBroken
    case speechAlienChatter, speechCosmicInterference, speechGoldenPi, speechRadioTower, speechWaves

    package var settings: DistortionSettings { row.settings }

    /// The "distorted" ones keep some of the sample: what they add to it grows with the drive, so that the pre-gain
    /// says how much.
    private var row: Row {
        switch self {
        case .drumsBitBrush: Row(crush: (12, 80, 100))
        case .drumsBufferBeats: Row(echo: (125, 0.4, 50), crush: (35, 0, 40), clip: -3)
        case .drumsLoFi: Row(crush: (48, 55, 100), curve: (1, 0, 2, 60), clip: -3)
        case .multiBrokenSpeaker: Row(crush: (20, 30, 50), curve: (0.4, 9, 14, 100), clip: 12)
        case .multiCellphoneConcert: Row(echo: (0.2, 0.15, 65), crush: (38, 60, 85), curve: (1, 1, 4, 50))
        case .multiDecimated1: Row(crush: (36, 0, 100))
        case .multiDecimated2: Row(crush: (52, 0, 100))
        case .multiDecimated3: Row(crush: (66, 30, 100))
        case .multiDecimated4: Row(crush: (82, 60, 100))
        case .multiDistortedFunk: Row(echo: (8, 0.9, 35), curve: (1, 3, 8, 70), ring: (90, 180, 50, 25), clip: 8)
        case .multiDistortedCubed: Row(curve: (0.25, 0, 20, 100), clip: 6)
        case .multiDistortedSquared: Row(curve: (0.25, 20, 0, 100))
        case .multiEcho1: Row(echo: (250, 0.7, 50))
        case .multiEcho2: Row(echo: (400, 0.35, 60), crush: (28, 0, 60), clip: 3)
        case .multiEchoTight1: Row(echo: (60, 0.8, 50), clip: 3)
        case .multiEchoTight2: Row(echo: (25, 0.3, 60), curve: (1, 0, 6, 50))
        case .multiEverythingIsBroken:
            Row(echo: (90, 0.25, 55), crush: (60, 75, 80), curve: (0.5, 12, 20, 80), ring: (55, 1310, 40, 60), clip: 16)
        case .speechAlienChatter: Row(echo: (18, 0.5, 45), ring: (210, 640, 35, 90), clip: 6)
        case .speechCosmicInterference: Row(echo: (140, 0.6, 35), ring: (2300, 3170, 50, 100), clip: 6)
        case .speechGoldenPi: Row(ring: (314.159, 508.32, 50, 70))
        case .speechRadioTower:
            Row(echo: (0.3, 0.2, 70), crush: (30, 40, 60), curve: (0.6, 6, 10, 100), ring: (1200, 50, 60, 20), clip: 10)
        case .speechWaves: Row(echo: (12, 0.5, 50), ring: (0.7, 3.3, 50, 85), clip: 6)
        }
    }

    /// A preset by its stages; those left out do nothing, and the input passes only as far as the client's own mix
    /// says.
    private struct Row {
        var settings = DistortionSettings()

        init(
            echo: (milliseconds: Float, decay: Float, mix: Float) = (0.1, 1, 0),
            crush: (decimation: Float, rounding: Float, mix: Float) = (0, 0, 0),
            curve: (linear: Float, squared: Float, cubic: Float, mix: Float) = (1, 0, 0, 0),
            ring: (first: Float, second: Float, balance: Float, mix: Float) = (100, 100, 50, 0), clip: Float = 0
        ) {
            (settings.delay, settings.decay, settings.delayMix) = echo
            (settings.decimation, settings.rounding, settings.decimationMix) = crush
            (settings.linearTerm, settings.squaredTerm, settings.cubicTerm, settings.polynomialMix) = curve
            (settings.ringModFrequency1, settings.ringModFrequency2, settings.ringModBalance, settings.ringModMix) =
                ring
            (settings.softClipGain, settings.finalMix) = (clip, 100)
        }
    }
}

/// The sixteen parameters of the distortion unit, in its order and units. Percentages of mixes say how much of a
/// stage's output replaces its input.
package struct DistortionSettings: BitwiseCopyable, Hashable, Sendable {
    /// Milliseconds, 0.1 … 500.
    package var delay: Float = 0.1
    /// 0.1 … 50: each echo is e^−decay of the one before.
    package var decay: Float = 1
    /// Percent.
    package var delayMix: Float = 50

    /// Percent: samples are held for 1 frame … 256/48 000 s, evenly in octaves.
    package var decimation: Float = 0
    /// Percent: samples are rounded to steps of nothing, 2⁻¹⁶ … 1, evenly in bits.
    package var rounding: Float = 0
    /// Percent.
    package var decimationMix: Float = 50

    /// 0 … 1, times the sample.
    package var linearTerm: Float = 1
    /// 0 … 20, times its square.
    package var squaredTerm: Float = 0
    /// 0 … 20, times its cube.
    package var cubicTerm: Float = 0
    /// Percent.
    package var polynomialMix: Float = 50

    /// Hz, 0.5 … 8000.
    package var ringModFrequency1: Float = 100
    /// Hz, 0.5 … 8000.
    package var ringModFrequency2: Float = 100
    /// Percent of the second against the first.
    package var ringModBalance: Float = 50
    /// Percent.
    package var ringModMix: Float = 0

    /// dB, −80 … 20, before the clipper.
    package var softClipGain: Float = -6
    /// Percent of the whole against the input.
    package var finalMix: Float = 50

    package init() {}
}

extension DistortionEffect {
    package struct Parameters: BitwiseCopyable, Hashable, Sendable {
        package var settings: DistortionSettings
        /// dB, −80 … 20, before everything else.
        package var preGain: Float
        /// Percent of wet, 0 … 100, on top of the settings' own final mix: the two multiply.
        package var wetDryMix: Float

        /// As the effect of the class. The bare unit has no gain and mix besides its settings': 0 dB and 100 %.
        package init(settings: DistortionSettings = DistortionSettings(), preGain: Float = -6, wetDryMix: Float = 50) {
            (self.settings, self.preGain, self.wetDryMix) = (settings, preGain, wetDryMix)
        }

        var totalMix: Float { Self.share(wetDryMix) * Self.share(settings.finalMix) * 100 }

        /// A percentage as 0 … 1; not finite counts as 0.
        static func share(_ percent: Float) -> Float { percent.isFinite ? min(max(percent / 100, 0), 1) : 0 }
    }

    /// The parameters in frames, steps and gains.
    struct Plan {
        let gains: DistortionGains
        let echoFrames: Int
        let echoGain: Float
        /// Frames a sample is held.
        let period: Double
        /// What samples are rounded to; 0 for not at all.
        let step: Float
        /// Turns per frame of the two oscillators.
        let turns: (Double, Double)

        init(_ parameters: Parameters, _ sampleRate: Double) {
            let settings = parameters.settings
            gains = DistortionGains(parameters)
            echoFrames = Plan.echoFrames(settings.delay, sampleRate)
            echoGain = Plan.echoGain(settings.decay)
            let held = DeterministicMath.exp2(8 * Double(Parameters.share(settings.decimation)))
            period = 1 + (held - 1) * (sampleRate / 48_000)
            let rounding = Double(Parameters.share(settings.rounding))
            step = rounding > 0 ? Float(DeterministicMath.exp2(-16 * (1 - rounding))) : 0
            turns = (
                Plan.turns(settings.ringModFrequency1, sampleRate), Plan.turns(settings.ringModFrequency2, sampleRate)
            )
        }

        static let longestEcho: Float = 500

        static func echoFrames(_ milliseconds: Float, _ sampleRate: Double) -> Int {
            let frames = Double(milliseconds.isFinite ? min(max(milliseconds, 0), longestEcho) : 0) * sampleRate / 1000
            return frames.isFinite ? Int(min(frames.rounded(), 1e8)) : 0
        }

        static func echoGain(_ decay: Float) -> Float {
            Float(DeterministicMath.exp(-Double(decay.isFinite ? max(decay, 0.1) : 1)))
        }

        private static func turns(_ frequency: Float, _ sampleRate: Double) -> Double {
            frequency.isFinite ? Double(frequency) / sampleRate : 0
        }
    }

    /// The echoes' decay and that of two DC blockers, both longer by what the drive lifts above the clipper's knee;
    /// none if it is inaudible.
    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double {
        guard parameters.totalMix > 0 else { return 0 }
        let settings = parameters.settings
        let gains = Plan(parameters, sampleRate).gains
        let drive = Double(gains.drive * gains.clip * max(1, gains.linear + gains.squared + gains.cubic))
        let fall = DeterministicMath.log(1000 * max(drive, 1))
        let blockers = 2 * DCBlocker.time(toFallBy: fall)
        guard settings.delayMix > 0 else { return blockers }
        let echoes = 1 + (fall / -DeterministicMath.log(Double(Plan.echoGain(settings.decay)))).rounded(.up)
        return echoes * Double(Plan.echoFrames(settings.delay, sampleRate)) / sampleRate + blockers
    }
}
