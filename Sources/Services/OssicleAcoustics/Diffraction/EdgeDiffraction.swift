import OssicleCore

/// A path around one edge, seen from the edge.
struct EdgeDiffraction: BitwiseCopyable {
    /// On the edge.
    let point: Vector
    /// Metres from the last point and to the next.
    let before: Double
    let after: Double
    /// L, metres.
    let reach: Double
    let utd: UTD
    /// |φ − φ′|.
    let turn: Double
    /// u of a face's reach as both ends see it, in √(wavelength).
    private let faces: SIMD2<Double>
    private let openness: Double
    private let ends: EdgeEnds

    /// - Parameters:
    ///   - start, end: the last point before the edge and the next after it.
    ///   - isLit: whether both ends see each other past the edge: on the boundary the coefficient has two values.
    ///   - carriedBefore, carriedAfter: metres the sound travels before `start` and after `end`, by other edges.
    init(
        _ wedge: Wedge, from start: Vector, to end: Vector, isLit: Bool = false, carriedBefore: Double = 0,
        carriedAfter: Double = 0
    ) {
        let place = wedge.shortestPlace(start, end)
        point = wedge.point(at: place)
        before = Self.length(start, point)
        after = Self.length(point, end)
        let (a, b) = (wedge.planar(start), wedge.planar(end))
        let sines = min(a.square.squareRoot() / before, 1) * min(b.square.squareRoot() / after, 1)
        let (s0, s1) = (before + carriedBefore, after + carriedAfter)
        reach = max(s0 * s1 / (s0 + s1) * sines, 1e-6)
        let pi = DeterministicMath.pi
        let (source, given) = (wedge.angle(a), wedge.angle(b))
        turn = isLit ? min((given - source).magnitude, pi - 1e-7) : max((given - source).magnitude, pi + 1e-7)
        let receiver = given < source ? source - turn : source + turn
        utd = UTD(openness: wedge.openness, from: source, to: receiver)
        openness = wedge.openness
        let scale = (2 * sines * (1 / before + 1 / after)).squareRoot()
        let end = wedge.openness * pi
        let near = (DeterministicMath.sin(source) * DeterministicMath.sin(receiver)).magnitude.squareRoot()
        let far = (DeterministicMath.sin(end - source) * DeterministicMath.sin(end - receiver)).magnitude.squareRoot()
        faces = wedge.depths * SIMD2(near, far) * scale
        let aside = (8 * reach).squareRoot() * DeterministicMath.cos(turn / 2).magnitude
        ends = EdgeEnds(from: -place * scale, to: (wedge.length - place) * scale, aside: aside)
    }

    /// Metres of a part of the path, never 0.
    @inline(__always) static func length(_ start: Vector, _ end: Vector) -> Double {
        max((end - start).magnitude, 1e-4)
    }

    /// What the edge sends in one band, the travelled length's phase left out.
    @inline(__always) func amplitude(_ wavelength: Double, _ number: Double) -> Phasor {
        utd.amplitude(number * reach) * ends.share(wavelength)
    }

    /// The same with what the faces reflect as far as they are large enough.
    func amplitudeBesideFaces(_ wavelength: Double, _ number: Double) -> Phasor {
        utd.amplitude(number * reach, reflecting: faceShares(wavelength)) * ends.share(wavelength)
    }

    /// What counts of the faces' reflections: 1 − 2(f² + g²), little where a face is smaller than a Fresnel zone as it
    /// is seen from both ends.
    private func faceShares(_ wavelength: Double) -> SIMD2<Double> {
        let root = wavelength.squareRoot()
        let energy = FresnelTail.energy(SIMD4(faces.x / root, faces.y / root, 0, 0))
        return SIMD2(1 - 2 * energy.x, 1 - 2 * energy.y)
    }

    /// The Fresnel argument of the shadow's depth, Y of Pierce (1974), without √(1/wavelength): √(2L) (cos νπ − cos
    /// νθ)/(ν sin νπ), ν = 1/n.
    var depth: Double {
        let nu = 1 / openness
        let (s, c) = DeterministicMath.sincos(nu * DeterministicMath.pi)
        return (2 * reach).squareRoot() * max(c - DeterministicMath.cos(nu * turn), 0) / (nu * max(s, 1e-3))
    }
}

