import OssicleCore

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
        return 0.5 * (1 + DeterministicMath.cos(DeterministicMath.pi * (distance - fadeStart) / (cullDistance - fadeStart)))
    }
}
