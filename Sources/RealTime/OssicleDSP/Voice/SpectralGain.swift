import OssicleCore

/// The gain that leaves speech in noise with the least mean square error of its log spectrum.
///
///     G = ξ/(1 + ξ)·exp(½·E₁(v)),  v = γ·ξ/(1 + ξ)
///
/// ξ is the a-priori, γ the a-posteriori ratio of speech to disturbance (Ephraim and Malah, "Speech enhancement using a
/// minimum mean-square error log-spectral amplitude estimator", IEEE Trans. ASSP 33, 1985). The factor exp(½·E₁(v))
/// comes from a table in v, made by init. Any thread.
package struct SpectralGain: ~Copyable, Sendable {
    private static let perOctave = 8
    private static let lowest = 0x1p-12
    private let factors: SampleMemory

    package init() {
        factors = SampleMemory(count: 16 * Self.perOctave + 1)
        for i in 0..<factors.count {
            let (octave, share) = (Double(i / Self.perOctave), Double(i % Self.perOctave) / Double(Self.perOctave))
            let v = Self.lowest * DeterministicMath.exp2(octave) * (1 + share)
            factors[i] = Float(DeterministicMath.exp(0.5 * Self.exponentialIntegral(v)))
        }
    }

    package func gain(prior: Float, posterior: Float) -> Float {
        let wiener = prior / (1 + prior)
        let v = max(posterior * wiener, Float(Self.lowest))
        // The table divides each octave evenly, as the fraction of a number does.
        let place = (Float(v.exponent) + v.significand - 1 + 12) * Float(Self.perOctave)
        guard place < Float(factors.count - 1) else { return min(wiener, 1) }
        let index = Int(place)
        let factor = factors[index] + (factors[index + 1] - factors[index]) * (place - Float(index))
        return min(wiener * factor, 1)
    }

    /// E₁(x) for x > 0: the series below 1, Lentz's continued fraction above (Abramowitz and Stegun 5.1.11, 5.1.22).
    package static func exponentialIntegral(_ x: Double) -> Double {
        if x < 1 {
            var (sum, term) = (-0.5772156649015329 - DeterministicMath.log(x), -1.0)
            for k in 1..<40 {
                term *= -x / Double(k)
                sum += term / Double(k)
            }
            return sum
        }
        var fraction = 0.0
        for k in stride(from: 60, to: 0, by: -1) { fraction = Double(k) / (1 + Double(k) / (x + fraction)) }
        return DeterministicMath.exp(-x) / (x + fraction)
    }
}