extension Wedge {
    /// Of a point about the edge, 0…nπ; what a rounding puts inside the solid lies on the nearer face.
    func angle(_ p: PlanarPoint) -> Double {
        let open = openness * DeterministicMath.pi
        let angle = p.angle
        return angle <= open ? angle : (angle > (open + 2 * DeterministicMath.pi) / 2 ? 0 : open)
    }

    /// Whether an angle is that of one of the faces.
    func isFace(_ angle: Double) -> Bool { min(angle, openness * DeterministicMath.pi - angle) < 2e-6 }
}

/// What the ends of an edge leave of what an endless one would send.
///
/// By Svensson, Fred and Vanderkooy (JASA 106, 2331 (1999)) every point of an edge is a source. Around the point of the
/// shortest path their sum is
///
///     ∫ e^(−jπs²/2) / (s² + u²) ds
///
/// with s along the edge and u = √(8L/λ) |cos((φ − φ′)/2)| how far the shadow's boundary is, both in Fresnel units: far
/// from the boundary a Fresnel integral, close to it all comes from the one point, and an edge sounds whole or not at
/// all. What lies beyond an end at t ≥ 0 is, re the whole,
///
///     R(t) = √(E(t) E(q) / 2E(u)) u/q · e^(j(α(t) − α(0)))        q² = t² + u²,  E = f² + g²,  α the phase of the Fresnel integral from t on
///
/// of the functions of `FresnelTail`: right at t = 0, for large u and for large t, and within 0.11 of the whole in
/// between.
struct EdgeEnds: BitwiseCopyable {
    /// Where the edge begins and ends, from the point of the shortest path on, in √(wavelength).
    let from: Double
    let to: Double
    /// u, in √(wavelength).
    let aside: Double

    /// The share of a band, re an endless edge: 1 well within the edge, ½ at an end.
    @inline(__always) func share(_ wavelength: Double) -> Phasor {
        let root = wavelength.squareRoot()
        let (start, end) = (from.magnitude / root, to.magnitude / root)
        if from <= 0 && to >= 0 {
            let blur = (
                start: OctaveBlur.left(ofRings: start * start / 2), end: OctaveBlur.left(ofRings: end * end / 2)
            )
            guard blur.start > 0 || blur.end > 0 else { return .one }
            let rest = rest(start, end, u: aside / root)
            return Phasor.one - rest.0 * blur.start - rest.1 * blur.end
        }
        let (near, far) = (min(start, end), max(start, end))
        let rest = rest(near, far, u: aside / root)
        return rest.0 - rest.1 * OctaveBlur.left(ofRings: (far * far - near * near) / 2)
    }

    /// R of two ends.
    @inline(__always) private func rest(_ a: Double, _ b: Double, u: Double) -> (Phasor, Phasor) {
        let u = max(u, 1e-9)
        let (p, q) = ((a * a + u * u).squareRoot(), (b * b + u * u).squareRoot())
        let (f, g) = (FresnelTail.f(SIMD4(a, b, p, q)), FresnelTail.g(SIMD4(a, b, p, q)))
        let whole = FresnelTail.energy(SIMD4(repeating: u)).x
        func end(_ t: Double, _ f: Double, g: Double, hypotenuse: Double, energy: Double) -> Phasor {
            // (g − jf) (1 + j)/√2 has the phase that is left, and the size √E.
            let unit = Phasor(real: (g + f) * 0.5.squareRoot(), imaginary: (g - f) * 0.5.squareRoot())
            let size = (energy / (2 * whole)).squareRoot() * u / hypotenuse
            return unit.delayed(by: DeterministicMath.pi * t * t / 2) * size
        }
        return (
            end(a, f.x, g: g.x, hypotenuse: p, energy: f.z * f.z + g.z * g.z),
            end(b, f.y, g: g.y, hypotenuse: q, energy: f.w * f.w + g.w * g.w)
        )
    }
}
