import OssicleCore

/// How the level falls with distance, as an amplitude factor. Distances in metres.
package enum DistanceLaw: Sendable {
    /// The same level everywhere.
    case constant
    /// PHASE: d^(−rolloff), 6 dB per doubling at rolloff 1, 0 dB at 1 m. Closer than 0.25 m it grows no more (+12 dB at
    /// rolloff 1).
    case geometricSpreading(rolloff: Double)
    /// AVAudioEnvironmentNode: r / (r + k (d − r)), d from `reference` outwards.
    case inverse(reference: Double, rolloff: Double)
    /// AVAudioEnvironmentNode: (d / r)^(−k), d from `reference` outwards.
    case exponential(reference: Double, rolloff: Double)
    /// AVAudioEnvironmentNode: 1 − k (d − r)/(M − r), d between `reference` and `maximum`.
    case linear(reference: Double, maximum: Double, rolloff: Double)
    /// Any curve of the distance, such as an envelope's; it must answer the same for the same distance.
    case curve(@Sendable (Double) -> Double)

    /// Closest distance that geometric spreading distinguishes.
    package static let nearest = 0.25

    /// Amplitude factor, ≥ 0. A formula that cannot be evaluated attenuates nothing, as AVAudioEnvironmentNode has it.
    package func gain(at distance: Double) -> Double {
        let gain = formula(max(distance, 0))
        return gain.isFinite ? max(gain, 0) : 1
    }

    private func formula(_ d: Double) -> Double {
        switch self {
        case .constant:
            return 1
        case .geometricSpreading(let rolloff):
            let distance = max(d, DistanceLaw.nearest)
            return rolloff == 1 ? 1 / distance : DeterministicMath.pow(distance, -rolloff)
        case .inverse(let reference, let rolloff):
            let denominator = reference + rolloff * (max(d, reference) - reference)
            return denominator > 0 ? reference / denominator : .nan
        case .exponential(let reference, let rolloff):
            return reference > 0 ? DeterministicMath.pow(max(d, reference) / reference, -rolloff) : .nan
        case .linear(let reference, let maximum, let rolloff):
            guard maximum > reference else { return .nan }
            return 1 - rolloff * (min(max(d, reference), maximum) - reference) / (maximum - reference)
        case .curve(let curve):
            return curve(d)
        }
    }
}

/// Fades a source out before its cull distance D: a raised cosine over the last tenth of D, but at least half a metre.
///
/// w = ½(1 + cos(π (d − d₀)/(D − d₀))), d₀ = D − max(0.1 D, 0.5 m). Metres.
package struct CullWindow: Sendable, Hashable {
    package let cullDistance: Double
    package let fadeStart: Double

    /// - Parameter cullDistance: ≥ 1 m; less counts as 1 m, and what is no number never culls.
    package init(cullDistance: Double) {
        self.cullDistance = cullDistance.isNaN ? .infinity : max(cullDistance, 1)
        fadeStart = self.cullDistance - max(0.1 * self.cullDistance, 0.5)
    }

    /// Amplitude factor: 1 up to `fadeStart`, 0 from the cull distance on.
    package func gain(at distance: Double) -> Double {
        guard cullDistance.isFinite, distance > fadeStart else { return 1 }
        guard distance < cullDistance else { return 0 }
        return 0.5
            * (1 + DeterministicMath.cos(DeterministicMath.pi * (distance - fadeStart) / (cullDistance - fadeStart)))
    }
}
