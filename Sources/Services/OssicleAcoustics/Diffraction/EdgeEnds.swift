import OssicleCore

/// What the ends of an edge leave of what an endless one would send.
///
/// By Svensson, Fred and Vanderkooy (JASA 106, 2331 (1999)) every point of an edge is a source. Around the point of the shortest way their sum is
///
///     ∫ e^(−jπs²/2) / (s² + u²) ds
///
/// with s along the edge and u = √(8L/λ) |cos((φ − φ′)/2)| how far the shadow's boundary is, both in Fresnel units: far from the boundary a Fresnel
/// integral, close to it all comes from the one point, and an edge sounds whole or not at all. What lies beyond an end at t ≥ 0 is, re the whole,
///
///     R(t) = √(E(t) E(q) / 2E(u)) u/q · e^(j(α(t) − α(0)))        q² = t² + u²,  E = f² + g²,  α the phase of the Fresnel integral from t on
///
/// of the functions of `FresnelTail`: right at t = 0, for large u and for large t, and within 0.11 of the whole in between.
struct EdgeEnds: BitwiseCopyable {
    /// Where the edge begins and ends, from the point of the shortest way on, in √(wavelength).
    let from: Double
    let to: Double
    /// u, in √(wavelength).
    let aside: Double

    /// The share of a band, re an endless edge: 1 well within the edge, ½ at an end.
    @inline(__always) func share(_ wavelength: Double) -> Phasor {
        let root = wavelength.squareRoot()
        let (start, end) = (from.magnitude / root, to.magnitude / root)
        if from <= 0 && to >= 0 {
            let blur = (start: OctaveBlur.left(ofRings: start * start / 2), end: OctaveBlur.left(ofRings: end * end / 2))
            guard blur.start > 0 || blur.end > 0 else { return .one }
            let rest = rest(start, end, aside / root)
            return Phasor.one - rest.0 * blur.start - rest.1 * blur.end
        }
        let (near, far) = (min(start, end), max(start, end))
        let rest = rest(near, far, aside / root)
        return rest.0 - rest.1 * OctaveBlur.left(ofRings: (far * far - near * near) / 2)
    }

    /// R of two ends.
    @inline(__always) private func rest(_ a: Double, _ b: Double, _ u: Double) -> (Phasor, Phasor) {
        let u = max(u, 1e-9)
        let (p, q) = ((a * a + u * u).squareRoot(), (b * b + u * u).squareRoot())
        let (f, g) = (FresnelTail.f(SIMD4(a, b, p, q)), FresnelTail.g(SIMD4(a, b, p, q)))
        let whole = FresnelTail.energy(SIMD4(repeating: u)).x
        func end(_ t: Double, _ f: Double, _ g: Double, _ hypotenuse: Double, _ energy: Double) -> Phasor {
            // (g − jf) (1 + j)/√2 has the phase that is left, and the size √E.
            let unit = Phasor(real: (g + f) * 0.5.squareRoot(), imaginary: (g - f) * 0.5.squareRoot())
            let size = (energy / (2 * whole)).squareRoot() * u / hypotenuse
            return unit.delayed(by: DeterministicMath.pi * t * t / 2) * size
        }
        return (end(a, f.x, g.x, p, f.z * f.z + g.z * g.z), end(b, f.y, g.y, q, f.w * f.w + g.w * g.w))
    }
}
