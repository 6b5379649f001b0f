import OssicleCore

/// What a rigid wedge sends around its edge: the uniform theory of diffraction of Kouyoumjian and Pathak (1974).
///
/// With n the openness, φ′ and φ the angles of source and receiver about the edge, ψ = φ ∓ φ′, k the wave number and
/// L = s s′/(s + s′) sin²β, the sound by way of the edge re the open field at the same length s + s′ is
///
///     −e^(−jπ/4) / (2n √(2πkL)) · Σ cot((π ± ψ)/2n) F(kL a±(ψ))       a± = 2 cos²((2πnN± − ψ)/2),  N± the integer nearest to (ψ ± π)/2πn
///
/// F(x) = √(2πx) (f(u) + j g(u)) with u = √(2x/π) and the functions of `FresnelTail`. The roots cancel, and what is left,
///
///     −e^(−jπ/4) Σ c (f(u) + j g(u))       c = cot((π ± ψ)/2n) |cos((2πnN± − ψ)/2)| / (√2 n),  u = 2 √(kL/π) |cos((2πnN± − ψ)/2)|,
///
/// is finite everywhere: at a boundary of shadow or reflection c is ±1/√2 and the term ±½, which makes up for the half that is lost.
struct UTD: BitwiseCopyable {
    /// c: two terms of the direct sound, two of what the faces reflect.
    private let weights: SIMD4<Double>
    /// u/√(kL).
    private let arguments: SIMD4<Double>

    /// - Parameters: openness: n. - from, to: φ′ and φ, 0…nπ.
    init(openness n: Double, from: Double, to: Double) {
        let pi = DeterministicMath.pi
        var (weights, arguments) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        for term in 0..<4 {
            let psi = term < 2 ? to - from : to + from
            let turn: Double = term & 1 == 0 ? 1 : -1
            let (s, c) = DeterministicMath.sincos((pi + turn * psi) / (2 * n))
            let nearest = ((psi + turn * pi) / (2 * pi * n)).rounded()
            let aside = DeterministicMath.cos((2 * pi * n * nearest - psi) / 2).magnitude
            // On the boundary itself the shadow's side counts.
            weights[term] = s.magnitude > 1e-12 ? c / s * aside / (2.0.squareRoot() * n) : -0.5.squareRoot()
            arguments[term] = 2 / pi.squareRoot() * aside
        }
        (self.weights, self.arguments) = (weights, arguments)
    }

    /// The sound by way of the edge, the travelled length's phase left out.
    /// - Parameter kL: above 0.
    @inline(__always) func amplitude(_ kL: Double) -> Phasor { sum(arguments * kL.squareRoot(), weights) }

    /// The same with less of what the faces reflect, and none of it where a face's reflection begins: there these terms make up for a path
    /// that others compute, and would jump without it.
    /// - Parameter shares: what counts of the first face's reflection and of the second's.
    func amplitude(_ kL: Double, reflecting shares: SIMD2<Double>) -> Phasor {
        let u = arguments * kL.squareRoot()
        // x = πu²/2 from 0 to ½ fades in.
        var share = (u * u * DeterministicMath.pi).clamped(lowerBound: .zero, upperBound: .one)
        share = share * share * (3 - 2 * share)
        return sum(u, weights * SIMD4(1, 1, share.z * shares.y, share.w * shares.x))
    }

    @inline(__always) private func sum(_ u: SIMD4<Double>, _ weights: SIMD4<Double>) -> Phasor {
        let (f, g) = (FresnelTail.f(u) * weights, FresnelTail.g(u) * weights)
        let (re, im) = (f.x + f.y + f.z + f.w, g.x + g.y + g.z + g.w)
        // Times −e^(−jπ/4).
        let half = 0.5.squareRoot()
        return Phasor(real: -(re + im) * half, imaginary: (re - im) * half)
    }
}
