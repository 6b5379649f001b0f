import OssicleCore

/// A reverb with the factory presets' rooms, or with a measured one.
///
///     x ─┬─▶ mean of the channels ─▶ feedback delay network ═▶ eight outputs, one for each channel ─▶ wet ─▶(+)─▶ y
///        ├─▶ or each channel by itself ─▶ convolver ═════════▶ as many outputs ─────────────────────▶▲     ▲
///        └───────────────────────────────── dry ───────────────────────────────────────────────────────────┘
///
/// The outputs are orthogonal mixes of the network's lines, so the channels' tails have nothing to do with each other;
/// beyond eight channels they repeat. Level: at 100 % steady noise of the middle octaves that is in all channels comes
/// out as loud as it went in, with every preset. So the equal-power mix never changes how loud steady sound is, only
/// how it sounds; rooms' physical levels would put halls 16 dB below chambers.
///
/// Sound goes from one room to another without a gap: the one before is fed until the other has filled, and rings out.
/// Once all are inaudible the effect sleeps, and costs nothing until the next sound. Audio thread, but for `init`.
package struct ReverbEffect: EffectKernel, ~Copyable {
    private let channelCount: Int
    private let glide: Int
    private let sampleRate: Double
    private var parameters: Parameters
    private var mix: EffectMix
    private var networks: NetworkPool
    private var responses: ResponsePool
    /// Frames of the present quantum so far.
    private var phase = 0
    private var sleep: ReverbSleep
    private let mono = SampleMemory(count: Grid.quantum)
    /// Eight at the least, for the networks.
    private let wetCount: Int
    private let wet: SampleMemory
    private let heads: OwnedMemory<UnsafeMutablePointer<Float>>

    package init(sampleRate: Double, channelCount: Int, parameters: Parameters) {
        self.channelCount = channelCount
        glide = Int(0.02 * sampleRate)
        self.parameters = parameters
        mix = EffectMix(parameters.wetDryMix, law: .equalPower, gain: parameters.level)
        networks = NetworkPool(
            sampleRate: sampleRate, seed: parameters.seed, meanFreeTime: parameters.meanFreeTime,
            field: parameters.field, isInUse: parameters.response == nil)
        responses = ResponsePool(sampleRate: sampleRate, channelCount: channelCount, response: parameters.response)
        // The longest start and the longest line.
        sleep = ReverbSleep(patience: Int(1.25 * sampleRate))
        wetCount = max(FeedbackDelayNetwork.outputCount, channelCount)
        wet = SampleMemory(count: wetCount * Grid.quantum)
        heads = OwnedMemory(count: wetCount, wet.pointer)
        self.sampleRate = sampleRate
    }

    /// Which responses are in use, for the control side; valid as long as the effect.
    package var responsesInUse: LatestValueCell<ResponsesInUse> { responses.inUse }

    /// Whether it holds no sound, and costs nothing.
    package var isAsleep: Bool { sleep.isAsleep }

    package mutating func take(_ parameters: Parameters, atOnce: Bool) {
        self.parameters = parameters
        mix.setTarget(parameters.wetDryMix, gain: parameters.level, frames: atOnce ? 0 : glide)
        // Asleep there is nothing that could click.
        let atOnce = atOnce || sleep.isAsleep
        responses.take(
            parameters.response, otherwise: parameters.field.buildUp(sampleRate: sampleRate), atOnce: atOnce)
        if let response = parameters.response {
            networks.leave(for: response.buildUp, atOnce: atOnce)
        } else {
            networks.take(meanFreeTime: parameters.meanFreeTime, field: parameters.field, atOnce: atOnce)
        }
        if !sleep.isAsleep { sleep.wake() }
    }

    package mutating func process(
        from inputs: UnsafePointer<UnsafeMutablePointer<Float>>, to outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
        frames: Int
    ) {
        guard channelCount > 0 else { return }
        MonoSum.mean(inputs, channelCount, to: mono.pointer, frames)
        var done = 0
        while done < frames {
            let run = min(frames - done, sleep.framesToDecision, Grid.quantum - phase)
            point(at: done)
            reverberate(inputs, done, run)
            done += run
            phase += run
            if phase == Grid.quantum { settle() }
        }
        point(at: 0)
        mix.process(
            dry: inputs, wet: heads.pointer, wetCount: wetCount, to: outputs, channelCount: channelCount, frames)
    }

    private mutating func settle() {
        phase = 0
        networks.settle()
        responses.settle()
    }

    private func point(at offset: Int) {
        for output in 0..<wetCount { heads.pointer[output] = wet.pointer + output * Grid.quantum + offset }
    }

    /// The inputs from `offset` on into where the heads point.
    private mutating func reverberate(
        _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ offset: Int, _ n: Int
    ) {
        let input = mono.pointer + offset
        if sleep.isAsleep {
            if sleep.sleepsOn(input, n), parameters.response == nil || areSilent(inputs, offset, n) {
                for output in 0..<wetCount { heads.pointer[output].update(repeating: 0, count: n) }
                return
            }
            sleep.wake()
        }
        networks.process(input, to: heads.pointer, n)
        for output in FeedbackDelayNetwork.outputCount..<wetCount {
            heads.pointer[output].update(from: heads.pointer[output % FeedbackDelayNetwork.outputCount], count: n)
        }
        responses.add(inputs, offset: offset, to: heads.pointer, n)
        sleep.note(input, n)
        for output in 0..<wetCount { sleep.note(heads.pointer[output], n) }
        guard sleep.fallsAsleep(after: n) else { return }
        // A response may have a gap longer than the patience.
        if responses.holdsSound { sleep.wake() } else { networks.reset() }
    }

    /// Channels that cancel each other in their mean sound in a measured room.
    private func areSilent(_ inputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ offset: Int, _ n: Int) -> Bool {
        for channel in 0..<channelCount where !sleep.sleepsOn(inputs[channel] + offset, n) { return false }
        return true
    }

    package mutating func reset() {
        networks.reset()
        responses.reset()
        phase = 0
        sleep.wake()
        take(parameters, atOnce: true)
    }

    package static func tailTime(_ parameters: Parameters, sampleRate: Double) -> Double {
        if let response = parameters.response { return Double(response.duration) }
        return Double(parameters.field.t60.lanes.max()) + parameters.start
    }
}

