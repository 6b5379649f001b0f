import OssicleCore

/// A reverb of two parts, a small one that colours and a large one that rings, set by numbers instead of rooms.
///
///     x ─▶ mean ─▶ filter ─▶ swaying delay ─┬─▶ delay ─▶ 2 allpasses ─▶ network (short lines) ═▶ · small ═▶(+)═▶ wet ─▶(+)─▶ y
///     │                                     └─▶ delay ─▶ 2 allpasses ─▶ network (long lines) ══▶ · large ═▶▲            │
///     └──────────────────────────────────────────────────────── dry ────────────────────────────────────────────────────▲
///
/// What the numbers do is written at `Parameters`; level, channels and sleep are as in `ReverbEffect`. Audio thread,
/// but for `init`.
package struct MatrixReverb: EffectKernel, ~Copyable {
    private static var outputCount: Int { FeedbackDelayNetwork.outputCount }
    /// +96 dBFS.
    private static let largestInput: Float = 65_536

    private let sampleRate: Double
    private let channelCount: Int
    private let glide: Int
    private var parameters: Parameters
    private var filter: StateVariableFilter
    private var sway: SwayingDelay
    private var small: MatrixReverbPart
    private var large: MatrixReverbPart
    /// Small is dry, large is wet.
    private var balance: EffectMix
    private var mix: EffectMix
    private var sleep: ReverbSleep
    private let mono = SampleMemory(count: Grid.quantum)
    private let memory = SampleMemory(count: 3 * outputCount * Grid.quantum)
    /// Outputs of the small part, of the large part, and their mix.
    private let heads: OwnedMemory<UnsafeMutablePointer<Float>>

    package init(sampleRate: Double, channelCount: Int, parameters: Parameters) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        glide = Int(0.05 * sampleRate)
        self.parameters = parameters
        let filter = parameters.filter
        self.filter = StateVariableFilter(filter.shape, frequency: filter.hertz, q: filter.q, sampleRate: sampleRate)
        sway = SwayingDelay(sampleRate: sampleRate, rate: parameters.rate, depth: parameters.depth)
        small = MatrixReverbPart(
            sampleRate: sampleRate, meanFreeTime: 0.007, seed: 1, longestDelay: 0.03, spread: (0.0029, 0.0061),
            delay: parameters.before, diffusion: Parameters.diffusion(parameters.smallDensity),
            field: parameters.smallField)
        large = MatrixReverbPart(
            sampleRate: sampleRate, meanFreeTime: 0.025, seed: 2, longestDelay: 0.13, spread: (0.0083, 0.0137),
            delay: parameters.beforeLarge, diffusion: Parameters.diffusion(parameters.largeDensity),
            field: parameters.largeField)
        balance = EffectMix(parameters.smallLargeMix, law: .equalPower)
        mix = EffectMix(parameters.dryWetMix, law: .equalPower)
        sleep = ReverbSleep(patience: Int(0.5 * sampleRate))
        heads = OwnedMemory(count: 3 * Self.outputCount, memory.pointer)
        for head in 0..<(3 * Self.outputCount) { heads.pointer[head] = memory.pointer + head * Grid.quantum }
    }

    package mutating func take(_ parameters: Parameters, atOnce: Bool) {
        self.parameters = parameters
        mix.setTarget(parameters.dryWetMix, frames: atOnce ? 0 : glide)
        // Asleep there is nothing that could click.
        move(sleep.isAsleep || atOnce ? 0 : glide)
        if !sleep.isAsleep { sleep.wake() }
    }

    private mutating func move(_ frames: Int) {
        let filter = parameters.filter
        self.filter.setTarget(
            filter.shape, frequency: filter.hertz, q: filter.q, sampleRate: sampleRate, frames: frames)
        sway.set(rate: parameters.rate, depth: parameters.depth)
        small.setTarget(
            delay: parameters.before, diffusion: Parameters.diffusion(parameters.smallDensity),
            field: parameters.smallField, frames: frames)
        large.setTarget(
            delay: parameters.beforeLarge, diffusion: Parameters.diffusion(parameters.largeDensity),
            field: parameters.largeField, frames: frames)
        balance.setTarget(parameters.smallLargeMix, frames: frames)
    }

    package mutating func process(
        from inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames: Int
    ) {
        guard channelCount > 0 else { return }
        MonoSum.mean(inputs, channelCount, to: mono.pointer, frames)
        // What is absurd would stay in the allpasses.
        for i in 0..<frames { mono[i] = mono[i].magnitude <= Self.largestInput ? mono[i] : 0 }
        var done = 0
        while done < frames {
            let run = min(frames - done, sleep.framesToDecision)
            point(at: done)
            reverberate(done, run)
            done += run
        }
        point(at: 0)
        mix.process(
            dry: inputs, wet: mixed, wetCount: Self.outputCount, to: outputs, channelCount: channelCount, frames)
    }

    private var mixed: UnsafeMutablePointer<UnsafeMutablePointer<Float>> { heads.pointer + 2 * Self.outputCount }

    private func point(at offset: Int) {
        for head in 0..<(3 * Self.outputCount) { heads.pointer[head] = memory.pointer + head * Grid.quantum + offset }
    }

    /// `mono` from `offset` on into where the heads point.
    private mutating func reverberate(_ offset: Int, _ n: Int) {
        let input = mono.pointer + offset
        if sleep.isAsleep {
            if sleep.sleepsOn(input, n) {
                for output in 0..<Self.outputCount { mixed[output].update(repeating: 0, count: n) }
                return
            }
            sleep.wake()
        }
        sleep.note(input, n)
        filter.process(from: input, to: input, n)
        sway.process(input, n)
        small.process(input, to: heads.pointer, n)
        large.process(input, to: heads.pointer + Self.outputCount, n)
        balance.process(
            dry: heads.pointer, wet: heads.pointer + Self.outputCount, wetCount: Self.outputCount, to: mixed,
            channelCount: Self.outputCount, n)
        for head in 0..<(2 * Self.outputCount) { sleep.note(heads.pointer[head], n) }
        if sleep.fallsAsleep(after: n) { clear() }
    }

    private mutating func clear() {
        filter.reset()
        sway.reset()
        small.reset()
        large.reset()
    }

    package mutating func reset() {
        clear()
        sleep.wake()
        take(parameters, atOnce: true)
    }

    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double {
        Double(max(parameters.before + parameters.smallSeconds, parameters.beforeLarge + parameters.largeSeconds))
            + 0.02
    }
}

