import OssicleCore

/// One second-order filter that may be swept while sound runs: its coefficients are interpolated linearly per frame and it
/// is stable under any modulation (see `StateVariableSection` for equation and source). Audio thread; not shared.
package struct StateVariableFilter: BitwiseCopyable, Sendable {
    package enum Shape: BitwiseCopyable, Hashable, Sendable {
        case lowPass, highPass, bandPass, notch, allPass
        /// Gains in dB at the centre, towards 0 Hz, towards Nyquist.
        case peaking(Double), lowShelf(Double), highShelf(Double)
    }

    private var start: StateVariableSection<Float>
    private var target: StateVariableSection<Float>
    private var frames = 0
    private var index = 0
    private var s1: Float = 0
    private var s2: Float = 0
    private(set) package var feedback = FeedbackGuard()

    package init(_ shape: Shape, frequency: Double, q: Double = 0.7071067811865476, sampleRate: Double) {
        target = StateVariableSection(shape, frequency: frequency, q: q, sampleRate: sampleRate)
        start = target
    }

    package mutating func reset() { (s1, s2) = (0, 0) }

    /// Moves to another shape, corner (Hz) or q over `frames` frames; 0 is at once.
    package mutating func setTarget(_ shape: Shape, frequency: Double, q: Double = 0.7071067811865476, sampleRate: Double, frames: Int) {
        start = section(at: index)
        target = StateVariableSection(shape, frequency: frequency, q: q, sampleRate: sampleRate)
        self.frames = max(frames, 0)
        index = 0
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
            let c = section(at: index)
            if index < frames { index += 1 }
            let x = from[i]
            let e = x - s2
            to[i] = c.d * x + c.p * s1 + c.q * s2
            s2 = s2 + c.beta * s1 + c.gamma * e
            s1 = c.alpha * s1 + c.beta * e
        }
        (self.s1, self.s2) = (s1, s2)
    }

    private func section(at frame: Int) -> StateVariableSection<Float> {
        guard frame < frames else { return target }
        let t = Float(frame) * (1 / Float(frames))
        func mix(_ a: Float, _ b: Float) -> Float { a + (b - a) * t }
        return StateVariableSection(alpha: mix(start.alpha, target.alpha), beta: mix(start.beta, target.beta), gamma: mix(start.gamma, target.gamma),
                                    d: mix(start.d, target.d), p: mix(start.p, target.p), q: mix(start.q, target.q))
    }
}

extension StateVariableSection<Float> {
    /// Arguments are held within `FilterLimits`.
    package init(_ shape: StateVariableFilter.Shape, frequency: Double, q: Double, sampleRate: Double) {
        let g = DeterministicMath.tan(DeterministicMath.pi * FilterLimits.frequency(frequency, sampleRate) / sampleRate)
        let k = 1 / FilterLimits.q(q)
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
