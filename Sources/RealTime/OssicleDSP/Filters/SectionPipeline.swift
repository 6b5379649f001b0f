/// What moves from step to step: the sections' states and what they put out last.
struct SectionPipeline {
    var s1, s2: SectionLanes
    var y = SectionLanes.zero

    @inline(__always)
    init(s1: SectionLanes, s2: SectionLanes) { (self.s1, self.s2) = (s1, s2) }

    @inline(__always)
    mutating func step(_ c: BandEqualizer.Section, _ input: Float) {
        let x = y.shiftedUp(inserting: input)
        let e = x - s2
        y = c.d * x + c.p * s1 + c.q * s2
        s2 = s2 + c.beta * s1 + c.gamma * e
        s1 = c.alpha * s1 + c.beta * e
    }

    /// Filling or draining: only the lanes whose sample lies in this call may move their state.
    @inline(__always)
    mutating func partialStep(_ c: BandEqualizer.Section, _ input: Float, above low: Int, upTo high: Int) {
        let (old1, old2) = (s1, s2)
        step(c, input)
        s1 = old1.replacing(with: s1, above: Float(low), upTo: Float(high))
        s2 = old2.replacing(with: s2, above: Float(low), upTo: Float(high))
    }
}

/// The pipeline's coefficients, step by step.
protocol PipelineCoefficients {
    func atStep(_ t: Int) -> BandEqualizer.Section
}

struct RestingCoefficients: PipelineCoefficients {
    let section: BandEqualizer.Section

    @inline(__always)
    func atStep(_ t: Int) -> BandEqualizer.Section { section }
}

/// Lane j works on the frame j steps back, and gets the coefficients of that frame.
struct MovingCoefficients: PipelineCoefficients {
    private let start, change: BandEqualizer.Section
    private let first: Float
    private let step: Float

    init(from start: BandEqualizer.Section, to target: BandEqualizer.Section, index: Int, frames: Int) {
        self.start = start
        change = BandEqualizer.Section(
            alpha: target.alpha - start.alpha, beta: target.beta - start.beta, gamma: target.gamma - start.gamma,
            d: target.d - start.d, p: target.p - start.p, q: target.q - start.q)
        first = Float(index)
        step = 1 / Float(frames)
    }

    @inline(__always)
    func atStep(_ t: Int) -> BandEqualizer.Section {
        let at = SectionLanes.countdown(from: first + Float(t), times: step)
        return BandEqualizer.Section(
            alpha: start.alpha + change.alpha * at, beta: start.beta + change.beta * at,
            gamma: start.gamma + change.gamma * at,
            d: start.d + change.d * at, p: start.p + change.p * at, q: start.q + change.q * at)
    }
}

extension StateVariableSection<SectionLanes> {
    init(_ wide: StateVariableSection<OctaveGrid.Lanes>) {
        self.init(
            alpha: SectionLanes(wide.alpha), beta: SectionLanes(wide.beta), gamma: SectionLanes(wide.gamma),
            d: SectionLanes(wide.d), p: SectionLanes(wide.p), q: SectionLanes(wide.q))
    }
}

/// Twelve lanes as three vectors of four: the ten sections of a `BandEqualizer` without the idle work of a sixteen-lane
/// vector.
struct SectionLanes: BitwiseCopyable {
    private var a, b, c: SIMD4<Float>

    @inline(__always)
    private init(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>) { (self.a, self.b, self.c) = (a, b, c) }

    /// The first twelve of sixteen.
    @inline(__always)
    init(_ v: SIMD16<Float>) { self.init(v.lowHalf.lowHalf, v.lowHalf.highHalf, v.highHalf.lowHalf) }

    @inline(__always)
    static var zero: Self { Self(.zero, .zero, .zero) }

    /// 0, 1, 2 … 11.
    @inline(__always)
    static var numbers: Self { Self(SIMD4(0, 1, 2, 3), SIMD4(4, 5, 6, 7), SIMD4(8, 9, 10, 11)) }

    @inline(__always)
    static func + (l: Self, r: Self) -> Self { Self(l.a + r.a, l.b + r.b, l.c + r.c) }

    @inline(__always)
    static func - (l: Self, r: Self) -> Self { Self(l.a - r.a, l.b - r.b, l.c - r.c) }

    @inline(__always)
    static func * (l: Self, r: Self) -> Self { Self(l.a * r.a, l.b * r.b, l.c * r.c) }

    /// (offset − lane number) · scale.
    @inline(__always)
    static func countdown(from offset: Float, times scale: Float) -> Self {
        let n = numbers
        return Self((offset - n.a) * scale, (offset - n.b) * scale, (offset - n.c) * scale)
    }

    /// Lane 9, where the last section's output is.
    @inline(__always)
    var tenth: Float { c.y }

    @inline(__always)
    var isFinite: Bool { (a + b + c).sum().isFinite }

    /// Every lane moves up by one; lane 0 gets `scalar`.
    @inline(__always)
    func shiftedUp(inserting scalar: Float) -> Self {
        Self(SIMD4(scalar, a.x, a.y, a.z), SIMD4(a.w, b.x, b.y, b.z), SIMD4(b.w, c.x, c.y, c.z))
    }

    /// The lanes numbered above `low` and up to `high` replaced.
    @inline(__always)
    func replacing(with other: Self, above low: Float, upTo high: Float) -> Self {
        let n = Self.numbers
        return Self(
            a.replacing(with: other.a, where: (n.a .> low) .& (n.a .<= high)),
            b.replacing(with: other.b, where: (n.b .> low) .& (n.b .<= high)),
            c.replacing(with: other.c, where: (n.c .> low) .& (n.c .<= high)))
    }
}
