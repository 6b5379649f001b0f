import OssicleCore

/// Power of steady noise in each bin, also while somebody speaks.
///
///     λ += a·(p·λ + (1 − p)·|E|² − λ),  p = 1/(1 + (1 + ξ)·exp(−γ·ξ/(1 + ξ))),  ξ = 15 dB
///
/// Speech presence with a fixed prior (Gerkmann and Hendriks, "Unbiased MMSE-based noise power estimation with low
/// complexity and low tracking delay", IEEE Trans. Audio Speech Lang. Process. 20, 2012). Audio thread.
struct NoiseEstimate: ~Copyable {
    private static let prior = 31.6
    private static let firstHops = 12
    /// exp(−x) in steps of 1/8, up to where speech is certain.
    private let decays: SampleMemory
    private let certainty: SampleMemory
    let power: SampleMemory
    private var hops = 0

    init(binCount: Int) {
        decays = SampleMemory(count: 129)
        certainty = SampleMemory(count: binCount)
        power = SampleMemory(count: binCount)
        for i in 0..<decays.count { decays[i] = Float(DeterministicMath.exp(-Double(i) / 8)) }
    }

    mutating func reset() {
        certainty.clear()
        power.clear()
        hops = 0
    }

    /// - Parameters:
    ///   - powers: |E|². - disturbance: power of what is no noise though steady, such as echo: where it is above
    ///     the noise the estimate is held.
    mutating func follow(_ powers: UnsafePointer<Float>, disturbance: UnsafePointer<Float>) {
        let share = Float(Self.prior / (1 + Self.prior))
        let odds = Float(1 + Self.prior)
        let isFirst = hops < Self.firstHops
        hops = min(hops + 1, Self.firstHops)
        for k in 0..<power.count {
            if isFirst {
                power[k] += (powers[k] - power[k]) / Float(hops)
                continue
            }
            if disturbance[k] > power[k] { continue }
            let exponent = min(powers[k] / (power[k] + 1e-20) * share, 16)
            var p = 1 / (1 + odds * decays[Int(exponent * 8)])
            certainty[k] += 0.025 * (p - certainty[k])
            if certainty[k] > 0.99 { p = min(p, 0.99) }
            power[k] += 0.05 * (1 - p) * (powers[k] - power[k])
        }
    }
}
