import OssicleCore

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
            turns = (Plan.turns(settings.ringModFrequency1, sampleRate), Plan.turns(settings.ringModFrequency2, sampleRate))
        }

        static let longestEcho: Float = 500

        static func echoFrames(_ milliseconds: Float, _ sampleRate: Double) -> Int {
            let frames = Double(milliseconds.isFinite ? min(max(milliseconds, 0), longestEcho) : 0) * sampleRate / 1000
            return frames.isFinite ? Int(min(frames.rounded(), 1e8)) : 0
        }

        static func echoGain(_ decay: Float) -> Float { Float(DeterministicMath.exp(-Double(decay.isFinite ? max(decay, 0.1) : 1))) }

        private static func turns(_ frequency: Float, _ sampleRate: Double) -> Double { frequency.isFinite ? Double(frequency) / sampleRate : 0 }
    }

    /// The echoes' decay and that of two DC blockers, both longer by what the drive lifts above the clipper's knee; none if nothing of it is heard.
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
