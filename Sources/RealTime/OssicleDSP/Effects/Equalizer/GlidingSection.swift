import OssicleCore

/// One second-order filter that may move while sound runs, for channels in pairs and in double precision.
///
/// Coefficients glide in straight lines; `StateVariableSection` says why every mean of two of them is stable. Double,
/// because a narrow band at 20 Hz and 96 kHz adds up thousands of frames: in single precision its noise is audible. One
/// section serves all channels, each pair with its own `SectionState`. Audio thread.
struct GlidingSection: BitwiseCopyable, Sendable {
    typealias Coefficients = StateVariableSection<Double>

    private var ramp: Ramp<Coefficients>

    init(_ coefficients: Coefficients) { ramp = Ramp(coefficients) }

    var framesLeft: Int { ramp.framesLeft }
    /// At rest, and doing nothing: `process` need not be called, and states are then out of date.
    var isTransparent: Bool { ramp.isIdle && ramp.target.isTransparent }

    /// Glides over `frames` frames (0: at once), from where a running glide is now. After `isTransparent`,
    /// states have to be cleared.
    mutating func setTarget(_ new: Coefficients, frames: Int) {
        var (start, target) = (ramp.value, new)
        let frames = start.isTransparent && target.isTransparent ? 0 : frames
        // A filter that does nothing says nothing about its corner: it keeps the other end's, so that only the mix
        // moves.
        if start.isTransparent { (start.alpha, start.beta, start.gamma) = (target.alpha, target.beta, target.gamma) }
        if target.isTransparent { (target.alpha, target.beta, target.gamma) = (start.alpha, start.beta, start.gamma) }
        ramp = Ramp(from: start, to: target, frames: frames)
    }

    /// To the end of a running glide at once.
    mutating func finish() { ramp = Ramp(ramp.target) }

    /// Counts n frames as passed.
    mutating func advance(_ n: Int) { ramp.advance(n) }

    /// The next n frames of one pair of channels, in place. `advance` follows when all pairs are done.
    func process(_ state: inout SectionState, _ buffer: UnsafeMutablePointer<SectionState.Lanes>, _ n: Int) {
        let moving = min(n, framesLeft)
        var running = state
        for i in 0..<moving { buffer[i] = running.step(SectionState.Section(ramp[i]), buffer[i]) }
        if !ramp.target.isTransparent {
            let resting = SectionState.Section(ramp.target)
            for i in moving..<n { buffer[i] = running.step(resting, buffer[i]) }
        }
        state = running
    }

    /// Four sections in a row, all at rest, in one go: while one waits for its recursion the processor works on the
    /// others.
    static func processFour(
        _ sections: (Self, Self, Self, Self), _ states: inout (SectionState, SectionState, SectionState, SectionState),
        _ buffer: UnsafeMutablePointer<SectionState.Lanes>, _ n: Int
    ) {
        let first = SectionState.Section(sections.0.ramp.target), second = SectionState.Section(sections.1.ramp.target)
        let third = SectionState.Section(sections.2.ramp.target), fourth = SectionState.Section(sections.3.ramp.target)
        var (a, b, c, d) = states
        for i in 0..<n { buffer[i] = d.step(fourth, c.step(third, b.step(second, a.step(first, buffer[i])))) }
        states = (a, b, c, d)
    }
}

/// What a section remembers of one pair of channels.
struct SectionState: BitwiseCopyable, Sendable {
    typealias Lanes = SIMD2<Double>
    typealias Section = StateVariableSection<Lanes>

    private(set) var s1 = Lanes.zero
    private(set) var s2 = Lanes.zero

    @inline(__always)
    mutating func step(_ c: Section, _ x: Lanes) -> Lanes {
        let e = x - s2
        let y = c.d * x + c.p * s1 + c.q * s2
        s2 = s2 + c.beta * s1 + c.gamma * e
        s1 = c.alpha * s1 + c.beta * e
        return y
    }

    /// Clears the channels whose state is not finite; returns whether there were any.
    mutating func recover() -> Bool {
        let sum = s1 + s2
        let sound = sum - sum .== Lanes.zero
        s1.replace(with: 0, where: .!sound)
        s2.replace(with: 0, where: .!sound)
        return sound != SIMDMask(repeating: true)
    }
}

extension SectionState.Section {
    /// The same coefficients for both channels.
    @inline(__always)
    init(_ c: StateVariableSection<Double>) {
        self.init(
            alpha: SIMD2(repeating: c.alpha), beta: SIMD2(repeating: c.beta), gamma: SIMD2(repeating: c.gamma),
            d: SIMD2(repeating: c.d), p: SIMD2(repeating: c.p), q: SIMD2(repeating: c.q))
    }
}
