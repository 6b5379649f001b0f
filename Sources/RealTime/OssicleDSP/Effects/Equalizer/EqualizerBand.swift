import OssicleCore

/// One band of an `Equalizer`, as the client says it. Plain values; anything outside the ranges still makes a stable filter.
package struct EqualizerBand: BitwiseCopyable, Hashable, Sendable {
    /// Apple's eleven filter types in Apple's order, each with what it uses of frequency, bandwidth and gain.
    package enum FilterKind: UInt8, BitwiseCopyable, CaseIterable, Sendable {
        /// f b g. A bell; the bandwidth lies between the points of half the gain in dB.
        case parametric
        /// f. Butterworth, second order: −3 dB at the frequency.
        case lowPass, highPass
        /// f b. The narrower, the more resonance: Q at the frequency, where 1/Q = 2 sinh(ln2/2 · octaves).
        case resonantLowPass, resonantHighPass
        /// f b. 0 dB, or silence, at the frequency; the bandwidth lies between the −3 dB points.
        case bandPass, bandStop
        /// f g. Half the gain in dB at the frequency, slope 1: the steepest that stays monotonic.
        case lowShelf, highShelf
        /// f b g. Shelves with the Q of the resonant passes.
        case resonantLowShelf, resonantHighShelf
    }

    package var kind: FilterKind
    /// Hz, 20 … half the sample rate.
    package var frequency: Float
    /// Octaves, 0.05 … 5.
    package var bandwidth: Float
    /// dB, −96 … 24.
    package var gain: Float
    /// A fresh band does nothing until it is switched on.
    package var bypass: Bool

    package init(kind: FilterKind = .parametric, frequency: Float = 1000, bandwidth: Float = 0.5, gain: Float = 0, bypass: Bool = true) {
        (self.kind, self.frequency, self.bandwidth, self.gain, self.bypass) = (kind, frequency, bandwidth, gain, bypass)
    }

    /// Octaves of a resonance of quality `q`, for clients that speak in Q: 2/ln2 · asinh(1/2q).
    package static func bandwidth(q: Double) -> Float {
        let x = 1 / (2 * FilterLimits.q(q))
        return Float(2 / DeterministicMath.ln2 * DeterministicMath.log(x + (x * x + 1).squareRoot()))
    }
}
