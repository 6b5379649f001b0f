import OssicleCore

/// Echoes: a delay with a low pass and a gain in its loop.
///
///     x ─┬─▶ (+) ─▶ [delay] ─▶ [low pass] ─┬─▶ wet ─▶ (mix) ─▶ y
///        │    ▲                            │            ▲
///        │    └──────── feedback ◀─────────┘            │
///        └───────────────────── dry ────────────────────┘
///
/// The delay is the nearest whole number of frames, and exact. The low pass (Butterworth, second order) lies behind the
/// delay, before both the output and the loop: so the cutoff works without feedback too, and each echo is duller
/// than the one before, as between walls. From 0.499 of the sample rate up it is left out, and echoes are bit-exact
/// copies. Nothing in the loop amplifies, but at ±100 % sound piles up for as long as it comes in; what goes round is
/// therefore held within ±4 (+12 dBFS). A delay of 0 has no loop. Dry and wet are mixed at equal power. Everything
/// glides over 10 ms; another delay time cross-fades.
package struct DelayEffect: ~Copyable, EffectKernel {
    package struct Parameters: BitwiseCopyable, Hashable, Sendable {
        /// Seconds, 0 … 2.
        package var delayTime: Double
        /// Percent, −100 … 100.
        package var feedback: Float
        /// Hz, 10 … half the sample rate.
        package var lowPassCutoff: Float
        /// Percent of wet, 0 … 100.
        package var wetDryMix: Float

        package init(delayTime: Double = 1, feedback: Float = 50, lowPassCutoff: Float = 15_000, wetDryMix: Float = 100)
        {
            (self.delayTime, self.feedback, self.lowPassCutoff, self.wetDryMix) = (
                delayTime, feedback, lowPassCutoff, wetDryMix
            )
        }
    }

    /// Seconds.
    package static let longestDelay = 2.0
    private static let glideSeconds = 0.01
    private static let loopLimit: Float = 4

    private let sampleRate: Double
    private let channelCount: Int
    private let glideFrames: Int
    private var line: EchoLine
    private var lowPass: GlidingSection
    /// One per pair of channels.
    private let states: OwnedMemory<SectionState>
    private var feedback: GainRamp
    private var mix: EffectMix
    private let pairBuffer = OwnedMemory<SectionState.Lanes>(count: Grid.quantum, .zero)
    private let wet = ChannelMemory(count: 2)

    package init(sampleRate: Double, channelCount: Int, parameters: Parameters) {
        self.sampleRate = sampleRate
        self.channelCount = max(channelCount, 0)
        glideFrames = Int(min(max(1, Self.glideSeconds * sampleRate), 1e5))
        let plan = Plan(parameters, sampleRate)
        line = EchoLine(
            longest: Plan.frames(Self.longestDelay, sampleRate), channelCount: self.channelCount, delay: plan.delay)
        lowPass = GlidingSection(plan.lowPass)
        states = OwnedMemory(count: ChannelPair.count(self.channelCount), SectionState())
        feedback = GainRamp(plan.feedback)
        mix = EffectMix(parameters.wetDryMix, law: .equalPower)
    }

    package mutating func take(_ parameters: Parameters, atOnce: Bool) {
        let frames = atOnce ? 0 : glideFrames
        let plan = Plan(parameters, sampleRate)
        line.setDelay(plan.delay, frames: frames)
        if lowPass.isTransparent { states.fill(SectionState()) }
        lowPass.setTarget(plan.lowPass, frames: frames)
        feedback.setTarget(plan.feedback, frames: frames)
        mix.setTarget(parameters.wetDryMix, frames: frames)
    }

    package mutating func reset() {
        line.reset()
        lowPass.finish()
        states.fill(SectionState())
        feedback.setTarget(feedback.target, frames: 0)
        mix.finish()
    }

    package mutating func process(
        from inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames: Int
    ) {
        var done = 0
        while done < frames {
            let run = line.runLength(frames - done)
            let (feedback, mix) = (self.feedback, self.mix)
            for pair in 0..<ChannelPair.count(channelCount) {
                (self.feedback, self.mix) = (feedback, mix)
                process(pair, inputs, outputs, offset: done, run)
            }
            line.advance(run)
            lowPass.advance(run)
            done += run
        }
    }

    private mutating func process(
        _ pair: Int, _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        offset: Int, _ n: Int
    ) {
        let channels = 2 * pair..<min(2 * pair + 2, channelCount)
        for channel in channels {
            line.write(channel, inputs[channel] + offset, n)
            line.read(channel, wet[channel - channels.lowerBound], n)
        }
        if !lowPass.isTransparent {
            ChannelPair.load(0, of: wet.channels, channels.count, offset: 0, to: pairBuffer.pointer, n)
            let state = states.pointer + pair
            lowPass.process(&state.pointee, pairBuffer.pointer, n)
            ChannelPair.store(0, from: pairBuffer.pointer, to: wet.channels, channels.count, offset: 0, n)
        }
        let (feedback, mix) = (self.feedback, self.mix)
        for channel in channels {
            (self.feedback, self.mix) = (feedback, mix)
            let echo = wet[channel - channels.lowerBound]
            line.feed(channel, echo, gain: &self.feedback, limit: Self.loopLimit, n)
            self.mix.process(dry: inputs[channel] + offset, wet: echo, to: outputs[channel] + offset, n)
        }
    }
}

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
            lowPass = EqualizerBand(
                kind: .lowPass, frequency: parameters.lowPassCutoff,
                bypass: !(Double(parameters.lowPassCutoff) < 0.499 * sampleRate)
            ).section(sampleRate: sampleRate)
        }

        /// The nearest whole number of frames.
        static func frames(_ seconds: Double, _ sampleRate: Double) -> Int {
            let frames = (min(max(seconds, 0), longestDelay) * sampleRate).rounded()
            return frames.isFinite ? Int(min(frames, 1e8)) : 0
        }
    }

    /// The first echo and as many more as it takes to fall by 60 dB, each later by the low pass's own delay √2/(2πf),
    /// and the low pass's ringing. Infinite for a feedback of ±100 %, which never falls; none if nothing of it is
    /// heard.
    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double {
        guard parameters.wetDryMix > 0 else { return 0 }
        let plan = Plan(parameters, sampleRate)
        let gain = Double(plan.feedback.magnitude)
        guard gain < 1 else { return .infinity }
        let echoes = gain == 0 ? 1 : 1 + (DeterministicMath.log(1e-3) / DeterministicMath.log(gain)).rounded(.up)
        let delay = Double(plan.delay) / sampleRate
        guard !plan.lowPass.isTransparent else { return echoes * delay }
        let corner = FilterLimits.frequency(Double(parameters.lowPassCutoff), sampleRate)
        return echoes * (delay + 2.0.squareRoot() / (2 * DeterministicMath.pi * corner))
            + plan.lowPass.decayTime(sampleRate: sampleRate)
    }
}
