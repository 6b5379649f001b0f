import COssicle
import OssicleCore

/// A gain that moves in straight lines. At rest it costs nothing: unity copies bit for bit, zero writes silence. Audio
/// thread; not shared.
package struct GainRamp: BitwiseCopyable, Sendable {
    private var ramp: Ramp<Float>

    /// A gain at rest. Not finite counts as 0.
    package init(_ value: Float) { ramp = Ramp(value.isFinite ? value : 0) }

    package var target: Float { ramp.target }
    package var isIdle: Bool { ramp.isIdle }

    /// Frames until the target is reached.
    package var framesLeft: Int { ramp.framesLeft }

    /// The gain the next frame gets.
    package var value: Float { ramp.value }

    /// Moves to `value` over `frames` frames (0: at once), from where a running ramp is now. Not finite counts as 0.
    package mutating func setTarget(_ value: Float, frames: Int) {
        let target = value.isFinite ? value : 0
        ramp.setTarget(target, frames: ramp.value == target ? 0 : frames)
    }

    /// The gain of one frame, which counts as passed.
    package mutating func next() -> Float {
        let gain = ramp.value
        ramp.advance(1)
        return gain
    }

    /// Lets frames pass.
    package mutating func advance(_ n: Int) { ramp.advance(n) }

    /// buffer · gain, in place.
    package mutating func process(_ buffer: UnsafeMutablePointer<Float>, _ n: Int) {
        process(from: UnsafePointer(buffer), to: buffer, n)
    }

    /// to = from · gain. The two may be the same memory.
    package mutating func process(from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int) {
        let line = Self.line(ramp)
        let count = ramp.advance(n)
        if count > 0 { ossicle_glide(from, line, to, count) }
        guard count < n else { return }
        let (rest, input) = (to + count, from + count)
        switch target {
        case 1: if UnsafePointer(rest) != input { rest.update(from: input, count: n - count) }
        case 0: rest.update(repeating: 0, count: n - count)
        default: ossicle_glide(input, ossicle_line(start: target, change: 0, step: 0, index: 0), rest, n - count)
        }
    }

    /// to += from · gain. The two must not overlap.
    package mutating func add(from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int) {
        let line = Self.line(ramp)
        let count = ramp.advance(n)
        if count > 0 { ossicle_add_gliding(from, line, to, count) }
        guard target != 0, count < n else { return }
        ossicle_add_gliding(
            from + count, ossicle_line(start: target, change: 0, step: 0, index: 0), to + count, n - count)
    }

    /// The values of `Ramp<Float>` in the order of its operations.
    @inline(__always)
    private static func line(_ ramp: Ramp<Float>) -> ossicle_line {
        ossicle_line(
            start: ramp.start, change: ramp.target - ramp.start, step: 1 / Float(max(ramp.frames, 1)),
            index: Int32(truncatingIfNeeded: ramp.index))
    }
}
