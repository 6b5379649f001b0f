import OssicleCore

/// What a network's few modes at low frequencies make of its level, to be taken off again.
///
/// Sixteen lines of a third of a second together have three modes in each hertz. An octave at 63 Hz holds some dozens,
/// whose energies are a matter of chance, so that it is up to 2 dB louder or softer than an octave of many. The
/// network's answer is summed up pass by pass at frequencies across each low octave, and held against the mean over all
/// frequencies, for three decay times; in between gains are interpolated over the logarithm of the time. Control side;
/// takes some half a millisecond.
///
/// In the mean over all frequencies energies add up: a pass leaves q, the mean of the lines' gains of energy, and all of
/// them q + q² + … = q/(1 − q).
struct NetworkBalance {
    /// Octaves from 31.5 to 250 Hz, and frequencies looked at in each.
    private static let counts = [48, 64, 96, 128]
    private static let times = [0.4, 1.0, 2.5]
    /// 4 dB either way.
    private static let limits: ClosedRange<Float> = 0.63...1.59

    /// By time and octave.
    private var gains = InlineArray<3, OctaveBands>(repeating: .ones)

    init(_ plan: FeedbackDelayNetwork.Plan, _ settings: FeedbackDelayNetwork.Settings) {
        let answer = NetworkAnswer(plan, settings)
        let (lines, whole) = (Double(answer.delays.count), answer.delays.reduce(0, +))
        // Until −40 dB are left.
        let decays = Self.times.map { (gains: answer.gains($0), passes: Int(2.0 / 3 * $0 * lines / whole) + 2) }
        let usual = Self.times.map { Self.usualEnergy(plan, answer.delays, $0) }
        for (octave, count) in Self.counts.enumerated() {
            let centre = OctaveBands.centre(octave)
            var energies = InlineArray<3, Float>(repeating: 0)
            for first in stride(from: 0, to: count, by: 4) {
                let turns = NetworkAnswer.turns(answer.delays) {
                    centre * (0.7071 + 0.7071 * (Double(first + $0) + 0.5) / Double(count))
                }
                for (index, decay) in decays.enumerated() {
                    // A Hadamard matrix keeps the energy, so that the lines tell that of the outputs.
                    let lines = answer.lines(turns, decay.gains, passes: decay.passes)
                    let energy = (0..<answer.delays.count).reduce(SIMD4<Float>.zero) { $0 + lines[$1].power }
                    for lane in 0..<4 { energies[index] += energy[lane] }
                }
            }
            for index in Self.times.indices {
                let gain = (usual[index] / max(energies[index] / Float(count), 1e-30)).squareRoot()
                gains[index][octave] = min(max(gain, Self.limits.lowerBound), Self.limits.upperBound)
            }
        }
    }

    /// Mean of the outputs' energies together, over all frequencies.
    private static func usualEnergy(_ plan: FeedbackDelayNetwork.Plan, _ delays: [Double], _ time: Double) -> Float {
        let gain = delays.reduce(0) { $0 + DeterministicMath.exp(-13.815_51 * $1 / time) } / Double(delays.count)
        // |c|², shared out over the lines.
        let scale = Double((plan.output * plan.output).sum()) / Double(delays.count)
        return Float(scale * gain / (1 - gain))
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
}
