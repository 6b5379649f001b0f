/// A second-order section in transposed direct form II.
///
///     y = b₀x + s₁;   s₁ ← b₁x − a₁y + s₂;   s₂ ← b₂x − a₂y
///
/// State and arithmetic are double: at 48 kHz a single-precision recursion is audibly wrong below about 100 Hz. For coefficients
/// that move while sound runs use `StateVariableFilter`; changing these clicks. Audio thread; not shared.
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