extension MatrixReverb {
    /// What the numbers do here:
    ///
    ///     dryWetMix, smallLargeMix    equal-power balances
    ///     smallSize                   decay of the small part: T60 = 20 · smallSize, 0.1 … 0.4 s (a room's T60 is some twenty times the way across)
    ///     largeSize                   decay of the large part: its T60
    ///     preDelay                    delay of both parts; largeDelay comes on top for the large one
    ///     densities                   gain of two allpasses before each part, 0.75 · density: how soon single echoes become a wash
    ///     brightnesses                T60 at 16 kHz over that at 1 kHz; evenly over the octaves between, below 1 kHz there is no change
    ///     modulation                  delay of the input swings as a sine of this rate by depth · 1 ms: tails beat instead of ringing on
    ///     filter                      one second-order filter on what goes into the reverb
    ///
    /// The vendor's delay ranges (how widely the delays inside a part are spread) have no counterpart: the networks'
    /// delays are laid out for the most even decay, and stay.
    package struct Parameters: BitwiseCopyable, Hashable, Sendable {
        /// Percent, 0 … 100.
        package var dryWetMix: Float = 100
        package var smallLargeMix: Float = 50
        /// Seconds, 0.005 … 0.02 and 0.4 … 10.
        package var smallSize: Float = 0.02
        package var largeSize: Float = 3.07
        /// Seconds, 0.001 … 0.03 and 0.001 … 0.1.
        package var preDelay: Float = 0.025
        package var largeDelay: Float = 0.035
        /// 0 … 1.
        package var smallDensity: Float = 0.28
        package var largeDensity: Float = 0.82
        /// 0.1 … 1.
        package var smallBrightness: Float = 0.96
        package var largeBrightness: Float = 0.49
        /// Hz, 0.001 … 2, and 0 … 1.
        package var modulationRate: Float = 1
        package var modulationDepth: Float = 0.2
        package var filter = ReverbFilter()

        package init() {}

        var smallSeconds: Float { smallSize.held(0.005...0.02, otherwise: 0.02) * 20 }
        var largeSeconds: Float { largeSize.held(0.4...10, otherwise: 3.07) }
        var before: Float { preDelay.held(0.001...0.03, otherwise: 0.025) }
        var beforeLarge: Float { before + largeDelay.held(0.001...0.1, otherwise: 0.035) }
        var rate: Double { Double(modulationRate.held(0.001...2, otherwise: 1)) }
        var depth: Double { Double(modulationDepth.held(0...1, otherwise: 0)) }
        static func diffusion(_ density: Float) -> Float { 0.75 * density.held(0...1, otherwise: 0.5) }

        var smallField: FeedbackDelayNetwork.Parameters {
            Self.field(smallSeconds, smallBrightness.held(0.1...1, otherwise: 0.96))
        }
        var largeField: FeedbackDelayNetwork.Parameters {
            Self.field(largeSeconds, largeBrightness.held(0.1...1, otherwise: 0.49))
        }

        /// As loud as the input, like `ReverbEffect`'s.
        private static func field(_ seconds: Float, _ brightness: Float) -> FeedbackDelayNetwork.Parameters {
            var t60 = OctaveBands(repeating: seconds)
            let octave = DeterministicMath.log(Double(brightness)) / 4
            for band in 6..<OctaveBands.count { t60[band] *= Float(DeterministicMath.exp(octave * Double(band - 5))) }
            return .init(t60: t60, lateLevel: 9.0309, start: 0)
        }
    }
}
