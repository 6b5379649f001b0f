import OssicleCore

/// One second-order filter that may be swept while sound runs: its coefficients are interpolated linearly per frame and
/// it is stable under any modulation (see `StateVariableSection` for equation and source). Audio thread; not shared.
package struct StateVariableFilter: BitwiseCopyable, Sendable {
    package enum Shape: BitwiseCopyable, Hashable, Sendable {
        case lowPass, highPass, bandPass, notch, allPass
        /// Gains in dB at the centre, towards 0 Hz, towards Nyquist.
        case peaking(Double), lowShelf(Double), highShelf(Double)
    }

    private var section: Ramp<StateVariableSection<Float>>
    private var s1: Float = 0
    private var s2: Float = 0
    private(set) package var feedback = FeedbackGuard()

    package init(_ shape: Shape, frequency: Double, q: Double = 0.7071067811865476, sampleRate: Double) {
        section = Ramp(StateVariableSection(shape, frequency: frequency, q: q, sampleRate: sampleRate))
    }

    package mutating func reset() { (s1, s2) = (0, 0) }

    /// Moves to another shape, corner (Hz) or q over `frames` frames; 0 is at once.
    package mutating func setTarget(
        _ shape: Shape, frequency: Double, q: Double = 0.7071067811865476, sampleRate: Double, frames: Int
    ) {
        section.setTarget(
            StateVariableSection(shape, frequency: frequency, q: q, sampleRate: sampleRate), frames: frames)
    }

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
        var (s1, s2) = (self.s1, self.s2)
        for i in 0..<n {
            let c = section[i]
            let x = from[i]
            let e = x - s2
            to[i] = c.d * x + c.p * s1 + c.q * s2
            s2 = s2 + c.beta * s1 + c.gamma * e
            s1 = c.alpha * s1 + c.beta * e
        }
        (self.s1, self.s2) = (s1, s2)
        section.advance(n)
    }
}

/// The six numbers of one state-variable section, for any scalar or vector of lanes.
///
/// The topology-preserving state-variable filter (Andrew Simper, "Solving the continuous SVF equations using
/// trapezoidal integration", 2013) with corner g = tan(πf/fs), damping k and output mix m₀ + m₁·band + m₂·low,
/// multiplied out into
///
///     e = x − s₂;   y = d·x + p·s₁ + q·s₂;   s₁ ← α·s₁ + β·e;   s₂ ← s₂ + β·s₁ + γ·e
///
/// The state matrix [α −β; β 1−γ] is the Cayley transform of a dissipative one and never lengthens the state vector.
/// That also holds for every mean of two such matrices: the six numbers may be interpolated linearly, sample by sample,
/// and the filter stays stable whatever they do.
package struct StateVariableSection<Lanes> {
    package var alpha, beta, gamma, d, p, q: Lanes

    @inline(__always)
    package init(alpha: Lanes, beta: Lanes, gamma: Lanes, d: Lanes, p: Lanes, q: Lanes) {
        (self.alpha, self.beta, self.gamma, self.d, self.p, self.q) = (alpha, beta, gamma, d, p, q)
    }
}

extension StateVariableSection: BitwiseCopyable where Lanes: BitwiseCopyable {}
extension StateVariableSection: Sendable where Lanes: Sendable {}

extension StateVariableSection<Double> {
    /// - Parameters:
    ///   - g: tan(πf/fs), above 0.
    ///   - k: damping 1/Q, above 0.
    ///   - m0, m1, m2: weights of input, band pass and low pass.
    init(g: Double, k: Double, m0: Double, m1: Double, m2: Double) {
        let a1 = 1 / (1 + g * (g + k))
        let a2 = g * a1
        let a3 = g * a2
        self.init(
            alpha: 2 * a1 - 1, beta: 2 * a2, gamma: 2 * a3, d: m0 + m1 * a2 + m2 * a3, p: m1 * a1 + m2 * a2,
            q: m2 - m1 * a2 - m2 * a3)
    }

