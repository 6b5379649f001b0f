import OssicleCore

/// Five ways to spoil a sound, one after the other; each stage has a mix of its own.
///
///     x ─▶ pre-gain ─▶ echo ─▶ decimator ─▶ polynomial ─▶ ring modulator ─▶ soft clip ─▶ DC blocker ─▶ (mix with x) ─▶ y
///
/// Echo: w = u(t − delay), u = x + e^−decay·w. Decimator: samples held, then rounded to a step. Polynomial: a·x + b·x²
/// + c·x³, the mean of the square taken out before it drives the clipper. Ring modulator: two sines, their phases
/// counted in frames since the kernel was made or reset. Soft clip: v/√(1 + v²), within ±1. Wet and dry are alike, so
/// they are mixed linearly. Gains glide over 10 ms; hold time and step change at once, as they change at every sample
/// anyway. Input that is not a number counts as silence.
package struct DistortionEffect: ~Copyable, EffectKernel {
    private static let glideSeconds = 0.01
    /// +40 dB. What is held within it stays finite to the end.
    private static let driveLimit: Float = 100

    private let sampleRate: Double
    private let channelCount: Int
    private let glideFrames: Int
    private let pole: Double
    private var glide: Ramp<DistortionGains>
    private var line: EchoLine
    private var echoGain: GainRamp
    private var clock: HoldClock
    private var step: Float
    private var first, second: CountedOscillator
    private var mix: EffectMix
    /// Since made or reset.
    private var frame: Int64 = 0
    private let channels: OwnedMemory<Channel>
    private let wet: ChannelMemory
    /// Echo, and the two sines.
    private let scratch = ChannelMemory(count: 3)

    /// What one channel remembers besides its echoes.
    struct Channel: BitwiseCopyable {
        var held: Float = 0
        var square = DCBlocker()
        var output = DCBlocker()
    }

    package init(sampleRate: Double, channelCount: Int, parameters: Parameters) {
        self.sampleRate = sampleRate
        self.channelCount = max(channelCount, 0)
        glideFrames = Int(min(max(1, Self.glideSeconds * sampleRate), 1e5))
        pole = DCBlocker.pole(sampleRate)
        let plan = Plan(parameters, sampleRate)
        glide = Ramp(plan.gains)
        line = EchoLine(
            longest: Plan.echoFrames(Plan.longestEcho, sampleRate), channelCount: self.channelCount,
            delay: plan.echoFrames)
        echoGain = GainRamp(plan.echoGain)
        clock = HoldClock(period: plan.period)
        step = plan.step
        (first, second) = (CountedOscillator(turns: plan.turns.0), CountedOscillator(turns: plan.turns.1))
        mix = EffectMix(parameters.totalMix, law: .linear)
        channels = OwnedMemory(count: self.channelCount, Channel())
        wet = ChannelMemory(count: max(self.channelCount, 1))
    }

    package mutating func take(_ parameters: Parameters, atOnce: Bool) {
        let frames = atOnce ? 0 : glideFrames
        let plan = Plan(parameters, sampleRate)
        glide.setTarget(plan.gains, frames: frames)
        line.setDelay(plan.echoFrames, frames: frames)
        echoGain.setTarget(plan.echoGain, frames: frames)
        (clock.period, step) = (plan.period, plan.step)
        first.setTurns(plan.turns.0, at: frame)
        second.setTurns(plan.turns.1, at: frame)
        mix.setTarget(parameters.totalMix, frames: frames)
    }

    package mutating func reset() {
        glide = Ramp(glide.target)
        line.reset()
        echoGain.setTarget(echoGain.target, frames: 0)
        first.reset()
        second.reset()
        mix.finish()
        frame = 0
        channels.fill(Channel())
    }

    package mutating func process(
        from inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames: Int
    ) {
        var done = 0
        while done < frames {
            let run = min(frames - done, Grid.quantum)
            for channel in 0..<channelCount { drive(inputs[channel] + done, to: wet[channel], run) }
            echo(run)
            modulators(run)
            let before = mix
            for channel in 0..<channelCount {
                crush(channel, run)
                bend(channel, run)
                ringAndClip(channel, run)
                mix = before
                mix.process(dry: inputs[channel] + done, wet: wet[channel], to: outputs[channel] + done, run)
            }
            glide.advance(run)
            frame += Int64(run)
            done += run
        }
    }

    private func drive(_ from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int) {
        for i in 0..<n {
            let x = from[i].isFinite ? from[i] * glide[i].drive : 0
            to[i] = min(max(x, -Self.driveLimit), Self.driveLimit)
        }
    }

    /// In pieces no longer than the echo's own delay, all channels side by side.
    private mutating func echo(_ n: Int) {
        var done = 0
        while done < n {
            let run = line.runLength(n - done)
            let (before, heard) = (echoGain, scratch[0])
            for channel in 0..<channelCount {
                let samples = wet[channel] + done
                echoGain = before
                line.write(channel, samples, run)
                line.read(channel, heard, run)
                line.feed(channel, heard, gain: &echoGain, limit: .greatestFiniteMagnitude, run)
                for i in 0..<run { samples[i] += (heard[i] - samples[i]) * glide[done + i].echoMix }
            }
            line.advance(run)
            done += run
        }
    }

    private func crush(_ channel: Int, _ n: Int) {
        let samples = wet[channel]
        var held = channels.pointer[channel].held
        for i in 0..<n {
            if clock.ticks(at: frame + Int64(i)) {
                held = step > 0 ? (samples[i] / step).rounded(.toNearestOrEven) * step : samples[i]
            }
            samples[i] += (held - samples[i]) * glide[i].crushMix
        }
        channels.pointer[channel].held = held
    }

    private func bend(_ channel: Int, _ n: Int) {
        let samples = wet[channel]
        var blocker = channels.pointer[channel].square
        for i in 0..<n {
            let (x, gains) = (samples[i], glide[i])
            let square = x * x
            let curve = gains.linear * x + blocker.next(gains.squared * square, pole: pole) + gains.cubic * square * x
            samples[i] = x + (curve - x) * gains.curveMix
        }
        channels.pointer[channel].square = blocker
    }

    /// The two sines, the same for all channels; only if one of them is audible.
    private func modulators(_ n: Int) {
        guard !glide.isIdle || glide.target.ringDry < 1 else { return }
        for i in 0..<n {
            scratch[1][i] = first.value(at: frame + Int64(i))
            scratch[2][i] = second.value(at: frame + Int64(i))
        }
    }

    private func ringAndClip(_ channel: Int, _ n: Int) {
        let (samples, sine, other) = (wet[channel], scratch[1], scratch[2])
        var blocker = channels.pointer[channel].output
        for i in 0..<n {
            let gains = glide[i]
            let v = samples[i] * (gains.ringDry + gains.ringFirst * sine[i] + gains.ringSecond * other[i]) * gains.clip
            samples[i] = blocker.next(v / (1 + v * v).squareRoot(), pole: pole)
        }
        channels.pointer[channel].output = blocker
    }
}
