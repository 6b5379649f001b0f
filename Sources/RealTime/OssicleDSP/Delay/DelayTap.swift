import OssicleCore

/// Where one reader stands in a delay line, in frames behind the newest sample.
///
/// Frame i of a ramp of n frames from a to b reads at a + (b − a)·i/n, so a sound approaching at constant speed has
/// exactly its Doppler pitch. For a change that is not a motion, `jump` cross-fades between the two places instead. A
/// plain value: keep it beside its voice, on the audio thread.
package struct DelayTap: BitwiseCopyable, Sendable {
    private(set) var start: Double
    private(set) package var target: Double
    private(set) var frames = 0
    private(set) var index = 0
    /// The place being left by a jump.
    private(set) var left = 0.0
    private(set) var fadeFrames = 0
    private(set) var fadeIndex = 0

    /// A tap at rest. Not finite counts as 0; the line holds delays within its own limits.
    package init(_ delay: Double) {
        target = delay.isFinite ? delay : 0
        start = target
    }

    package var isMoving: Bool { index < frames }
    package var isFading: Bool { fadeIndex < fadeFrames }

    /// The delay of the next frame.
    package var value: Double { delay(at: index) }

    /// Moves to `delay` over `frames` frames (0: at once), from wherever a running move has got to. Not finite is
    /// ignored.
    package mutating func setTarget(_ delay: Double, frames: Int) {
        guard delay.isFinite else { return }
        start = value
        target = delay
        self.frames = start == target ? 0 : max(frames, 0)
        index = 0
    }

    /// Is at `delay` at once, and fades over `frames` frames from what the old place gives. A jump during a jump starts
    /// from the newer place.
    package mutating func jump(to delay: Double, frames: Int) {
        guard delay.isFinite else { return }
        left = value
        setTarget(delay, frames: 0)
        fadeFrames = max(frames, 0)
        fadeIndex = 0
    }

    @inline(__always)
    func delay(at frame: Int) -> Double {
        frame < frames ? start + (target - start) * (Double(frame) * (1 / Double(frames))) : target
    }

    /// Frames of the next `n` until either ramp ends.
    func steadyFrames(_ n: Int) -> Int {
        var run = n
        if isMoving { run = min(run, frames - index) }
        if isFading { run = min(run, fadeFrames - fadeIndex) }
        return run
    }

    /// Advances by `n` frames that are not read.
    package mutating func skip(_ n: Int) {
        if isMoving { index = min(index + n, frames) }
        if isFading { fadeIndex = min(fadeIndex + n, fadeFrames) }
    }

    mutating func advance(_ n: Int) {
        if isMoving { index += n }
        if isFading { fadeIndex += n }
    }
}
