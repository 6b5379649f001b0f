import OssicleCore

/// Where one reader stands in a delay line, in frames behind the newest sample.
///
/// Ramps are straight lines, so a sound approaching at constant speed has exactly its Doppler pitch. For a change that
/// is not a motion, `jump` cross-fades between the two delays instead. A plain value: keep it beside its voice, on the
/// audio thread.
package struct DelayTap: BitwiseCopyable, Sendable {
    private(set) var ramp: Ramp<Double>
    /// The delay being left by a jump.
    private(set) var left = 0.0
    private(set) var fadeFrames = 0
    private(set) var fadeIndex = 0

    /// A tap at rest. Not finite counts as 0; the line holds delays within its own limits.
    package init(_ delay: Double) {
        ramp = Ramp(delay.isFinite ? delay : 0)
    }

    package var target: Double { ramp.target }
    package var isMoving: Bool { !ramp.isIdle }
    package var isFading: Bool { fadeIndex < fadeFrames }

    /// The delay of the next frame.
    package var value: Double { ramp.value }

    /// Moves to `delay` over `frames` frames (0: at once), from wherever a running move has got to. Not finite is
    /// ignored.
    package mutating func setTarget(_ delay: Double, frames: Int) {
        guard delay.isFinite else { return }
        ramp.setTarget(delay, frames: ramp.value == delay ? 0 : frames)
    }

    /// Is at `delay` at once, and fades over `frames` frames from what the old delay gives. A jump during a jump starts
    /// from the newer delay.
    package mutating func jump(to delay: Double, frames: Int) {
        guard delay.isFinite else { return }
        left = value
        setTarget(delay, frames: 0)
        fadeFrames = max(frames, 0)
        fadeIndex = 0
    }

    /// Frames of the next `n` until either ramp ends.
    func steadyFrames(_ n: Int) -> Int {
        var run = n
        if isMoving { run = min(run, ramp.framesLeft) }
        if isFading { run = min(run, fadeFrames - fadeIndex) }
        return run
    }

    /// Lets `n` frames pass.
    package mutating func skip(_ n: Int) {
        ramp.advance(n)
        if isFading { fadeIndex = min(fadeIndex + n, fadeFrames) }
    }

}