extension ReverbEffect {
    /// A factory preset, and six numbers it comes with that may be changed afterwards.
    ///
    ///     minDelayTime          when the tail starts: the preset's mixing time
    ///     maxDelayTime          the longest delay inside: three mean free times; the nearest of four networks is taken
    ///     decayTimeAt0Hz        the preset's T60 at 31.5 Hz; others scale the octaves below the more, the lower they lie
    ///     decayTimeAtNyquist    the preset's T60 at 16 kHz; likewise, the higher
    ///     randomizeReflections  chooses the networks' delays and signs; taken up when the kernel is made
    ///     gain                  dB of the reverb alone
    ///
    /// As they come with the preset they mean its own table of decay times, octave by octave.
    package struct Parameters: BitwiseCopyable, Hashable, Sendable {
        /// The preset's decay times.
        private let table: OctaveBands
        /// Percent, 0 … 100.
        package var wetDryMix: Float
        /// dB, −20 … 20.
        package var gain: Float = 0
        /// Seconds, 0.0001 … 1.
        package var minDelayTime: Float
        package var maxDelayTime: Float
        /// Seconds, 0.001 … 20.
        package var decayTimeAt0Hz: Float
        package var decayTimeAtNyquist: Float
        /// 1 … 1000.
        package var randomizeReflections: Float = 1
        /// A measured room in place of the preset's; mix and gain alone count then.
        package var response: ReverbResponse?

        /// What a preset stands for. Control side.
        package init(preset: ReverbPreset = .mediumHall, wetDryMix: Float = 100) {
            let room = preset.room
            table = room.t60
            self.wetDryMix = wetDryMix
            minDelayTime = max(Float(room.mixingTime), 0.0001)
            maxDelayTime = Float(3 * room.meanFreeTime)
            decayTimeAt0Hz = room.t60[0]
            decayTimeAtNyquist = room.t60[OctaveBands.count - 1]
        }

        /// T60 per octave: the preset's, times what was changed at either end, in the logarithms of time and frequency.
        var decay: OctaveBands {
            let last = OctaveBands.count - 1
            let (low, high) = (Self.factor(decayTimeAt0Hz, table[0]), Self.factor(decayTimeAtNyquist, table[last]))
            if low == 1, high == 1 { return table }
            var result = table
            for band in 0...last {
                let share = Double(band) / Double(last)
                result[band] *= Float(
                    DeterministicMath.exp(
                        DeterministicMath.log(low) * (1 - share) + DeterministicMath.log(high) * share))
            }
            return result
        }

        /// Scales the preset's decay times so that the mean of those at 500 Hz and 1 kHz is `seconds`, 0.1 … 10.
        package mutating func setDecay(_ seconds: Float) {
            let scale = seconds.held(0.1...10, otherwise: 1) / ((table[4] + table[5]) / 2)
            (decayTimeAt0Hz, decayTimeAtNyquist) = (table[0] * scale, table[OctaveBands.count - 1] * scale)
        }

        private static func factor(_ time: Float, _ standard: Float) -> Double {
            Double(time.held(0.001...20, otherwise: standard) / standard)
        }

        var start: Double { Double(minDelayTime.held(0.0001...1, otherwise: 0.008)) }
        var meanFreeTime: Double { Double(maxDelayTime.held(0.0001...1, otherwise: 0.05)) / 3 }
        var level: Float { gain.held(-20...20, otherwise: 0) }
        var seed: UInt64 { UInt64(randomizeReflections.held(1...1000, otherwise: 1)) }

        /// Each output of the network answers an impulse with the impulse's own energy at mid frequencies: of eight
        /// alike, 9 dB in all.
        var field: FeedbackDelayNetwork.Parameters { .init(t60: decay, lateLevel: 9.0309, start: start) }
    }
}

