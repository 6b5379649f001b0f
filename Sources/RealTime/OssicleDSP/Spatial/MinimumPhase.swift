import OssicleCore

/// The filter with a given magnitude and the least delay. Control side.
package enum MinimumPhase {
    /// Taps whose magnitude is e^`logMagnitudes`, given at equal steps from 0 Hz to half the sample rate, both included.
    static func taps(_ logMagnitudes: [Double], count: Int) -> [Float] {
        let half = logMagnitudes.count - 1
        guard half > 0, count > 0 else { return [] }
        let cosines = (0..<2 * half).map { DeterministicMath.cos(DeterministicMath.pi * Double($0) / Double(half)) }
        let cepstrum = (0..<min(count, half)).map { n in
            let ends = logMagnitudes[0] + logMagnitudes[half] * (n % 2 == 0 ? 1 : -1)
            return (1..<half).reduce(ends) { $0 + 2 * logMagnitudes[$1] * cosines[n * $1 % (2 * half)] } / Double(2 * half)
        }
        return taps(cepstrum: cepstrum, count: count).map { Float($0) }
    }

    /// Taps from the real cepstrum, the inverse transform of the logarithm of the magnitude.
    ///
    /// The cepstrum of a minimum-phase filter is causal, so its taps follow one from the other (Oppenheim and Schafer, *Discrete-Time
    /// Signal Processing*, complex cepstrum):  h₀ = e^c₀,  n·hₙ = Σ k·2c_k·h_{n−k}.
    package static func taps(cepstrum: [Double], count: Int) -> [Double] {
        guard let first = cepstrum.first, count > 0 else { return [] }
        let steps = cepstrum.enumerated().map { Double($0) * 2 * $1 }
        var taps = [Double](repeating: 0, count: count)
        taps[0] = DeterministicMath.exp(first)
        for n in 1..<max(count, 1) {
            var sum = 0.0
            var k = 1
            while k <= min(n, steps.count - 1) {
                sum += steps[k] * taps[n - k]
                k += 1
            }
            taps[n] = sum / Double(n)
        }
        return taps
    }
}
