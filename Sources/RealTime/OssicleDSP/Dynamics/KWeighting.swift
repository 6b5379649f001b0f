import OssicleCore

/// The weighting of ITU-R BS.1770-4: a shelf for what a head adds to high frequencies, then a high-pass filter. Control side.
///
/// The recommendation gives coefficients for 48 kHz; these are the analogue prototypes behind them, brought to any rate by the bilinear
/// transform (the way of libebur128, and of Mansbridge, Finn, Reiss 2012).
package enum KWeighting {
    package static func shelf(sampleRate: Double) -> BiquadCoefficients {
        let k = DeterministicMath.tan(DeterministicMath.pi * 1681.974450955533 / sampleRate)
        let q = 0.7071752369554196
        let high = Decibels.amplitude(3.999843853973347)
        let band = DeterministicMath.pow(high, 0.4996667741545416)
        let a0 = 1 + k / q + k * k
        return BiquadCoefficients(b0: (high + band * k / q + k * k) / a0, b1: 2 * (k * k - high) / a0, b2: (high - band * k / q + k * k) / a0,
                                  a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
    }

    package static func highPass(sampleRate: Double) -> BiquadCoefficients {
        let k = DeterministicMath.tan(DeterministicMath.pi * 38.13547087602444 / sampleRate)
        let q = 0.5003270373238773
        let a0 = 1 + k / q + k * k
        return BiquadCoefficients(b0: 1, b1: -2, b2: 1, a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
    }

    /// LUFS of a weighted mean square, summed over the channels.
    package static func loudness(power: Double) -> Double { power > 0 ? Decibels.of(energy: power) - 0.691 : -.infinity }
}
