import OssicleCore

/// The designs of Robert Bristow-Johnson's "Cookbook formulae for audio equalizer biquad filter coefficients".
///
/// Frequencies in Hz, gains in dB, all held within `FilterLimits`. −3 dB of low and
/// high pass lie at the frequency for q = 1/√2; the band pass peaks at 0 dB; shelves reach half their dB at the frequency.
extension BiquadCoefficients {
    package static func lowPass(_ frequency: Double, q: Double = 0.7071067811865476, sampleRate: Double) -> BiquadCoefficients {
        let d = Design(frequency, q, 0, sampleRate)
        return d.normalised((1 - d.cos) / 2, 1 - d.cos, (1 - d.cos) / 2)
    }

    package static func highPass(_ frequency: Double, q: Double = 0.7071067811865476, sampleRate: Double) -> BiquadCoefficients {
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

    package static func peaking(_ frequency: Double, q: Double, gain decibels: Double, sampleRate: Double) -> BiquadCoefficients {
        let d = Design(frequency, q, decibels, sampleRate)
        return d.normalised(1 + d.alpha * d.a, -2 * d.cos, 1 - d.alpha * d.a, 1 + d.alpha / d.a, -2 * d.cos, 1 - d.alpha / d.a)
    }

    package static func lowShelf(_ frequency: Double, q: Double = 0.7071067811865476, gain decibels: Double, sampleRate: Double) -> BiquadCoefficients {
        let d = Design(frequency, q, decibels, sampleRate)
        return d.shelf(towards: 1)
    }

    package static func highShelf(_ frequency: Double, q: Double = 0.7071067811865476, gain decibels: Double, sampleRate: Double) -> BiquadCoefficients {
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

        func normalised(_ b0: Double, _ b1: Double, _ b2: Double, _ a0: Double, _ a1: Double, _ a2: Double) -> BiquadCoefficients {
            BiquadCoefficients(b0: b0 / a0, b1: b1 / a0, b2: b2 / a0, a1: a1 / a0, a2: a2 / a0)
        }

        /// The high shelf is the low shelf mirrored at a quarter of the sample rate: cos changes its sign, and so do b₁ and a₁.
        func shelf(towards sign: Double) -> BiquadCoefficients {
            let c = sign * cos
            let slope = 2 * a.squareRoot() * alpha
            let (plus, minus) = (a + 1, a - 1)
            return normalised(a * (plus - minus * c + slope), sign * 2 * a * (minus - plus * c), a * (plus - minus * c - slope),
                              plus + minus * c + slope, sign * -2 * (minus + plus * c), plus + minus * c - slope)
        }
    }
}
