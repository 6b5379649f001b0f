import OssicleCore

extension DelayEffect {
    /// The parameters in frames, gains and coefficients.
    struct Plan {
        let delay: Int
        let feedback: Float
        let lowPass: StateVariableSection<Double>

        init(_ parameters: Parameters, _ sampleRate: Double) {
            delay = Plan.frames(parameters.delayTime, sampleRate)
            let gain = parameters.feedback.isFinite ? min(max(parameters.feedback / 100, -1), 1) : 0
            feedback = delay == 0 ? 0 : gain
            lowPass = EqualizerBand(kind: .lowPass, frequency: parameters.lowPassCutoff,
                                    bypass: !(Double(parameters.lowPassCutoff) < 0.499 * sampleRate)).section(sampleRate: sampleRate)
        }

        /// The nearest whole number of frames.
        static func frames(_ seconds: Double, _ sampleRate: Double) -> Int {
            let frames = (min(max(seconds, 0), longestDelay) * sampleRate).rounded()
            return frames.isFinite ? Int(min(frames, 1e8)) : 0
        }
    }

    /// The first echo and as many more as it takes to fall by 60 dB, each later by the low pass's own delay √2/(2πf), and the low pass's
    /// ringing. Infinite for a feedback of ±100 %, which never falls; none if nothing of it is heard.
    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double {
        guard parameters.wetDryMix > 0 else { return 0 }
        let plan = Plan(parameters, sampleRate)
        let gain = Double(plan.feedback.magnitude)
        guard gain < 1 else { return .infinity }
        let echoes = gain == 0 ? 1 : 1 + (DeterministicMath.log(1e-3) / DeterministicMath.log(gain)).rounded(.up)
        let delay = Double(plan.delay) / sampleRate
        guard !plan.lowPass.isTransparent else { return echoes * delay }
        let corner = FilterLimits.frequency(Double(parameters.lowPassCutoff), sampleRate)
        return echoes * (delay + 2.0.squareRoot() / (2 * DeterministicMath.pi * corner)) + plan.lowPass.decayTime(sampleRate: sampleRate)
    }
}
