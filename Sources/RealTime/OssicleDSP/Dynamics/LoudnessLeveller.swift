import OssicleCore

/// Brings a sound that cannot be measured ahead to a common loudness, by a gain that moves slowly.
///
///     in ──┬──────────────────────────────────────────▶ × ──▶ out
///          └─▶ K-weighting ─▶ 100 ms ─▶ mean of 10 s ─▶ gain, at most 6 dB a second
///
/// The loudness of the last 400 ms (BS.1770-4) enters the mean ten times a second; all of it counts alike for the first
/// ten seconds, then the past is forgotten with that time constant. What is below −70 LUFS does not count, so that the
/// gain stands still in silence; what lies more than 10 LU below the mean counts a tenth, so that pauses hardly move
/// it. The gain brings the mean to the target, by no more than the greatest change up or down, and keeps recent sample
/// peaks below the ceiling. Results do not depend on how calls are cut. Audio thread; not shared.
package struct LoudnessLeveller: ~Copyable {
    package struct Settings: BitwiseCopyable, Sendable {
        /// LUFS.
        package var target: Double
        /// Decibels up or down.
        package var greatestChange: Double
        /// dBFS.
        package var peakCeiling: Double

        package init(target: Double, greatestChange: Double, peakCeiling: Double) {
            (self.target, self.greatestChange, self.peakCeiling) = (target, greatestChange, peakCeiling)
        }
    }

    struct Channel: BitwiseCopyable {
        var shelf, highPass: Biquad
        let weight: Double
        /// Of the weighted samples of this step.
        var energy = 0.0
    }

    private static let stepsPerSecond = 10.0
    private static let stepsOfMemory = 100.0
    private static let decibelsPerStep = 0.6
    private static let silence = -70.0 // LUFS
    private static let quiet = 10.0 // LU below the mean
    private static let weightOfQuiet = 0.1
    /// What a peak of the past counts for after a step: 1/e in ten seconds.
    private static let peakDecay = 0.99

    private let settings: Settings
    private let channels: UnsafeMutablePointer<Channel>
    private let channelCount: Int
    private let framesPerStep: Int
    private let scratch = SampleMemory(count: Grid.quantum)
    private var framesLeft: Int
    /// Mean squares of the last four steps; below 0 for those before the beginning.
    private var steps = SIMD4<Double>(repeating: -1)
    private var mean = 0.0
    private var weightOfMean = 0.0
    private var peak: Float = 0
    private var decibels = 0.0
    private var gain = GainRamp(1)

    /// - Parameter weights: one per channel by BS.1770: 1, 1.41 for surrounds, 0 for low-frequency effects.
    package init(_ settings: Settings, sampleRate: Double, weights: [Double]) {
        self.settings = settings
        channelCount = weights.count
        channels = .allocate(capacity: max(weights.count, 1))
        for (index, weight) in weights.enumerated() {
            (channels + index).initialize(
                to: Channel(
                    shelf: Biquad(KWeighting.shelf(sampleRate: sampleRate)),
                    highPass: Biquad(KWeighting.highPass(sampleRate: sampleRate)), weight: weight))
        }
        framesPerStep = max(1, Int(min(max(sampleRate, 10), 1e7) / Self.stepsPerSecond))
        framesLeft = framesPerStep
    }

    deinit { channels.deallocate() }

    /// Measures and scales, in place. Channels beyond the weights are only scaled.
    package mutating func process(
        _ samples: UnsafePointer<UnsafeMutablePointer<Float>>, _ count: Int, offset: Int = 0, _ frames: Int
    ) {
        var done = 0
        while done < frames {
            let run = min(frames - done, framesLeft, Grid.quantum)
            for channel in 0..<min(count, channelCount) { measure(channel, samples[channel] + offset + done, run) }
            let before = gain
            for channel in 0..<count {
                gain = before
                gain.process(samples[channel] + offset + done, run)
            }
            framesLeft -= run
            done += run
            if framesLeft == 0 { takeStep() }
        }
    }

    private mutating func measure(_ index: Int, _ samples: UnsafePointer<Float>, _ frames: Int) {
        for frame in 0..<frames { peak = max(peak, samples[frame].magnitude) }
        let channel = channels + index
        guard channel.pointee.weight > 0 else { return }
        channel.pointee.shelf.process(from: samples, to: scratch.pointer, frames)
        channel.pointee.highPass.process(from: scratch.pointer, to: scratch.pointer, frames)
        var energy = channel.pointee.energy
        for frame in 0..<frames { energy += Double(scratch.pointer[frame]) * Double(scratch.pointer[frame]) }
        channel.pointee.energy = energy
    }

    /// Ten times a second: the measured loudness becomes the gain's target for the next step.
    private mutating func takeStep() {
        framesLeft = framesPerStep
        var power = 0.0
        let channels = self.channels
        for channel in 0..<channelCount {
            power += channels[channel].weight * channels[channel].energy / Double(framesPerStep)
            channels[channel].energy = 0
        }
        steps = SIMD4(steps.y, steps.z, steps.w, power)
        remember(momentaryPower)
        let wanted = weightOfMean > 0 ? wantedDecibels : 0
        decibels += min(max(wanted - decibels, -Self.decibelsPerStep), Self.decibelsPerStep)
        gain.setTarget(Float(Decibels.amplitude(decibels)), frames: framesPerStep)
        peak *= Float(Self.peakDecay)
    }

    /// Mean square of the last 400 ms, or of what there has been.
    private var momentaryPower: Double {
        var (sum, count) = (0.0, 0.0)
        for index in 0..<4 where steps[index] >= 0 { (sum, count) = (sum + steps[index], count + 1) }
        return sum / max(count, 1)
    }

    private mutating func remember(_ power: Double) {
        let loudness = KWeighting.loudness(power: power)
        guard loudness > Self.silence else { return }
        let weight =
            weightOfMean > 0 && loudness < KWeighting.loudness(power: mean) - Self.quiet ? Self.weightOfQuiet : 1
        weightOfMean = min(weightOfMean + weight, Self.stepsOfMemory)
        mean += (power - mean) * weight / weightOfMean
    }

    private var wantedDecibels: Double {
        let change = min(
            max(settings.target - KWeighting.loudness(power: mean), -settings.greatestChange), settings.greatestChange)
        return peak > 0 ? min(change, settings.peakCeiling - Decibels.of(amplitude: Double(peak))) : change
    }
}

