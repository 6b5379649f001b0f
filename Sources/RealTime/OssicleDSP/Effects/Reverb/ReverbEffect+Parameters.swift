import OssicleCore

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
                result[band] *= Float(DeterministicMath.exp(DeterministicMath.log(low) * (1 - share) + DeterministicMath.log(high) * share))
            }
            return result
        }

        private static func factor(_ time: Float, _ standard: Float) -> Double { Double(time.held(0.001...20, otherwise: standard) / standard) }

        var start: Double { Double(minDelayTime.held(0.0001...1, otherwise: 0.008)) }
        var meanFreeTime: Double { Double(maxDelayTime.held(0.0001...1, otherwise: 0.05)) / 3 }
        var level: Float { gain.held(-20...20, otherwise: 0) }
        var seed: UInt64 { UInt64(randomizeReflections.held(1...1000, otherwise: 1)) }

        /// Each output of the network answers an impulse with the impulse's own energy at mid frequencies: of eight alike, 9 dB in all.
        var field: FeedbackDelayNetwork.Parameters { .init(t60: decay, lateLevel: 9.0309, start: start) }
    }
}
