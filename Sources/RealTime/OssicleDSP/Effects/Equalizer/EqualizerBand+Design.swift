import OssicleCore

/// The designs of Robert Bristow-Johnson's "Cookbook formulae for audio equalizer biquad filter coefficients", as the state-variable
/// sections with exactly these responses (Andrew Simper, "Linear trapezoidal optimised SVF", 2014): they can be swept.
extension EqualizerBand {
    /// The band as a filter; nothing at all if it is bypassed.
    func section(sampleRate: Double) -> StateVariableSection<Double> {
        let a = Decibels.amplitude(FilterLimits.decibels(Double(gain)) / 2)
        let butterworth = 2.0.squareRoot()
        let corner = FilterLimits.frequency(Double(frequency), sampleRate)
        let g = DeterministicMath.tan(DeterministicMath.pi * corner / sampleRate)
        if bypass { return StateVariableSection(g: g, k: butterworth, m0: 1, m1: 0, m2: 0) }
        switch kind {
        case .parametric:
            let k = damping(stretch: stretch(of: corner, sampleRate)) / a
            return StateVariableSection(g: g, k: k, m0: 1, m1: k * (a * a - 1), m2: 0)
        case .lowPass: return .lowPass(g, butterworth)
        case .highPass: return .highPass(g, butterworth)
        case .resonantLowPass: return .lowPass(g, damping())
        case .resonantHighPass: return .highPass(g, damping())
        case .bandPass:
            let k = damping(stretch: stretch(of: corner, sampleRate))
            return StateVariableSection(g: g, k: k, m0: 0, m1: k, m2: 0)
        case .bandStop:
            let k = damping(stretch: stretch(of: corner, sampleRate))
            return StateVariableSection(g: g, k: k, m0: 1, m1: -k, m2: 0)
        case .lowShelf: return .lowShelf(g, butterworth, a)
        case .highShelf: return .highShelf(g, butterworth, a)
        case .resonantLowShelf: return .lowShelf(g, damping(), a)
        case .resonantHighShelf: return .highShelf(g, damping(), a)
        }
    }

    /// 1/Q of the bandwidth, the cookbook's 2 sinh(ln2/2 · octaves · stretch). Held where it is harmless: near half the sample rate the
    /// stretch has no bound.
    private func damping(stretch: Double = 1) -> Double {
        let octaves = bandwidth.isFinite ? max(Double(bandwidth), 0.001) : 0.5
        let x = min(DeterministicMath.ln2 / 2 * octaves * stretch, 14)
        return DeterministicMath.exp(x) - DeterministicMath.exp(-x)
    }

    /// ω/sin ω: how much wider a band has to be made because the bilinear transform narrows it towards half the sample rate.
    private func stretch(of frequency: Double, _ sampleRate: Double) -> Double {
        let w = 2 * DeterministicMath.pi * frequency / sampleRate
        return w / DeterministicMath.sin(w)
    }
}

extension StateVariableSection<Double> {
    /// As for `Float`: g = tan(πf/fs), damping k = 1/Q, weights of input, band pass and low pass.
    init(g: Double, k: Double, m0: Double, m1: Double, m2: Double) {
        let a1 = 1 / (1 + g * (g + k))
        let a2 = g * a1
        let a3 = g * a2
        self.init(alpha: 2 * a1 - 1, beta: 2 * a2, gamma: 2 * a3, d: m0 + m1 * a2 + m2 * a3, p: m1 * a1 + m2 * a2, q: m2 - m1 * a2 - m2 * a3)
    }

    static func lowPass(_ g: Double, _ k: Double) -> Self { Self(g: g, k: k, m0: 0, m1: 0, m2: 1) }
    static func highPass(_ g: Double, _ k: Double) -> Self { Self(g: g, k: k, m0: 1, m1: -k, m2: -1) }

    /// `a` is the square root of the shelf's gain.
    static func lowShelf(_ g: Double, _ k: Double, _ a: Double) -> Self { Self(g: g / a.squareRoot(), k: k, m0: 1, m1: k * (a - 1), m2: a * a - 1) }
    static func highShelf(_ g: Double, _ k: Double, _ a: Double) -> Self { Self(g: g * a.squareRoot(), k: k, m0: a * a, m1: k * (1 - a) * a, m2: 1 - a * a) }

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
