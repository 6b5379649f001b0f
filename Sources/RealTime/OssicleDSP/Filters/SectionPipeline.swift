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
        change = BandEqualizer.Section(alpha: target.alpha - start.alpha, beta: target.beta - start.beta, gamma: target.gamma - start.gamma,
                                       d: target.d - start.d, p: target.p - start.p, q: target.q - start.q)
        first = Float(index)
        step = 1 / Float(frames)
    }

    @inline(__always)
    func atStep(_ t: Int) -> BandEqualizer.Section {
        let at = SectionLanes.countdown(from: first + Float(t), times: step)
        return BandEqualizer.Section(alpha: start.alpha + change.alpha * at, beta: start.beta + change.beta * at, gamma: start.gamma + change.gamma * at,
                                     d: start.d + change.d * at, p: start.p + change.p * at, q: start.q + change.q * at)
    }
}

extension StateVariableSection<SectionLanes> {
    init(_ wide: StateVariableSection<OctaveGrid.Lanes>) {
        self.init(alpha: SectionLanes(wide.alpha), beta: SectionLanes(wide.beta), gamma: SectionLanes(wide.gamma),
                  d: SectionLanes(wide.d), p: SectionLanes(wide.p), q: SectionLanes(wide.q))
    }
}