/// The weighting of ITU-R BS.1770-4: a shelf for what a head adds to high frequencies, then a high-pass filter. Control
/// side.
///
/// The recommendation gives coefficients for 48 kHz; these are the analogue prototypes behind them, brought to any rate
/// by the bilinear transform (the way of libebur128, and of Mansbridge, Finn, Reiss 2012).
package enum KWeighting {
    package static func shelf(sampleRate: Double) -> BiquadCoefficients {
        let k = DeterministicMath.tan(DeterministicMath.pi * 1681.974450955533 / sampleRate)
        let q = 0.7071752369554196
        let high = Decibels.amplitude(3.999843853973347)
        let band = DeterministicMath.pow(high, 0.4996667741545416)
        let a0 = 1 + k / q + k * k
        return BiquadCoefficients(
            b0: (high + band * k / q + k * k) / a0, b1: 2 * (k * k - high) / a0, b2: (high - band * k / q + k * k) / a0,
            a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
    }

    package static func highPass(sampleRate: Double) -> BiquadCoefficients {
        let k = DeterministicMath.tan(DeterministicMath.pi * 38.13547087602444 / sampleRate)
        let q = 0.5003270373238773
        let a0 = 1 + k / q + k * k
        return BiquadCoefficients(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
    }

    /// LUFS of a weighted mean square, summed over the channels.
    package static func loudness(power: Double) -> Double {
        power > 0 ? Decibels.of(energy: power) - 0.691 : -.infinity
    }
}
