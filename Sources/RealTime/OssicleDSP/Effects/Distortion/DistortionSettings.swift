/// The sixteen parameters of the distortion unit, in its order and units. Percentages of mixes say how much of a stage's output replaces
/// its input.
package struct DistortionSettings: BitwiseCopyable, Hashable, Sendable {
    /// Milliseconds, 0.1 … 500.
    package var delay: Float = 0.1
    /// 0.1 … 50: each echo is e^−decay of the one before.
    package var decay: Float = 1
    /// Percent.
    package var delayMix: Float = 50

    /// Percent: samples are held for 1 frame … 256/48 000 s, evenly in octaves.
    package var decimation: Float = 0
    /// Percent: samples are rounded to steps of nothing, 2⁻¹⁶ … 1, evenly in bits.
    package var rounding: Float = 0
    /// Percent.
    package var decimationMix: Float = 50

    /// 0 … 1, times the sample.
    package var linearTerm: Float = 1
    /// 0 … 20, times its square.
    package var squaredTerm: Float = 0
    /// 0 … 20, times its cube.
    package var cubicTerm: Float = 0
    /// Percent.
    package var polynomialMix: Float = 50

    /// Hz, 0.5 … 8000.
    package var ringModFrequency1: Float = 100
    /// Hz, 0.5 … 8000.
    package var ringModFrequency2: Float = 100
    /// Percent of the second against the first.
    package var ringModBalance: Float = 50
    /// Percent.
    package var ringModMix: Float = 0

    /// dB, −80 … 20, before the clipper.
    package var softClipGain: Float = -6
    /// Percent of the whole against the input.
    package var finalMix: Float = 50

    package init() {}
}
