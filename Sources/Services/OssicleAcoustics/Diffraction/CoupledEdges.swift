import OssicleCore

/// UTD by two edges of different prisms, one after the other: where the second lies on a boundary of shadow or
/// reflection of the first, and the receiver on one of the second, the product of both is not the field.
///
/// By two half-planes at the distances l₁, l₂, l₃ of each other, sound goes as a bivariate Fresnel integral
/// (Furutsu 1963, Vogler 1982) with the correlation
///
///     ρ = √(l₁l₃ / ((l₁ + l₂)(l₂ + l₃)))
///
/// below 0 where they stand on opposite sides of the path. Its series in ρ has the repeated integrals of the error
/// function as factors. The first of them, re its value at 0,
///
///     η(u) = 1/2F(u) − (π/√2) e^(jπ/4) u,    F(u) = (1 + j)/2 (g(u) − j f(u)),
///
/// for both edges takes the place of the others, and the sum is that at u = 0, where it is closed:
///
///     X = X₀(ρ η(u₁) η(u₂)),    X₀(r) = (1 + 2/π asin r)/√(1 − r²)
///
/// times the product √(1 − ρ²) D₁D₂: exact at both boundaries, right in the first order of ρ away from them. Terms of
/// `UTD` that are not the nearest boundary of their kind have X = 1.
enum CoupledEdges {
    /// At eight frequencies; half the digits are enough where phases are not in it.
    typealias Eight = SIMD8<Float>

    /// u₁u₂ from which on X is taken for 1: there it is within 2 %.
    private static let apart: Float = 1

    /// D₁D₂X without its factor −j.
    /// - Parameter correlation: ρ, of prisms on the same side of the path.
    @inline(__always) static func terms(_ a: Edge, _ b: Edge, correlation: Float) -> Wave {
        var sum = a.sum * b.sum
        add(a.direct, b.direct, correlation, to: &sum)
        if b.reflects { add(a.direct, b.reflected, correlation, to: &sum) }
        if a.reflects {
            add(a.reflected, b.direct, correlation, to: &sum)
            if b.reflects { add(a.reflected, b.reflected, correlation, to: &sum) }
        }
        return sum
    }

    /// Adds what X has more of two terms than 1.
    @inline(__always) private static func add(_ a: Boundary, _ b: Boundary, _ correlation: Float, to sum: inout Wave) {
        guard a.least * b.least < apart else { return }
        // Each looks along the path from its own end.
        sum = sum + a.wave * b.wave * excess(a.slope * b.slope * (-correlation * a.side * b.side))
    }

    /// X₀(r) − 1: within 8 % of X₀ for real r from −1 to 0.9.
    @inline(__always) private static func excess(_ r: Wave) -> Wave {
        // 1 + r (a + r (b + r c))
        var above = Wave(re: r.re * 0.1203 + 0.1573, im: r.im * 0.1203)
        above = r * above
        above.re += 0.1366
        above = r * above
        above.re += 1
        // 1/√(1 − r)
        let rest: Eight = 1 - r.re
        let size = (rest * rest + r.im * r.im).squareRoot()
        let root = ((size + rest) * 0.5).squareRoot()
        let quotient = above * Wave(re: root / size, im: r.im / (root * size * 2))
        return Wave(re: quotient.re - 1, im: quotient.im)
    }

    struct Wave: BitwiseCopyable {
        var re: Eight
        var im: Eight

        @inline(__always) static func + (a: Wave, b: Wave) -> Wave { Wave(re: a.re + b.re, im: a.im + b.im) }
        @inline(__always) static func * (a: Wave, b: Wave) -> Wave {
            Wave(re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re)
        }
        @inline(__always) static func * (a: Wave, b: Float) -> Wave { Wave(re: a.re * b, im: a.im * b) }

        /// c (f + jg).
        @inline(__always) init(_ weight: Double, _ u: Eight) {
            (re, im) = (FresnelTail.f(u) * Float(weight), FresnelTail.g(u) * Float(weight))
        }

        @inline(__always) init(re: Eight, im: Eight) { (self.re, self.im) = (re, im) }
    }

    /// All terms of an edge.
    struct Edge: BitwiseCopyable {
        fileprivate let direct: Boundary
        fileprivate let reflected: Boundary
        fileprivate let reflects: Bool
        /// Σ c (f + jg).
        fileprivate let sum: Wave

        /// - Parameters: roots: √(kL). - last: what the edge before leaves of sound along a side.
        @inline(__always) init(_ terms: EdgeArrival.Terms, _ roots: Eight, last: Wave?) {
            let (weights, arguments) = (terms.weights, terms.arguments)
            func u(_ argument: Double) -> Eight { roots * Float(argument) }
            var direct = Boundary(weights.x, u(arguments.x), side: terms.sides.x)
            var sum = direct.wave + Self.distant(weights.z, u(arguments.z))
            if let last {
                direct.wave = direct.wave * last
                sum = sum * last
                reflected = direct
            } else {
                reflected = Boundary(weights.y, u(arguments.y), side: terms.sides.y)
                sum = sum + reflected.wave + Self.distant(weights.w, u(arguments.w))
            }
            (self.direct, self.sum, reflects) = (direct, sum, last == nil)
        }

        /// c (f + jg), from u = 2 on by the first term of either's asymptotic series: within 2 % of what is small.
        @inline(__always) private static func distant(_ weight: Double, _ u: Eight) -> Wave {
            guard u[0] > 2 else { return Wave(weight, u) }
            let pi = Float(DeterministicMath.pi)
            let f = 1 / (u * pi)
            return Wave(re: f, im: f * f * f * pi) * Float(weight)
        }
    }

    /// One term.
    fileprivate struct Boundary: BitwiseCopyable {
        /// u of the lowest frequency.
        let least: Float
        let side: Float
        /// c (f + jg), and η.
        var wave: Wave
        let slope: Wave

        @inline(__always) init(_ weight: Double, _ u: Eight, side: Double) {
            (least, self.side) = (u[0], Float(side))
            let tail = Wave(1, u)
            let energy = tail.re * tail.re + tail.im * tail.im
            let (x, y) = (tail.im / energy, tail.re / energy - u * Float(DeterministicMath.pi))
            (wave, slope) = (tail * Float(weight), Wave(re: (x + y) * 0.5, im: (y - x) * 0.5))
        }
    }
}
