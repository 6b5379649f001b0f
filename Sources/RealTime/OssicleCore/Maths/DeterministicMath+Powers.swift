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
        return x * Double(sign: .plus, exponent: half, significand: 1) * Double(sign: .plus, exponent: k - half, significand: 1)
    }
}
