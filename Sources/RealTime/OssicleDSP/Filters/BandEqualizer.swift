import COssicle
import OssicleCore

/// Ten octave gains as a filter: what distance, air, directivity and walls do to the colour of one voice.
///
/// A cascade of ten state-variable sections (`BandEqualizerDesign`), run as a pipeline: lane j of one vector is section
/// j, working on the sample that section j − 1 finished two steps before, so that no step waits for the last. Every
/// call fills the pipeline and drains it, so there is no latency and no trace of how calls are cut. Coefficients move
/// linearly per frame. Audio thread; not shared.
///
///     x ─▶ air ─▶ low shelf ─▶ 63 ─▶ 125 ─▶ … ─▶ 8k ─▶ high shelf ─▶ y    lanes 0 … 9
package struct BandEqualizer: ~Copyable {
    private typealias Section = StateVariableSection<OctaveGrid.Lanes>

    private var start = BandEqualizerDesign.transparent
    private var target = BandEqualizerDesign.transparent
    private var frames = 0
    private var index = 0
    /// s₁ and s₂ of every section.
    private var states = (OctaveGrid.Lanes.zero, OctaveGrid.Lanes.zero)
    private var air = AirLine()
    private(set) package var feedback = FeedbackGuard()

    package init() {}

    package mutating func reset() {
        states = (.zero, .zero)
        air.reset()
    }

    /// At rest on unity: `process` copies bit for bit.
    package var isTransparent: Bool { isAtRestAndFlat && target.flatGain == 1 && AirFilters.isClear(target.air) }
    package var isSilent: Bool { isAtRestAndFlat && target.flatGain == 0 }
    private var isAtRestAndFlat: Bool { index >= frames && target.isFlat }

    /// Moves to a design over `frames` frames (0: at once), from wherever a running move has got to.
    package mutating func setTarget(_ design: BandEqualizerDesign, frames: Int) {
        start = index < self.frames ? current : target
        target = design
        self.frames =
            start.isFlat && design.isFlat && start.flatGain == design.flatGain
                && AirFilters.areEqual(start.air, design.air)
            ? 0 : max(frames, 0)
        index = 0
        // A flat design says nothing about corners: keep the other end's, so that only the mix moves.
        if start.isFlat, !design.isFlat { start.sections.takeCorners(of: design.sections) }
        if design.isFlat, !start.isFlat { target.sections.takeCorners(of: start.sections) }
    }

    /// What comes of n frames: in `scratch`, or the sound itself where nothing is to be done.
    package mutating func processed(
        _ sound: UnsafePointer<Float>, in scratch: UnsafeMutablePointer<Float>, _ n: Int
    ) -> UnsafePointer<Float> {
        guard !isTransparent else {
            reset()
            return sound
        }
        process(from: sound, to: scratch, n)
        return UnsafePointer(scratch)
    }

    /// `from` and `to` may be the same memory.
    package mutating func process(from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int) {
        var done = 0
        while done < n {
            let run = feedback.framesToCheck(n - done)
            let moving = min(run, max(frames - index, 0))
            let sound = throughAir(from: from + done, to: to + done, moving > 0 ? moving : run)
            if moving > 0 {
                move(from: sound, to: to + done, moving)
            } else {
                rest(from: sound, to: to + done, run)
            }
            let passed = moving > 0 ? moving : run
            done += passed
            if feedback.isDue(after: passed) { recover() }
        }
    }

    /// What the air leaves, in `to`, or the sound itself where it takes nothing.
    private mutating func throughAir(
        from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int
    ) -> UnsafePointer<Float> {
        guard !AirFilters.isClear(target.air) || (index < frames && !AirFilters.isClear(start.air)) else {
            return from
        }
        air.process(start: start.air, end: target.air, index: index, frames: frames, from: from, to: to, n)
        return UnsafePointer(to)
    }

    private var current: BandEqualizerDesign {
        var design = target
        let passed = Float(index) * (1 / Float(frames))
        design.air = start.air + (target.air - start.air) * passed
        design.sections = .mix(
            start.sections, target.sections, OctaveGrid.Lanes(repeating: passed))
        design.isFlat = start.isFlat && target.isFlat
        design.flatGain = design.isFlat ? design.sections.d[0] : 1
        return design
    }

    private mutating func recover() {
        guard !(states.0 + states.1).sum().isFinite else { return }
        reset()
        feedback.countFault()
    }

    private mutating func rest(from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int) {
        guard target.isFlat else {
            return run(target.sections) { ossicle_bands($0, $1, from, to, n) }
        }
        states = (.zero, .zero)
        if AirFilters.isClear(target.air) { air.reset() }
        var gain = GainRamp(target.flatGain)
        gain.process(from: from, to: to, n)
    }

    private mutating func move(from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int) {
        if start.isFlat, target.isFlat {
            let step = 1 / Float(frames)
            for i in 0..<n {
                to[i] = from[i] * (start.flatGain + (target.flatGain - start.flatGain) * (Float(index + i) * step))
            }
        } else {
            let (target, first, step) = (target.sections, Float(index), 1 / Float(frames))
            run(start.sections) { start, states in
                withUnsafeBytes(of: target) { target in
                    guard let target = target.baseAddress else { return }
                    ossicle_bands_moving(
                        start, target.assumingMemoryBound(to: Float.self), first, step, states, from, to, n)
                }
            }
        }
        index += n
    }

    /// Six numbers a section and the states, as C sees them.
    private mutating func run(
        _ sections: Section, _ body: (_ sections: UnsafePointer<Float>, _ state: UnsafeMutablePointer<Float>) -> Void
    ) {
        withUnsafeBytes(of: sections) { sections in
            withUnsafeMutableBytes(of: &states) { states in
                guard let sections = sections.baseAddress, let states = states.baseAddress else { return }
                body(
                    sections.assumingMemoryBound(to: Float.self), states.assumingMemoryBound(to: Float.self))
            }
        }
    }
}

extension StateVariableSection<OctaveGrid.Lanes> {
    fileprivate mutating func takeCorners(of other: Self) {
        (alpha, beta, gamma) = (other.alpha, other.beta, other.gamma)
    }
}
