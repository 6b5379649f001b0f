import OssicleAcoustics
import OssicleCore

/// A crossover of fourth order after Linkwitz and Riley (JAES 24, 2 (1976)): two Butterworth filters of second order in
/// a row on either side, whose sum lets every frequency through at the same level.
struct WaveCrossover {
    private let sampleRate: Double
    private let low, high: Section

    /// One Butterworth filter.
    private struct Section {
        let b0, b1, b2, a1, a2: Double

        func apply(to signal: [Float]) -> [Float] {
            var (s1, s2) = (0.0, 0.0)
            return signal.map { sample in
                let x = Double(sample)
                let y = b0 * x + s1
                s1 = b1 * x - a1 * y + s2
                s2 = b2 * x - a2 * y
                return Float(y)
            }
        }

        func gain(_ back: Complex) -> Complex {
            let square = back * back
            let above = Complex(b0) + back * b1 + square * b2
            let below = Complex.one + back * a1 + square * a2
            return above / below
        }
    }

    init(frequency: Double, sampleRate: Double) {
        self.sampleRate = sampleRate
        let k = DeterministicMath.tan(DeterministicMath.pi * frequency / sampleRate)
        let norm = 1 / (1 + k * 2.0.squareRoot() + k * k)
        let (a1, a2) = (2 * (k * k - 1) * norm, (1 - k * 2.0.squareRoot() + k * k) * norm)
        low = Section(b0: k * k * norm, b1: 2 * k * k * norm, b2: k * k * norm, a1: a1, a2: a2)
        high = Section(b0: norm, b1: -2 * norm, b2: norm, a1: a1, a2: a2)
    }

    func highPassed(_ signal: [Float]) -> [Float] { high.apply(to: high.apply(to: signal)) }

    /// With the phase of both sides together, and the level it had.
    func allPassed(_ signal: [Float]) -> [Float] {
        zip(highPassed(signal), low.apply(to: low.apply(to: signal))).map { $0 + $1 }
    }

    /// What the low side makes of a frequency.
    func lowGain(_ s: Complex) -> Complex {
        let gain = low.gain((s * (-1 / sampleRate)).exponential)
        return gain * gain
    }

    /// What a single filter of second order makes of it on its high side.
    func simpleHighGain(_ s: Complex) -> Complex { high.gain((s * (-1 / sampleRate)).exponential) }
}
