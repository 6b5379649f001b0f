import OssicleCore

/// The filter with a given magnitude and the least delay. Control side.
enum MinimumPhase {
    /// Taps whose magnitude is e^`logMagnitudes`, given at equal steps from 0 Hz to half the sample rate, both included.
    ///
    /// The cepstrum of a minimum-phase filter is causal, so its taps follow one from the other (Oppenheim and Schafer, *Discrete-Time
    /// Signal Processing*, complex cepstrum):  h₀ = e^c₀,  n·hₙ = Σ k·2c_k·h_{n−k}.
    static func taps(_ logMagnitudes: [Double], count: Int) -> [Float] {
        let half = logMagnitudes.count - 1
        guard half > 0, count > 0 else { return [] }
        let cosines = (0..<2 * half).map { DeterministicMath.cos(DeterministicMath.pi * Double($0) / Double(half)) }
        let cepstrum = (0..<min(count, half)).map { n in
            let ends = logMagnitudes[0] + logMagnitudes[half] * (n % 2 == 0 ? 1 : -1)
            return (1..<half).reduce(ends) { $0 + 2 * logMagnitudes[$1] * cosines[n * $1 % (2 * half)] } / Double(2 * half)
        }
        var taps = [DeterministicMath.exp(cepstrum[0])]
        for n in 1..<max(count, 1) {
            let sum = (1...n).reduce(0.0) { $1 < cepstrum.count ? $0 + Double($1) * 2 * cepstrum[$1] * taps[n - $1] : $0 }
            taps.append(sum / Double(n))
        }
        return taps.map { Float($0) }
    }
}
