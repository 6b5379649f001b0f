import OssicleCore

/// Splits a signal into four bands that sum to it again, but for its phase.
///
///     x ─┬─▶ low f₁ ─▶ allpass f₂ ─▶ allpass f₃ ─▶ band 0                              lane 0
///        └─▶ high f₁ ─┬─▶ low f₂ ─▶ allpass f₃ ─▶ band 1                               lane 1
///                     └─▶ high f₂ ─┬─▶ low f₃ ─▶ band 2                                lane 2
///                                  └─▶ high f₃ ─▶ band 3                               lane 3
///
/// Low and high are fourth-order Linkwitz–Riley filters, two Butterworth ones in a row: both are 6 dB down at the
/// crossover and in phase everywhere, and their sum is an allpass (Linkwitz, "Active crossover networks for
/// noncoincident drivers", JAES 24, 1976). The bands that branched off earlier pass the same allpasses, so that all
/// four stay in phase: the sum is flat.
///
/// One vector holds the four bands, and six sections in a row do all of it. Lanes that will part only later do the same
/// work twice, which costs nothing. Coefficients move linearly, frame by frame. One bank for each channel; its input is
/// finite. Audio thread.
struct CrossoverBank: BitwiseCopyable {
    typealias Lanes = SIMD4<Float>
    static let bandCount = 4

    private var start: CrossoverSections
    private var target: CrossoverSections
    private var frames = 0
    private var index = 0
    private var s1 = InlineArray<6, Lanes>(repeating: .zero)
    private var s2 = InlineArray<6, Lanes>(repeating: .zero)

    init(_ sections: CrossoverSections) { (start, target) = (sections, sections) }

    mutating func setTarget(_ sections: CrossoverSections, frames: Int) {
        start = section(at: index)
        target = sections
        self.frames = start.crossovers == sections.crossovers ? 0 : max(frames, 0)
        index = 0
    }

    mutating func reset() {
        s1 = InlineArray(repeating: .zero)
        s2 = s1
    }

    /// One channel in, its bands out, each its own memory.
    mutating func process(
        _ input: UnsafePointer<Float>, _ b0: UnsafeMutablePointer<Float>, _ b1: UnsafeMutablePointer<Float>,
        _ b2: UnsafeMutablePointer<Float>, _ b3: UnsafeMutablePointer<Float>, _ n: Int
    ) {
        var i = 0
        while i < n {
            let run = index < frames ? 1 : n - i
            pass(section(at: index), input + i, b0 + i, b1 + i, b2 + i, b3 + i, run)
            if index < frames { index += 1 }
            i += run
        }
    }

    private func section(at frame: Int) -> CrossoverSections {
        frame < frames ? .mix(start, target, Float(frame) * (1 / Float(frames))) : target
    }

    @inline(__always)
    private mutating func pass(
        _ sections: CrossoverSections, _ input: UnsafePointer<Float>, _ b0: UnsafeMutablePointer<Float>,
        _ b1: UnsafeMutablePointer<Float>, _ b2: UnsafeMutablePointer<Float>, _ b3: UnsafeMutablePointer<Float>,
        _ n: Int
    ) {
        var (s1, s2) = (self.s1, self.s2)
        for i in 0..<n {
            var x = Lanes(repeating: input[i])
            for j in 0..<6 {
                let c = sections.stages[j]
                let e = x - s2[j]
                x = c.d * x + c.p * s1[j] + c.q * s2[j]
                s2[j] = s2[j] + c.beta * s1[j] + c.gamma * e
                s1[j] = c.alpha * s1[j] + c.beta * e
            }
            (b0[i], b1[i], b2[i], b3[i]) = (x[0], x[1], x[2], x[3])
        }
        (self.s1, self.s2) = (s1, s2)
    }
}

/// What a `CrossoverBank` does at three crossovers: a plain value, the same for every channel.
struct CrossoverSections: BitwiseCopyable {
    typealias Stage = StateVariableSection<SIMD4<Float>>
    /// Hz, rising.
    let crossovers: SIMD3<Float>
    private(set) var stages: InlineArray<6, Stage>

    init(_ crossovers: SIMD3<Float>, sampleRate: Double) {
        self.crossovers = crossovers
        func stage(_ shapes: InlineArray<4, StateVariableFilter.Shape?>, _ frequencies: InlineArray<4, Float>) -> Stage
        { Self.stage(shapes, frequencies, sampleRate) }
        let (f1, f2, f3) = (crossovers.x, crossovers.y, crossovers.z)
        let first = stage([.lowPass, .highPass, .highPass, .highPass], [f1, f1, f1, f1])
        stages = [
            first, first,
            stage([.allPass, .lowPass, .highPass, .highPass], [f2, f2, f2, f2]),
            stage([.allPass, .lowPass, .highPass, .highPass], [f3, f2, f2, f2]),
            stage([nil, .allPass, .lowPass, .highPass], [f3, f3, f3, f3]),
            stage([nil, nil, .lowPass, .highPass], [f3, f3, f3, f3]),
        ]
    }

    /// Nil passes its input.
    private static func stage(
        _ shapes: InlineArray<4, StateVariableFilter.Shape?>, _ frequencies: InlineArray<4, Float>, _ sampleRate: Double
    ) -> Stage {
        var stage = Stage(alpha: .zero, beta: .zero, gamma: .zero, d: .one, p: .zero, q: .zero)
        for lane in 0..<4 {
            guard let shape = shapes[lane] else { continue }
            let section = StateVariableSection<Float>(
                shape, frequency: Double(frequencies[lane]), q: 0.7071067811865476, sampleRate: sampleRate)
            (stage.alpha[lane], stage.beta[lane], stage.gamma[lane]) = (section.alpha, section.beta, section.gamma)
            (stage.d[lane], stage.p[lane], stage.q[lane]) = (section.d, section.p, section.q)
        }
        return stage
    }

    static func mix(_ a: Self, _ b: Self, _ t: Float) -> Self {
        var result = b
        for j in 0..<6 {
            let (from, to) = (a.stages[j], b.stages[j])
            result.stages[j] = Stage(
                alpha: from.alpha + (to.alpha - from.alpha) * t, beta: from.beta + (to.beta - from.beta) * t,
                gamma: from.gamma + (to.gamma - from.gamma) * t, d: from.d + (to.d - from.d) * t,
                p: from.p + (to.p - from.p) * t, q: from.q + (to.q - from.q) * t)
        }
        return result
    }
}
