import COssicle

/// Elementary functions whose bits depend on nothing but their argument.
///
/// The C library picks its variants by processor (with or without fused multiply-add), so two machines may disagree in
/// the last bit, and a last bit that reaches a filter coefficient reaches the file's hash. Here every function is a
/// range reduction and a power series in plain IEEE additions and multiplications, in one fixed order.
///
/// Accuracy: within 4 units in the last place of `Double` for the arguments audio meets (|x| < 10⁶ for the
/// trigonometric functions). Not for arguments beyond that: the reduction modulo π/2 runs out of digits.
package enum DeterministicMath {
    package static let pi = 3.141592653589793
    package static let ln2 = 0.6931471805599453
    package static let ln10 = 2.302585092994046

    /// The sum c₀ + x·(c₁ + x·(c₂ + …)) of a series given from its highest term down.
    @inline(__always)
    static func horner(_ x: Double, _ terms: (Int) -> Double, from last: Int) -> Double {
        var sum = terms(last)
        var n = last - 1
        while n >= 0 {
            sum = sum * x + terms(n)
            n -= 1
        }
        return sum
    }
}

extension DeterministicMath {
    /// e^x. Saturates at +∞ and 0.
    package static func exp(_ x: Double) -> Double {
        guard x.magnitude < 745 else { return x.isNaN ? x : (x > 0 ? .infinity : 0) }
        // ln 2 in two parts, so that k·high is exact.
        let k = (x * 1.4426950408889634).rounded()
        let r = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10
        var sum = 1.0
        var n = 14.0
        while n >= 1 {
            sum = 1 + r / n * sum
            n -= 1
        }
        return scaled(sum, byPowerOfTwo: Int(k))
    }

    /// Natural logarithm; −∞ at 0, NaN below.
    package static func log(_ x: Double) -> Double {
        guard x > 0, x.isFinite else { return x == 0 ? -.infinity : (x > 0 ? x : .nan) }
        var mantissa = x.significand
        var exponent = Double(x.exponent)
        if mantissa > 1.4142135623730951 {
            mantissa *= 0.5
            exponent += 1
        }
        let s = (mantissa - 1) / (mantissa + 1)
        let series = horner(s * s, { n in 1.0 / Double(2 * n + 1) }, from: 11)
        return exponent * 0.693147180369123816490 + (2 * s * series + exponent * 1.90821492927058770002e-10)
    }

    package static func log2(_ x: Double) -> Double { log(x) * 1.4426950408889634 }
    package static func log10(_ x: Double) -> Double { log(x) * 0.4342944819032518 }
    package static func exp2(_ x: Double) -> Double { exp(x * ln2) }

    /// x^y for x ≥ 0 (0 to a positive power is 0); NaN for negative x.
    package static func pow(_ x: Double, _ y: Double) -> Double {
        if y == 0 { return 1 }
        if x == 0 { return y > 0 ? 0 : .infinity }
        return exp(y * log(x))
    }

    private static func scaled(_ x: Double, byPowerOfTwo k: Int) -> Double {
        // Two steps: the first keeps the second factor a normal number at the ends of the range.
        let half = k / 2
        return x * Double(sign: .plus, exponent: half, significand: 1)
            * Double(sign: .plus, exponent: k - half, significand: 1)
    }
}

extension DeterministicMath {
    // π/2 in three parts of 33 bits, so that k·part is exact for |k| < 2²⁰.
    private static let halfPiHigh = 1.5707963267341256
    private static let halfPiMiddle = 6.077100506303966e-11
    private static let halfPiLow = 2.0222662487959506e-21

    /// Sine and cosine of `x` (radians) together. Not finite: (NaN, NaN).
    package static func sincos(_ x: Double) -> (sin: Double, cos: Double) {
        guard x.isFinite else { return (.nan, .nan) }
        // Beyond the exact range whole turns go first; the remainder is an exact operation.
        let turned = x.magnitude < 1e6 ? x : x.remainder(dividingBy: 2 * pi)
        let k = (turned * 0.6366197723675814).rounded()
        let r = ((turned - k * halfPiHigh) - k * halfPiMiddle) - k * halfPiLow
        let (s, c) = (sinSeries(r), cosSeries(r))
        switch Int(k) & 3 {
        case 0: return (s, c)
        case 1: return (c, -s)
        case 2: return (-s, -c)
        default: return (-c, s)
        }
    }

