import OssicleCore

/// H(z) = (b₀ + b₁z⁻¹ + b₂z⁻²)/(1 + a₁z⁻¹ + a₂z⁻²).
package struct BiquadCoefficients: BitwiseCopyable, Hashable, Sendable {
    package var b0, b1, b2, a1, a2: Double

    package init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
        (self.b0, self.b1, self.b2, self.a1, self.a2) = (b0, b1, b2, a1, a2)
    }

    package static var identity: BiquadCoefficients { BiquadCoefficients(b0: 1, b1: 0, b2: 0, a1: 0, a2: 0) }

    /// |H| at a frequency in Hz.
    package func magnitude(at frequency: Double, sampleRate: Double) -> Double {
        let (s1, c1) = DeterministicMath.sincos(2 * DeterministicMath.pi * frequency / sampleRate)
        let (s2, c2) = (2 * s1 * c1, c1 * c1 - s1 * s1)
        func squared(_ re: Double, _ im: Double) -> Double { re * re + im * im }
        let zeros = squared(b0 + b1 * c1 + b2 * c2, b1 * s1 + b2 * s2)
        let poles = squared(1 + a1 * c1 + a2 * c2, a1 * s1 + a2 * s2)
        return (zeros / poles).squareRoot()
    }

    /// Whether both poles lie inside the unit circle (the stability triangle).
    package var isStable: Bool { a2.magnitude < 1 && a1.magnitude < 1 + a2 }
}
