import OssicleCore

/// The chorus of a synthesiser: one delay line that two taps read, a quarter of a turn apart.
///
///     x ─▶(+)─▶ delay line ─┬─▶ c + depth/2 · sin φ ─▶ · √½ ─▶ left
///          ▲                └─▶ c + depth/2 · cos φ ─▶ · √½ ─▶ right
///          └──── feedback · mean of both taps
///
/// c is `leastDelay` + depth/2. A tone of f Hz swings by f·π·rate·depth to either side. Two equal outputs of √½ are as
/// loud as the same sound in the middle, so that a send of 100 % gives a copy as loud as the dry sound. Delays follow
/// the sine by straight lines of `Self.step` frames and are read by a Lagrange polynomial of third order. Steps are
/// counted by the chorus's own frames, so that the cut into calls leaves no trace. Audio thread, but for `init`.
package struct SendChorus: ~Copyable {
    /// Seconds between input and output at the least.
    package static let leastDelay = 0.002
    /// Seconds; greater depths are held at it. General MIDI 2 ends at 40 ms.
    package static let greatestDepth = 0.040
    private static let step = 32
    private static let largestInput: Float = 65_536

    package struct Parameters: BitwiseCopyable, Hashable, Sendable {
        /// Hz, 0 … 20.
        package var rate: Float
        /// Seconds from the shortest delay to the longest.
        package var depth: Float
        /// −0.98 … 0.98.
        package var feedback: Float

        package init(rate: Float, depth: Float, feedback: Float) {
            (self.rate, self.depth, self.feedback) = (rate, depth, feedback)
        }
    }

    private let sampleRate: Double
    private let ring: SampleMemory
    private let mask: Int
    private var written = 0
    private var parameters: Parameters
    /// Seconds; moves by one of its frames a step.
    private var depth: Ramp<Double>
    private var feedback: GainRamp
    /// Turns at the end of the present step.
    private var phase = 0.0
    /// Frames of delay at the beginning and the end of the step.
    private var from: (left: Double, right: Double) = (0, 0)
    private var to: (left: Double, right: Double) = (0, 0)
    private var position = 0
    /// Frames of exact silence written last; as many as the ring has are all there is.
    private var quiet: Int

    package init(sampleRate: Double, _ parameters: Parameters) {
        self.sampleRate = sampleRate
        self.parameters = parameters
        let longest = Int((Self.leastDelay + Self.greatestDepth) * sampleRate) + 8
        var size = 64
        while size < longest { size *= 2 }
        ring = SampleMemory(count: size)
        mask = size - 1
        depth = Ramp(Double(parameters.depth.held(0...Float(Self.greatestDepth), otherwise: 0)))
        feedback = GainRamp(parameters.feedback.held(-0.98...0.98, otherwise: 0))
        quiet = size
        begin()
    }

    /// The sine at its beginning.
    private mutating func begin() {
        (phase, position) = (0, 0)
        to = delays
        from = to
    }

    /// Follows other parameters within 50 ms.
    package mutating func take(_ parameters: Parameters) {
        self.parameters = parameters
        let glide = Int(0.05 * sampleRate)
        depth.setTarget(
            Double(parameters.depth.held(0...Float(Self.greatestDepth), otherwise: 0)), frames: glide / Self.step)
        feedback.setTarget(parameters.feedback.held(-0.98...0.98, otherwise: 0), frames: glide)
    }

    /// Silence, and the sine at its beginning; parameters stay.
    package mutating func reset() {
        ring.clear()
        written = 0
        depth = Ramp(depth.target)
        feedback = GainRamp(feedback.target)
        quiet = ring.count
        begin()
    }

    /// Whether it holds no sound.
    package var isAsleep: Bool { quiet >= ring.count }

    /// Mono in; writes both outputs, which must not overlap with it.
    package mutating func process(
        _ input: UnsafePointer<Float>, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, _ n: Int
    ) {
        let isSilent = isAsleep && (0..<n).allSatisfy { input[$0] == 0 }
        if isSilent {
            left.update(repeating: 0, count: n)
            right.update(repeating: 0, count: n)
        }
        var done = 0
        while done < n {
            if position == 0 { aim() }
            let run = min(n - done, Self.step - position)
            if isSilent {
                // The sine goes on: when sound comes must not depend on how calls are cut.
                written += run
                feedback.advance(run)
            } else {
                for frame in done..<done + run { (left[frame], right[frame]) = next(input[frame]) }
            }
            position = (position + run) % Self.step
            done += run
        }
    }

    /// One frame.
    @inline(__always)
    private mutating func next(_ x: Float) -> (Float, Float) {
        let part = Double(written & (Self.step - 1)) * (1 / Double(Self.step))
        let (a, b) = (
            value(from.left + (to.left - from.left) * part), value(from.right + (to.right - from.right) * part)
        )
        let usable = x.magnitude <= Self.largestInput ? x : 0
        let sum = usable + feedback.next() * ((a + b) * 0.5)
        // What is below −300 dB is nothing, so that echoes come to an end.
        let kept = sum.magnitude < 1e-15 ? 0 : sum
        quiet = kept == 0 ? min(quiet + 1, ring.count) : 0
        ring[written & mask] = kept
        written += 1
        // Without the sign of a zero.
        return (a * 0.707_106_77 + 0, b * 0.707_106_77 + 0)
    }

    /// What was written so many frames before the next frame; 2 at the least.
    @inline(__always)
    private func value(_ delay: Double) -> Float {
        let whole = Int(delay), t = Float(delay - Double(whole)), at = written - whole
        let (y0, y1, y2, y3) = (ring[(at + 1) & mask], ring[at & mask], ring[(at - 1) & mask], ring[(at - 2) & mask])
        let (before, after, last) = (t + 1, t - 1, t - 2)
        return y1 * (before * after * last * 0.5) - y0 * (t * after * last * (1 / 6 as Float))
            - y2 * (before * t * last * 0.5) + y3 * (before * t * after * (1 / 6 as Float))
    }

    /// Begins a step.
    private mutating func aim() {
        depth.advance(1)
        phase += Double(parameters.rate.held(0...20, otherwise: 0)) * Double(Self.step) / sampleRate
        if phase >= 1 { phase -= 1 }
        (from, to) = (to, delays)
    }

    /// Frames of delay at this phase.
    private var delays: (left: Double, right: Double) {
        let (sine, cosine) = DeterministicMath.sincos(2 * DeterministicMath.pi * phase)
        let half = depth.value * 0.5, middle = Self.leastDelay + half
        return ((middle + half * sine) * sampleRate, (middle + half * cosine) * sampleRate)
    }

    /// Seconds until its sound has fallen by 60 dB.
    package static func tailTime(_ parameters: Parameters) -> Double {
        let longest = leastDelay + Double(parameters.depth.held(0...Float(greatestDepth), otherwise: 0))
        let echo = Double(parameters.feedback.held(-0.98...0.98, otherwise: 0).magnitude)
        return echo < 0.001 ? longest : longest * (1 - 3 / DeterministicMath.log10(echo))
    }
}
