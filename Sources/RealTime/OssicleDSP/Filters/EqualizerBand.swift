import OssicleCore

/// The eleven filter types of the equaliser units in their order, each with what it uses of frequency, bandwidth and
/// gain.
package enum FilterKind: Int, BitwiseCopyable, CaseIterable, Sendable {
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

/// One second-order filter, as the client says it. Plain values; anything outside the ranges still makes a stable
/// filter.
package struct EqualizerBand: BitwiseCopyable, Hashable, Sendable {
    package var kind: FilterKind
    /// Hz, 20 … half the sample rate.
    package var frequency: Float
    /// Octaves, 0.05 … 5.
    package var bandwidth: Float
    /// dB, −96 … 24.
    package var gain: Float
    /// A fresh band does nothing until it is switched on.
    package var bypass: Bool

    package init(
        kind: FilterKind = .parametric, frequency: Float = 1000, bandwidth: Float = 0.5, gain: Float = 0,
        bypass: Bool = true
    ) {
        (self.kind, self.frequency, self.bandwidth, self.gain, self.bypass) = (kind, frequency, bandwidth, gain, bypass)
    }

    /// Octaves of a resonance of quality `q`, for clients that speak in Q: 2/ln2 · asinh(1/2q).
    package static func bandwidth(q: Double) -> Float {
        let x = 1 / (2 * FilterLimits.q(q))
        return Float(2 / DeterministicMath.ln2 * DeterministicMath.log(x + (x * x + 1).squareRoot()))
    }
}

/// The designs of Robert Bristow-Johnson's "Cookbook formulae for audio equalizer biquad filter coefficients" in two
/// forms: a state-variable section, which can be swept, and a biquad in direct form.
extension EqualizerBand {
    /// The band as a filter; nothing at all if it is bypassed.
    func section(sampleRate: Double) -> StateVariableSection<Double> {
        let butterworth = 2.0.squareRoot()
        let corner = FilterLimits.frequency(Double(frequency), sampleRate)
        let g = DeterministicMath.tan(DeterministicMath.pi * corner / sampleRate)
        if bypass { return StateVariableSection(g: g, k: butterworth, m0: 1, m1: 0, m2: 0) }
        let k =
            switch kind {
            case .parametric, .bandPass, .bandStop: damping(stretch: stretch(of: corner, sampleRate))
            case .lowPass, .highPass, .lowShelf, .highShelf: butterworth
            case .resonantLowPass, .resonantHighPass, .resonantLowShelf, .resonantHighShelf: damping()
            }
        return StateVariableSection(shape, g: g, k: k)
    }

    private var shape: StateVariableFilter.Shape {
        switch kind {
        case .parametric: .peaking(Double(gain))
        case .lowPass, .resonantLowPass: .lowPass
        case .highPass, .resonantHighPass: .highPass
        case .bandPass: .bandPass
        case .bandStop: .notch
        case .lowShelf, .resonantLowShelf: .lowShelf(Double(gain))
        case .highShelf, .resonantHighShelf: .highShelf(Double(gain))
        }
    }

    /// 1/Q of the bandwidth, the cookbook's 2 sinh(ln2/2 · octaves · stretch). Held where it is harmless: near half the
    /// sample rate the stretch has no bound.
    private func damping(stretch: Double = 1) -> Double {
        let octaves = bandwidth.isFinite ? max(Double(bandwidth), 0.001) : 0.5
        let x = min(DeterministicMath.ln2 / 2 * octaves * stretch, 14)
        return DeterministicMath.exp(x) - DeterministicMath.exp(-x)
    }

    /// ω/sin ω: how much wider a band has to be made because the bilinear transform narrows it towards half the sample
    /// rate.
    private func stretch(of frequency: Double, _ sampleRate: Double) -> Double {
        let w = 2 * DeterministicMath.pi * frequency / sampleRate
        return w / DeterministicMath.sin(w)
    }

    /// In direct form, for a filter at rest. The bandwidth is not stretched.
    package func coefficients(sampleRate: Double) -> BiquadCoefficients {
        if bypass { return .identity }
        let (f, g) = (Double(frequency), Double(gain))
        let half = DeterministicMath.exp2(Double(bandwidth) / 2)
        let q = 1 / (half - 1 / half)
        return switch kind {
        case .parametric: .peaking(f, q: q, gain: g, sampleRate: sampleRate)
        case .lowPass: .lowPass(f, sampleRate: sampleRate)
        case .highPass: .highPass(f, sampleRate: sampleRate)
        case .resonantLowPass: .lowPass(f, q: q, sampleRate: sampleRate)
        case .resonantHighPass: .highPass(f, q: q, sampleRate: sampleRate)
        case .bandPass: .bandPass(f, q: q, sampleRate: sampleRate)
        case .bandStop: .notch(f, q: q, sampleRate: sampleRate)
        case .lowShelf: .lowShelf(f, gain: g, sampleRate: sampleRate)
        case .highShelf: .highShelf(f, gain: g, sampleRate: sampleRate)
        case .resonantLowShelf: .lowShelf(f, q: q, gain: g, sampleRate: sampleRate)
        case .resonantHighShelf: .highShelf(f, q: q, gain: g, sampleRate: sampleRate)
        }
    }
}

extension StateVariableSection<Double> {
    /// Passes every sample as it is, whatever the state.
    var isTransparent: Bool { d == 1 && p == 0 && q == 0 }

    /// Seconds in which the state falls by 60 dB: of the eigenvalues of [α −β; β 1−γ], the greater decides.
    func decayTime(sampleRate: Double) -> Double {
        let (half, product) = ((alpha + 1 - gamma) / 2, alpha * (1 - gamma) + beta * beta)
        let spread = half * half - product
        let radius = spread > 0 ? half.magnitude + spread.squareRoot() : max(product, 0).squareRoot()
        guard radius > 0, radius < 1 else { return 0 }
        return DeterministicMath.log(1e-3) / (DeterministicMath.log(radius) * sampleRate)
    }
}
