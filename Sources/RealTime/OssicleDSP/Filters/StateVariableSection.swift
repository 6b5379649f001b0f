import OssicleCore

/// The six numbers of one state-variable section, for any scalar or vector of lanes.
///
/// The topology-preserving state-variable filter (Andrew Simper, "Solving the continuous SVF equations using trapezoidal integration",
/// 2013) with corner g = tan(πf/fs), damping k and output mix m₀ + m₁·band + m₂·low, multiplied out into
///
///     e = x − s₂;   y = d·x + p·s₁ + q·s₂;   s₁ ← α·s₁ + β·e;   s₂ ← s₂ + β·s₁ + γ·e
///
/// The state matrix [α −β; β 1−γ] is the Cayley transform of a dissipative one and never lengthens the state vector. That
/// also holds for every mean of two such matrices: the six numbers may be interpolated linearly, sample by sample, and the filter
/// stays stable whatever they do.
package struct StateVariableSection<Lanes> {
    package var alpha, beta, gamma, d, p, q: Lanes

    @inline(__always)
    package init(alpha: Lanes, beta: Lanes, gamma: Lanes, d: Lanes, p: Lanes, q: Lanes) {
        (self.alpha, self.beta, self.gamma, self.d, self.p, self.q) = (alpha, beta, gamma, d, p, q)
    }
}

extension StateVariableSection: BitwiseCopyable where Lanes: BitwiseCopyable {}
extension StateVariableSection: Sendable where Lanes: Sendable {}

extension StateVariableSection<Float> {
    /// - Parameters:
    ///   - g: tan(πf/fs), above 0. - k: damping 1/Q, above 0. - m0, m1, m2: weights of input, band pass and low pass.
    package init(g: Double, k: Double, m0: Double, m1: Double, m2: Double) {
        let a1 = 1 / (1 + g * (g + k))
        let a2 = g * a1
        let a3 = g * a2
        self.init(alpha: Float(2 * a1 - 1), beta: Float(2 * a2), gamma: Float(2 * a3),
                  d: Float(m0 + m1 * a2 + m2 * a3), p: Float(m1 * a1 + m2 * a2), q: Float(m2 - m1 * a2 - m2 * a3))
    }
}