    /// The same of four angles at once, with the same bits (but for the sign of −0).
    package static func sincos(_ x: SIMD4<Double>) -> (sin: SIMD4<Double>, cos: SIMD4<Double>) {
        var (sines, cosines) = (x, x)
        let areFound = sines.withScalars { sines in
            cosines.withScalars { ossicle_sines(x.x, x.y, x.z, x.w, sines, $0) }
        }
        return areFound ? (sines, cosines) : each(x)
    }

    @inline(never) private static func each(_ x: SIMD4<Double>) -> (sin: SIMD4<Double>, cos: SIMD4<Double>) {
        var (sines, cosines) = (x, x)
        for lane in 0..<4 { (sines[lane], cosines[lane]) = sincos(x[lane]) }
        return (sines, cosines)
    }

    package static func sin(_ x: Double) -> Double { sincos(x).sin }
    package static func cos(_ x: Double) -> Double { sincos(x).cos }

    package static func tan(_ x: Double) -> Double {
        let (s, c) = sincos(x)
        return s / c
    }

    /// Angle in (−π/2, π/2) whose tangent is `x`.
    package static func atan(_ x: Double) -> Double {
        if x < 0 { return -atan(-x) }
        if x > 1 { return pi / 2 - atan(1 / x) }
        // tan(π/12): beyond it, turn the argument back by 30°.
        let sqrt3 = 1.7320508075688772
        return x > 0.2679491924311227 ? pi / 6 + atanSeries((x * sqrt3 - 1) / (sqrt3 + x)) : atanSeries(x)
    }

    /// Angle of the vector (x, y) in (−π, π]; 0 at the origin.
    package static func atan2(_ y: Double, _ x: Double) -> Double {
        if x > 0 { return atan(y / x) }
        if x < 0 { return y < 0 ? atan(y / x) - pi : atan(y / x) + pi }
        return y > 0 ? pi / 2 : (y < 0 ? -pi / 2 : 0)
    }

    /// Angle in [−π/2, π/2]; the argument is clamped to [−1, 1], because a normalised vector may exceed 1 by a
    /// rounding.
    package static func asin(_ x: Double) -> Double {
        let s = min(max(x, -1), 1)
        return atan2(s, ((1 - s) * (1 + s)).squareRoot())
    }

    /// Angle in [0, π]; the argument is clamped to [−1, 1].
    package static func acos(_ x: Double) -> Double {
        let c = min(max(x, -1), 1)
        return atan2(((1 - c) * (1 + c)).squareRoot(), c)
    }

    private static func sinSeries(_ r: Double) -> Double {
        let x = r * r
        var term = 1.0 / 355687428096000 // 1/17!
        term = 1.0 / 1307674368000 - x * term
        term = 1.0 / 6227020800 - x * term
        term = 1.0 / 39916800 - x * term
        term = 1.0 / 362880 - x * term
        term = 1.0 / 5040 - x * term
        term = 1.0 / 120 - x * term
        term = 1.0 / 6 - x * term
        return r - r * x * term
    }

    private static func cosSeries(_ r: Double) -> Double {
        let x = r * r
        var term = 1.0 / 20922789888000 // 1/16!
        term = 1.0 / 87178291200 - x * term
        term = 1.0 / 479001600 - x * term
        term = 1.0 / 3628800 - x * term
        term = 1.0 / 40320 - x * term
        term = 1.0 / 720 - x * term
        term = 1.0 / 24 - x * term
        term = 0.5 - x * term
        return 1 - x * term
    }

    private static func atanSeries(_ r: Double) -> Double {
        let x = r * r
        return r * horner(x, { n in (n & 1 == 0 ? 1.0 : -1.0) / Double(2 * n + 1) }, from: 15)
    }
}

extension SIMD4<Double> {
    /// - Parameter body: gets its four numbers in memory.
    @inlinable package mutating func withScalars<Result>(
        _ body: (UnsafeMutablePointer<Double>) -> Result
    ) -> Result {
        withUnsafeMutableBytes(of: &self) { body($0.bindMemory(to: Double.self).baseAddress!) }
    }
}
