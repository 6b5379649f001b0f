import OssicleCore

/// A second-order section in transposed direct form II.
///
///     y = b₀x + s₁;   s₁ ← b₁x − a₁y + s₂;   s₂ ← b₂x − a₂y
///
/// State and arithmetic are double: at 48 kHz a single-precision recursion is audibly wrong below about 100 Hz. For
/// coefficients that move while sound runs use `StateVariableFilter`; changing these clicks. Audio thread; not shared.
package struct Biquad: BitwiseCopyable, Sendable {
    package var coefficients: BiquadCoefficients
    private var s1 = 0.0
    private var s2 = 0.0
    private(set) package var feedback = FeedbackGuard()

    package init(_ coefficients: BiquadCoefficients) { self.coefficients = coefficients }

    package mutating func reset() { (s1, s2) = (0, 0) }

    /// `from` and `to` may be the same memory.
    package mutating func process(from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int) {
        var done = 0
        while done < n {
            let run = feedback.framesToCheck(n - done)
            processRun(from: from + done, to: to + done, run)
            done += run
            if feedback.isDue(after: run), !(s1 + s2).isFinite {
                reset()
                feedback.countFault()
            }
        }
    }

    private mutating func processRun(from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int) {
        let c = coefficients
        var (s1, s2) = (self.s1, self.s2)
        for i in 0..<n {
            let x = Double(from[i])
            let y = c.b0 * x + s1
            s1 = c.b1 * x - c.a1 * y + s2
            s2 = c.b2 * x - c.a2 * y
            to[i] = Float(y)
        }
        (self.s1, self.s2) = (s1, s2)
    }
}

/// H(z) = (b₀ + b₁z⁻¹ + b₂z⁻²)/(1 + a₁z⁻¹ + a₂z⁻²).
package struct BiquadCoefficients: BitwiseCopyable, Hashable, Sendable {
    package var b0, b1, b2, a1, a2: Double

    package init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
        (self.b0, self.b1, self.b2, self.a1, self.a2) = (b0, b1, b2, a1, a2)
    }

    package static var identity: BiquadCoefficients { BiquadCoefficients(b0: 1, b1: 0, b2: 0, a1: 0, a2: 0) }

    /// |H| at a frequency in Hz.
    package func magnitude(at frequency: Double, sampleRate: Double) -> Double {
        let (s1, c1) = DeterministicMath.sincos(2 * DeterministicMath.pi * frequency / sampleRate)
        let (s2, c2) = (2 * s1 * c1, c1 * c1 - s1 * s1)
        func squared(_ re: Double, _ im: Double) -> Double { re * re + im * im }
        let zeros = squared(b0 + b1 * c1 + b2 * c2, b1 * s1 + b2 * s2)
        let poles = squared(1 + a1 * c1 + a2 * c2, a1 * s1 + a2 * s2)
        return (zeros / poles).squareRoot()
    }

    /// Whether both poles lie inside the unit circle (the stability triangle).
    package var isStable: Bool { a2.magnitude < 1 && a1.magnitude < 1 + a2 }
}

/// The designs of Robert Bristow-Johnson's "Cookbook formulae for audio equalizer biquad filter coefficients".
///
/// Frequencies in Hz, gains in dB, all held within `FilterLimits`. −3 dB of low and high pass lie at the frequency for
/// q = 1/√2; the band pass peaks at 0 dB; shelves reach half their dB at the frequency.
extension BiquadCoefficients {
    package static func lowPass(
        _ frequency: Double, q: Double = 0.7071067811865476, sampleRate: Double
    ) -> BiquadCoefficients {
        let d = Design(frequency, q, 0, sampleRate)
        return d.normalised((1 - d.cos) / 2, 1 - d.cos, (1 - d.cos) / 2)
    }

    package static func highPass(
        _ frequency: Double, q: Double = 0.7071067811865476, sampleRate: Double
    ) -> BiquadCoefficients {
        let d = Design(frequency, q, 0, sampleRate)
        return d.normalised((1 + d.cos) / 2, -(1 + d.cos), (1 + d.cos) / 2)
    }

    package static func bandPass(_ frequency: Double, q: Double, sampleRate: Double) -> BiquadCoefficients {
        let d = Design(frequency, q, 0, sampleRate)
        return d.normalised(d.alpha, 0, -d.alpha)
    }

    package static func notch(_ frequency: Double, q: Double, sampleRate: Double) -> BiquadCoefficients {
        let d = Design(frequency, q, 0, sampleRate)
        return d.normalised(1, -2 * d.cos, 1)
    }

    package static func allPass(_ frequency: Double, q: Double, sampleRate: Double) -> BiquadCoefficients {
        let d = Design(frequency, q, 0, sampleRate)
        return d.normalised(1 - d.alpha, -2 * d.cos, 1 + d.alpha)
    }

    package static func peaking(
        _ frequency: Double, q: Double, gain decibels: Double, sampleRate: Double
    ) -> BiquadCoefficients {
        let d = Design(frequency, q, decibels, sampleRate)
        return d.normalised(
            1 + d.alpha * d.a, -2 * d.cos, 1 - d.alpha * d.a, 1 + d.alpha / d.a, -2 * d.cos, 1 - d.alpha / d.a)
    }

    package static func lowShelf(
        _ frequency: Double, q: Double = 0.7071067811865476, gain decibels: Double, sampleRate: Double
    ) -> BiquadCoefficients {
        let d = Design(frequency, q, decibels, sampleRate)
        return d.shelf(towards: 1)
    }

    package static func highShelf(
        _ frequency: Double, q: Double = 0.7071067811865476, gain decibels: Double, sampleRate: Double
    ) -> BiquadCoefficients {
        let d = Design(frequency, q, decibels, sampleRate)
        return d.shelf(towards: -1)
    }

    /// The cookbook's intermediate values.
    private struct Design {
        let cos, alpha, a: Double

        init(_ frequency: Double, _ q: Double, _ decibels: Double, _ sampleRate: Double) {
            let w = 2 * DeterministicMath.pi * FilterLimits.frequency(frequency, sampleRate) / sampleRate
            let turn = DeterministicMath.sincos(w)
            cos = turn.cos
            alpha = turn.sin / (2 * FilterLimits.q(q))
            a = Decibels.amplitude(FilterLimits.decibels(decibels) / 2)
        }

        func normalised(_ b0: Double, _ b1: Double, _ b2: Double) -> BiquadCoefficients {
            normalised(b0, b1, b2, 1 + alpha, -2 * cos, 1 - alpha)
        }

        func normalised(
            _ b0: Double, _ b1: Double, _ b2: Double, _ a0: Double, _ a1: Double, _ a2: Double
        ) -> BiquadCoefficients {
            BiquadCoefficients(b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0)
        }

        /// The high shelf is the low shelf mirrored at a quarter of the sample rate: cos changes its sign, and so do b₁
        /// and a₁.
        func shelf(towards sign: Double) -> BiquadCoefficients {
            let c = sign * cos
            let slope = 2 * a.squareRoot() * alpha
            let (plus, minus) = (a + 1, a - 1)
            return normalised(
                a * (plus - minus * c + slope), sign * 2 * a * (minus - plus * c), a * (plus - minus * c - slope),
                plus + minus * c + slope, sign * -2 * (minus + plus * c), plus + minus * c - slope)
        }
    }
}
