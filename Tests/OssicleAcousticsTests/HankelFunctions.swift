import Foundation

/// Bessel functions of the first and second kind for the oracles in two dimensions: H(x) = J(x) − jY(x), outgoing for
/// e^(jωt).
///
/// Up to 12 the power series, beyond it Hankel's asymptotic series down to its smallest term (Abramowitz and Stegun
/// 9.1.10–13 and 9.2.5–10): within 1e-10 of the larger of J and Y for orders 0 and 1.
enum Hankel {
    private static let euler = 0.577_215_664_901_532_86

    /// J₀, Y₀, J₁ and Y₁ of x > 0.
    static func bessel(_ x: Double) -> (j0: Double, y0: Double, j1: Double, y1: Double) {
        x < 12 ? series(x) : asymptotic(x)
    }

    private static func series(_ x: Double) -> (j0: Double, y0: Double, j1: Double, y1: Double) {
        let q = x * x / 4
        var (term0, term1) = (1.0, x / 2)
        var (j0, j1, sum0, sum1) = (0.0, 0.0, 0.0, 0.0)
        // 1 + ½ + … + 1/k, and the mean of it for k and k + 1.
        var harmonic = 0.0
        for k in 0..<60 {
            j0 += term0
            j1 += term1
            sum0 += term0 * harmonic
            sum1 += term1 * (2 * harmonic + 1 / Double(k + 1))
            harmonic += 1 / Double(k + 1)
            term0 *= -q / (Double(k + 1) * Double(k + 1))
            term1 *= -q / (Double(k + 1) * Double(k + 2))
        }
        let spin = Foundation.log(x / 2) + euler
        return (j0, 2 / .pi * (spin * j0 - sum0), j1, 2 / .pi * spin * j1 - 2 / (.pi * x) - sum1 / .pi)
    }

    private static func asymptotic(_ x: Double) -> (j0: Double, y0: Double, j1: Double, y1: Double) {
        let (p0, q0) = phases(0, x)
        let (p1, q1) = phases(1, x)
        let size = (2 / (.pi * x)).squareRoot()
        let (a, b) = (x - .pi / 4, x - 3 * .pi / 4)
        return (
            size * (p0 * cos(a) - q0 * sin(a)), size * (p0 * sin(a) + q0 * cos(a)),
            size * (p1 * cos(b) - q1 * sin(b)), size * (p1 * sin(b) + q1 * cos(b))
        )
    }

    private static func phases(_ order: Double, _ x: Double) -> (Double, Double) {
        var (p, q, term, last) = (0.0, 0.0, 1.0, Double.infinity)
        for k in 0..<60 where term.magnitude < last {
            switch k & 3 {
            case 0: p += term
            case 1: q += term
            case 2: p -= term
            default: q -= term
            }
            last = term.magnitude
            let odd = Double(2 * k + 1)
            term *= (4 * order * order - odd * odd) / (Double(k + 1) * 8 * x)
        }
        return (p, q)
    }

    /// J and Y of orders 0…`highest`: J by Miller's backward recurrence, Y forward.
    static func orders(_ x: Double, upTo highest: Int) -> (j: [Double], y: [Double]) {
        let (j0, y0, j1, y1) = bessel(x)
        let start = 2 * ((max(highest, Int(x)) + 40) / 2)
        var j = [Double](repeating: 0, count: start + 2)
        j[start] = 1e-290
        for m in stride(from: start, to: 0, by: -1) {
            j[m - 1] = 2 * Double(m) / x * j[m] - j[m + 1]
            if j[m - 1].magnitude > 1e200 { for place in (m - 1)...start { j[place] *= 1e-250 } }
        }
        let scale = j0.magnitude > j1.magnitude ? j0 / j[0] : j1 / j[1]
        var y = [y0, y1]
        for m in stride(from: 1, to: max(highest, 1), by: 1) { y.append(2 * Double(m) / x * y[m] - y[m - 1]) }
        return (j.prefix(highest + 1).map { $0 * scale }, Array(y.prefix(highest + 1)))
    }
}

/// The exact field of a line source around a rigid circular cylinder at the origin.
enum CylinderSeries {
    /// Re the free field: 1 − Σ ε_m J′_m(ka)/H′_m(ka) H_m(kr′) H_m(kr) cos m(θ − θ′) / H₀(kR).
    static func ratio(radius a: Double, _ source: SIMD2<Double>, _ place: SIMD2<Double>, number k: Double) -> Complex {
        let (r, s) = (hypot(place.x, place.y), hypot(source.x, source.y))
        let angle = atan2(place.y, place.x) - atan2(source.y, source.x)
        let highest = Int(1.5 * k * a) + 24
        let (surface, near, far) = (
            Hankel.orders(k * a, upTo: highest + 1), Hankel.orders(k * min(r, s), upTo: highest),
            Hankel.orders(k * max(r, s), upTo: highest)
        )
        var sum = Complex(re: 0, im: 0)
        for m in 0...highest {
            let slope: (Double, Double) =
                m == 0
                ? (-surface.j[1], -surface.y[1])
                : (
                    (surface.j[m - 1] - surface.j[m + 1]) / 2, (surface.y[m - 1] - surface.y[m + 1]) / 2
                )
            let share = Complex(re: slope.0, im: 0) / Complex(re: slope.0, im: -slope.1)
            let term = share * Complex(re: near.j[m], im: -near.y[m]) * Complex(re: far.j[m], im: -far.y[m])
            guard term.re.isFinite, term.im.isFinite else { break }
            sum = sum + term * ((m == 0 ? 1 : 2) * cos(Double(m) * angle))
        }
        let (j0, y0, _, _) = Hankel.bessel(k * hypot(place.x - source.x, place.y - source.y))
        return Complex(re: 1, im: 0) - sum / Complex(re: j0, im: -y0)
    }
}