    /// The cookbook's response of that name (Andrew Simper, "Linear trapezoidal optimised SVF", 2014), with corner g
    /// and damping k as above.
    init(_ shape: StateVariableFilter.Shape, g: Double, k: Double) {
        func root(_ decibels: Double) -> Double { Decibels.amplitude(FilterLimits.decibels(decibels) / 2) }
        switch shape {
        case .lowPass: self.init(g: g, k: k, m0: 0, m1: 0, m2: 1)
        case .highPass: self.init(g: g, k: k, m0: 1, m1: -k, m2: -1)
        case .bandPass: self.init(g: g, k: k, m0: 0, m1: k, m2: 0)
        case .notch: self.init(g: g, k: k, m0: 1, m1: -k, m2: 0)
        case .allPass: self.init(g: g, k: k, m0: 1, m1: -2 * k, m2: 0)
        case .peaking(let decibels):
            let a = root(decibels)
            self.init(g: g, k: k / a, m0: 1, m1: k / a * (a * a - 1), m2: 0)
        case .lowShelf(let decibels):
            let a = root(decibels)
            self.init(g: g / a.squareRoot(), k: k, m0: 1, m1: k * (a - 1), m2: a * a - 1)
        case .highShelf(let decibels):
            let a = root(decibels)
            self.init(g: g * a.squareRoot(), k: k, m0: a * a, m1: k * (1 - a) * a, m2: 1 - a * a)
        }
    }
}

extension StateVariableSection: RampValue where Lanes: RampValue {
    /// Number by number.
    @inline(__always)
    package static func between(_ start: Self, _ target: Self, frame: Int, of frames: Int) -> Self {
        Self(
            alpha: .between(start.alpha, target.alpha, frame: frame, of: frames),
            beta: .between(start.beta, target.beta, frame: frame, of: frames),
            gamma: .between(start.gamma, target.gamma, frame: frame, of: frames),
            d: .between(start.d, target.d, frame: frame, of: frames),
            p: .between(start.p, target.p, frame: frame, of: frames),
            q: .between(start.q, target.q, frame: frame, of: frames))
    }
}

extension StateVariableSection<Float> {
    /// Arguments are held within `FilterLimits`.
    package init(_ shape: StateVariableFilter.Shape, frequency: Double, q: Double, sampleRate: Double) {
        let g = DeterministicMath.tan(DeterministicMath.pi * FilterLimits.frequency(frequency, sampleRate) / sampleRate)
        let section = StateVariableSection<Double>(shape, g: g, k: 1 / FilterLimits.q(q))
        self.init(
            alpha: Float(section.alpha), beta: Float(section.beta), gamma: Float(section.gamma), d: Float(section.d),
            p: Float(section.p), q: Float(section.q))
    }
}

/// What every filter design holds its arguments within, so that no argument makes an unstable filter. Not finite counts
/// as harmless.
enum FilterLimits {
    /// 1 Hz … 0.499 of the sample rate.
    static func frequency(_ frequency: Double, _ sampleRate: Double) -> Double {
        frequency.isFinite ? min(max(frequency, 1), 0.499 * sampleRate) : 0.25 * sampleRate
    }
    /// Above 0.01.
    static func q(_ q: Double) -> Double { q.isFinite ? max(q, 0.01) : 1 }
    /// ±120 dB.
    static func decibels(_ decibels: Double) -> Double { decibels.isFinite ? min(max(decibels, -120), 120) : 0 }
}

/// When a kernel with feedback looks at its state: once per quantum of its own frames, however its calls are cut.
///
/// A NaN or infinity that got into a recursion would stay in it. The kernel processes in runs of `framesToCheck`,
/// and at the end of a full run clears a state that is no longer finite and counts it here.
package struct FeedbackGuard: BitwiseCopyable, Sendable {
    private var position = 0
    /// How often the state had to be cleared.
    private(set) package var faults = 0

    package init() {}

    /// How many of `remaining` frames to process before asking `isDue`.
    func framesToCheck(_ remaining: Int) -> Int { min(remaining, Grid.quantum - position) }

    /// Counts frames as processed; true when the state is to be checked now.
    mutating func isDue(after frames: Int) -> Bool {
        position += frames
        guard position >= Grid.quantum else { return false }
        position = 0
        return true
    }

    mutating func countFault() { faults += 1 }
}
