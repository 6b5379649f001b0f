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
struct CoupledEdges {
    /// The terms of one edge.
    struct Terms {
        /// c, and u/√(kL): two of the direct sound, two of what faces reflect, if these are others.
        private let weights: SIMD4<Double>
        private let arguments: SIMD4<Double>
        /// 1 where the edge's prism is on the right, seen along the path from this end on; −1 on the left.
        private let sides: SIMD4<Double>
        /// Of either kind, the term whose boundary is nearest.
        private let nearest: (Int, Int)
        let kinds: Int

        /// Sound that comes through the open.
        init(_ utd: UTD) {
            (weights, arguments, sides) = (utd.weights, utd.arguments, SIMD4(-1, 1, -1, 1))
            nearest = (arguments.x <= arguments.y ? 0 : 1, arguments.z <= arguments.w ? 2 : 3)
            kinds = 2
        }

        /// Sound that comes along the side to the next corner, or to the last one.
        init(_ utd: GrazingUTD, isToNext: Bool) {
            weights = SIMD4(utd.weights.x, utd.weights.y, 0, 0)
            arguments = SIMD4(utd.arguments.x, utd.arguments.y, 0, 0)
            sides = isToNext ? SIMD4(-1, 1, 0, 0) : SIMD4(1, -1, 0, 0)
            nearest = (arguments.x <= arguments.y ? 0 : 1, 0)
            kinds = 1
        }

        /// Σ c (f + jg) at four √(kL).
        @inline(__always) fileprivate func sum(_ roots: SIMD4<Double>) -> Wave {
            var sum = Wave(re: .zero, im: .zero)
            for term in 0..<(2 * kinds) {
                let u = roots * arguments[term]
                sum.re += FresnelTail.f(u) * weights[term]
                sum.im += FresnelTail.g(u) * weights[term]
            }
            return sum
        }

        @inline(__always) fileprivate func boundary(_ kind: Int, _ roots: SIMD4<Double>) -> Boundary {
            let term = kind == 0 ? nearest.0 : nearest.1
            let weight = weights[term]
            return Boundary(roots * arguments[term], weight, side: weight < 0 ? -sides[term] : sides[term])
        }
    }

    fileprivate struct Wave {
        var re: SIMD4<Double>
        var im: SIMD4<Double>

        @inline(__always) static func * (a: Wave, b: Wave) -> Wave {
            Wave(re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re)
        }
        @inline(__always) static func * (a: Wave, b: Double) -> Wave { Wave(re: a.re * b, im: a.im * b) }
    }

    /// One term.
    fileprivate struct Boundary {
        /// u of the lowest frequency.
        let least: Double
        /// 1 where the place beyond is lit and the prism on the right, or shaded by one on the left; else −1.
        let side: Double
        /// c (f + jg), and η.
        let term: Wave
        let slope: Wave

        @inline(__always) init(_ u: SIMD4<Double>, _ weight: Double, side: Double) {
            let (f, g) = (FresnelTail.f(u), FresnelTail.g(u))
            let energy = f * f + g * g
            let (x, y) = (g / energy, f / energy - u * DeterministicMath.pi)
            (least, self.side) = (u.x, side)
            term = Wave(re: f * weight, im: g * weight)
            slope = Wave(re: (x + y) * 0.5, im: (y - x) * 0.5)
        }
    }

    let one: Terms
    let two: Terms
    /// √(s s′/(s + s′) sin²β) of each edge, √metre.
    let roots: (one: Double, two: Double)
    /// ρ, of prisms on the same side of the path.
    let correlation: Double

    /// u₁u₂ from which on X is taken for 1.
    private static let apart = 16.0

    /// D₁D₂X without its factor −j, at four √k.
    @inline(__always) func terms(_ numbers: SIMD4<Double>) -> (re: SIMD4<Double>, im: SIMD4<Double>) {
        let (first, second) = (numbers * roots.one, numbers * roots.two)
        var sum = one.sum(first) * two.sum(second)
        for kind in 0..<one.kinds {
            let a = one.boundary(kind, first)
            for other in 0..<two.kinds {
                let b = two.boundary(other, second)
                guard a.least * b.least < Self.apart else { continue }
                // Each looks along the path from its own end.
                let excess = Self.excess(a.slope * b.slope * (-correlation * a.side * b.side))
                let part = a.term * b.term * excess
                sum.re += part.re
                sum.im += part.im
            }
        }
        return (sum.re, sum.im)
    }

    /// X₀(r) − 1: within 8 % of X₀ for real r from −1 to 0.9.
    @inline(__always) private static func excess(_ r: Wave) -> Wave {
        // 1 + r (a + r (b + r c))
        var above = Wave(re: r.re * 0.1203 + 0.1573, im: r.im * 0.1203)
        above = r * above
        above = r * Wave(re: above.re + 0.1366, im: above.im)
        above.re += 1
        // 1/√(1 − r)
        let rest = 1 - r.re
        let size = (rest * rest + r.im * r.im).squareRoot()
        let root = ((size + rest) * 0.5).squareRoot()
        let quotient = above * Wave(re: root / size, im: r.im / (root * size * 2))
        return Wave(re: quotient.re - 1, im: quotient.im)
    }
}
