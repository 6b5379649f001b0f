import OssicleCore

/// What a network's few modes at low frequencies make of its level, to be taken off again.
///
/// Sixteen lines of a third of a second together have three modes in each hertz. An octave at 63 Hz holds some dozens,
/// whose energies are a matter of chance, so that it is up to 2 dB louder or softer than an octave of many. The
/// network's answer is summed up pass by pass at frequencies across each low octave, and held against the mean over all
/// frequencies, for three decay times; in between gains are interpolated over the logarithm of the time. Control side;
/// takes some milliseconds.
///
/// In the mean over all frequencies energies add up: a pass leaves q, the mean of the lines' gains of energy, and all of
/// them q + q² + … = q/(1 − q).
struct NetworkBalance {
    private typealias Lanes = SIMD16<Float>
    /// Octaves from 31.5 to 250 Hz, and frequencies looked at in each.
    private static let counts = [48, 64, 96, 128]
    private static let times = [0.4, 1.0, 2.5]
    /// 4 dB either way.
    private static let limits: ClosedRange<Float> = 0.63...1.59

    /// By time and octave.
    private var gains = InlineArray<3, OctaveBands>(repeating: .ones)

    init(_ plan: FeedbackDelayNetwork.Plan, _ settings: FeedbackDelayNetwork.Settings) {
        let answer = Answer(plan, settings)
        for (index, time) in Self.times.enumerated() {
            let usual = answer.usualEnergy(time)
            for (octave, count) in Self.counts.enumerated() {
                let centre = OctaveBands.centre(octave)
                let few = (0..<count).map { centre * (0.7071 + 0.7071 * (Double($0) + 0.5) / Double(count)) }
                let gain = (usual / max(answer.energy(at: few, time), 1e-30)).squareRoot()
                gains[index][octave] = min(max(gain, Self.limits.lowerBound), Self.limits.upperBound)
            }
        }
    }

    /// For a band that decays in `time` seconds.
    func gain(_ band: Int, _ time: Float) -> Float {
        guard band < Self.counts.count else { return 1 }
        // The times are 2.5 times as long from one to the next.
        let octaves = DeterministicMath.log2(Double(max(time, 0.05)) / Self.times[0])
        let place = Float(min(max(octaves / 1.321_928_09, 0), 2))
        let index = min(Int(place), 1)
        return gains[index][band] + (gains[index + 1][band] - gains[index][band]) * (place - Float(index))
    }

    /// A network with the same decay at all frequencies.
    private struct Answer {
        private let plan: FeedbackDelayNetwork.Plan
        /// Seconds of each line.
        private let delays: [Double]

        init(_ plan: FeedbackDelayNetwork.Plan, _ settings: FeedbackDelayNetwork.Settings) {
            self.plan = plan
            delays = (0..<FeedbackDelayNetwork.lineCount).map { Double(plan.lengths[$0]) / settings.sampleRate }
        }

        /// Mean of the outputs' energies together, over all frequencies.
        func usualEnergy(_ time: Double) -> Float {
            let gain = delays.reduce(0) { $0 + DeterministicMath.exp(-13.815_51 * $1 / time) } / Double(delays.count)
            // |c|², shared out over the lines.
            let scale = Double((plan.output * plan.output).sum()) / Double(delays.count)
            return Float(scale * gain / (1 - gain))
        }

        /// The same over some frequencies.
        func energy(at frequencies: [Double], _ time: Double) -> Float {
            let gains = delays.map { DeterministicMath.exp(-6.907_755 * $0 / time) }
            // Until −40 dB are left.
            let passes = Int(2.0 / 3 * time * Double(delays.count) / delays.reduce(0, +)) + 2
            return frequencies.reduce(0) { $0 + energy($1, gains, passes) } / Float(frequencies.count)
        }

        private func energy(_ frequency: Double, _ gains: [Double], _ passes: Int) -> Float {
            var (re, im) = (Lanes.zero, Lanes.zero)
            for line in delays.indices {
                let turns = frequency * delays[line]
                let turn = DeterministicMath.sincos(-2 * DeterministicMath.pi * (turns - turns.rounded(.down)))
                (re[line], im[line]) = (Float(turn.cos * gains[line]), Float(turn.sin * gains[line]))
            }
            var (fed, sum) = ((re: plan.input, im: Lanes.zero), (re: Lanes.zero, im: Lanes.zero))
            for _ in 0..<passes {
                let heard = (re: fed.re * re - fed.im * im, im: fed.re * im + fed.im * re)
                sum = (sum.re + heard.re, sum.im + heard.im)
                fed = (heard.re.hadamard * 0.25, heard.im.hadamard * 0.25)
            }
            // A Hadamard matrix keeps the energy, so that the lines tell that of the outputs.
            let (x, y) = (sum.re * plan.output, sum.im * plan.output)
            return (x * x + y * y).sum()
        }
    }
}