/// The filter of the reverb units: one band of eleven types, numbered as the equaliser's.
package struct ReverbFilter: BitwiseCopyable, Hashable, Sendable {
    /// 0 parametric, 1 low pass, 2 high pass, 3 resonant low pass, 4 resonant high pass, 5 band pass, 6 band stop, 7
    /// low shelf, 8 high shelf, 9 resonant low shelf, 10 resonant high shelf.
    package var type: Float = 0
    /// Hz, 10 … 20 000.
    package var frequency: Float = 800
    /// Octaves, 0.05 … 4; without effect on types 1, 2, 7 and 8.
    package var bandwidth: Float = 3
    /// dB, −18 … 18; of parametric and shelves.
    package var gain: Float = 0
    package var isEnabled = true

    package init() {}

    /// Octaves between the band's edges are 2·arsinh(1/2Q)/ln 2.
    var q: Double {
        switch number {
        case 1, 2, 7, 8: return 0.7071067811865476
        default:
            let ratio = DeterministicMath.exp2(Double(bandwidth.held(0.05...4, otherwise: 3)))
            return ratio.squareRoot() / (ratio - 1)
        }
    }

    var hertz: Double { Double(frequency.held(10...20_000, otherwise: 800)) }
    private var number: Int { Int(type.held(0...10, otherwise: 0).rounded()) }

    /// Switched off it is a parametric band that changes nothing.
    var shape: StateVariableFilter.Shape {
        let decibels = Double(gain.held(-18...18, otherwise: 0))
        guard isEnabled else { return .peaking(0) }
        switch number {
        case 1, 3: return .lowPass
        case 2, 4: return .highPass
        case 5: return .bandPass
        case 6: return .notch
        case 7, 9: return .lowShelf(decibels)
        case 8, 10: return .highShelf(decibels)
        default: return .peaking(decibels)
        }
    }
}
