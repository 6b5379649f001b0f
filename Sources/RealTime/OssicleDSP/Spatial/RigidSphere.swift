import OssicleCore

/// The sound pressure on a rigid sphere, exactly: the series of Duda and Martens, "Range dependence of the response of
/// a spherical head model", JASA 104 (1998). Control side.
///
///     H = (r / k a²) · |Σ (2m + 1) P_m(cos γ) h_m(kr) / h′_m(ka)|        re the free field at the sphere's centre
///
/// What depends on the frequency only is worked out once, in `init`, and used for every angle.
struct RigidSphere {
    private static let mostTerms = 160
    /// (2m + 1) h_m(kr) / h′_m(ka), as many as are felt.
    private let terms: [SIMD2<Double>]
    private let scale: Double

    /// - Parameters:
    ///   - frequency: Hz, above 0. - distance: of the source from the centre, metres, greater than `radius`.
    init(frequency: Double, distance: Double, radius: Double = SphericalHead.radius, speedOfSound: Double = 343.2) {
        let wavenumber = 2 * DeterministicMath.pi * frequency / speedOfSound
        var source = SphericalHankel(wavenumber * distance)
        var surface = SphericalHankel(wavenumber * radius)
        scale = distance / (wavenumber * radius * radius)
        var terms: [SIMD2<Double>] = []
        var largest = 0.0
        for m in 0..<Self.mostTerms {
            let term = Self.quotient(source.value, surface.derivative) * Double(2 * m + 1)
            guard term.x.isFinite, term.y.isFinite else { break }
            terms.append(term)
            let size = max(term.x.magnitude, term.y.magnitude)
            largest = max(largest, size)
            if Double(m) > wavenumber * radius, size < 1e-9 * largest { break }
            source.advance()
            surface.advance()
        }
        self.terms = terms
    }

    /// Amplitude factor at the point of the surface that lies `angle` (radians) from the direction of the source.
    func magnitude(angle: Double) -> Double {
        let x = DeterministicMath.cos(angle)
        var (polynomial, next) = (1.0, x)
        var sum = SIMD2<Double>.zero
        for (m, term) in terms.enumerated() {
            sum += term * polynomial
            (polynomial, next) = (next, (Double(2 * m + 3) * x * next - Double(m + 1) * polynomial) / Double(m + 2))
        }
        return scale * (sum * sum).sum().squareRoot()
    }

    private static func quotient(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
        // Scaled first: high orders are too large to be squared.
        let size = max(b.x.magnitude, b.y.magnitude)
        let (a, b) = (a / size, b / size)
        return SIMD2(a.x * b.x + a.y * b.y, a.y * b.x - a.x * b.y) / (b * b).sum()
    }
}

/// h_m(x) = j_m(x) + i·y_m(x), order after order by the upward recursion, which is stable for a function that grows.
private struct SphericalHankel {
    private let x: Double
    private var order = 0
    private var previous: SIMD2<Double>
    private(set) var value: SIMD2<Double>

    init(_ x: Double) {
        self.x = x
        let (sine, cosine) = DeterministicMath.sincos(x)
        value = SIMD2(sine, -cosine) / x
        // Order −1.
        previous = SIMD2(cosine, sine) / x
    }

    /// h′_m = h_{m−1} − (m + 1)/x · h_m
    var derivative: SIMD2<Double> { previous - value * (Double(order + 1) / x) }

    mutating func advance() {
        (previous, value) = (value, value * (Double(2 * order + 1) / x) - previous)
        order += 1
    }
}

/// The head as a rigid sphere with ears at ±90°. Control side (double precision, no state).
///
/// Sources: Woodworth (1938) for the paths around it; Brown and Duda (1998) for its radius.
package enum SphericalHead {
    /// Metres; the value Brown and Duda use for an average adult.
    package static let radius = 0.0875

    /// Length in metres of the shortest way from a source to an ear: straight where the ear is in view, else along the
    /// tangent and around the sphere.
    ///
    /// - Parameters:
    ///   - distance: of the source from the centre of the head, metres; nearer than `radius` counts as `radius`.
    ///   - angle: between the directions of source and ear, 0…π.
    package static func pathToEar(distance: Double, angle: Double, radius: Double = radius) -> Double {
        let r = max(distance, radius)
        let cosine = DeterministicMath.cos(angle)
        guard cosine < radius / r else { return max(r * r + radius * radius - 2 * r * radius * cosine, 0).squareRoot() }
        return max(r * r - radius * radius, 0).squareRoot() + radius * (angle - DeterministicMath.acos(radius / r))
    }
}
