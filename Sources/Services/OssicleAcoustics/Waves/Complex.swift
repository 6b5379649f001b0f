import OssicleCore

/// A complex number, for fields at one frequency.
package struct Complex: BitwiseCopyable, Sendable, Hashable {
    package var re: Double
    package var im: Double

    @inline(__always) package init(_ re: Double, _ im: Double = 0) { (self.re, self.im) = (re, im) }

    package static let zero = Complex(0)
    package static let one = Complex(1)

    package var squaredMagnitude: Double { re * re + im * im }
    package var magnitude: Double { squaredMagnitude.squareRoot() }

    @inline(__always) package static func + (a: Complex, b: Complex) -> Complex { Complex(a.re + b.re, a.im + b.im) }
    @inline(__always) package static func - (a: Complex, b: Complex) -> Complex { Complex(a.re - b.re, a.im - b.im) }
    @inline(__always) package static prefix func - (a: Complex) -> Complex { Complex(-a.re, -a.im) }
    @inline(__always) package static func * (a: Complex, b: Complex) -> Complex {
        Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
    }
    @inline(__always) package static func * (a: Complex, b: Double) -> Complex { Complex(a.re * b, a.im * b) }
    @inline(__always) package static func / (a: Complex, b: Complex) -> Complex {
        let scale = 1 / b.squaredMagnitude
        return Complex((a.re * b.re + a.im * b.im) * scale, (a.im * b.re - a.re * b.im) * scale)
    }
    @inline(__always) package static func += (a: inout Complex, b: Complex) { a = a + b }

    /// e to this power.
    package var exponential: Complex {
        let (size, turn) = (DeterministicMath.exp(re), DeterministicMath.sincos(im))
        return Complex(size * turn.cos, size * turn.sin)
    }

    /// The root with a real part that is not negative.
    package var squareRoot: Complex {
        let size = magnitude
        let (a, b) = (((size + re) / 2), ((size - re) / 2))
        return Complex(max(a, 0).squareRoot(), im < 0 ? -max(b, 0).squareRoot() : max(b, 0).squareRoot())
    }

    /// Sine and cosine.
    package var sincos: (sin: Complex, cos: Complex) {
        let turn = DeterministicMath.sincos(re)
        let (up, down) = (DeterministicMath.exp(im), DeterministicMath.exp(-im))
        let (cosh, sinh) = ((up + down) / 2, (up - down) / 2)
        return (Complex(turn.sin * cosh, turn.cos * sinh), Complex(turn.cos * cosh, -turn.sin * sinh))
    }
}
