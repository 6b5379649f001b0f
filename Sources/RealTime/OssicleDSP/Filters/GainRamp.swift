/// A gain that moves in straight lines.
///
/// Frame i of a ramp of n frames from a to b has the gain a + (b − a)·i/n, computed from i itself, so that it does not
/// matter how blocks are cut. At rest the ramp costs nothing: unity copies bit for bit, zero writes silence. Audio
/// thread; not shared.
package struct GainRamp: BitwiseCopyable, Sendable {
    private var start: Float
    private(set) package var target: Float
    private var frames = 0
    private var index = 0

    /// A gain at rest. Not finite counts as 0.
    package init(_ value: Float) {
        target = value.isFinite ? value : 0
        start = target
    }

    package var isIdle: Bool { index >= frames }

    /// Frames until the target is reached.
    package var framesLeft: Int { max(frames - index, 0) }

    /// The gain the next frame gets.
    package var value: Float { isIdle ? target : gain(at: index) }

    /// Moves to `value` over `frames` frames (0: at once), from wherever a running ramp has got to. Not finite counts
    /// as 0.
    package mutating func setTarget(_ value: Float, frames: Int) {
        start = self.value
        target = value.isFinite ? value : 0
        self.frames = start == target ? 0 : max(frames, 0)
        index = 0
    }

    /// The gain of one frame, which counts as passed.
    package mutating func next() -> Float {
        let gain = value
        if !isIdle { index += 1 }
        return gain
    }

    /// buffer · gain, in place.
    package mutating func process(_ buffer: UnsafeMutablePointer<Float>, _ n: Int) {
        process(from: UnsafePointer(buffer), to: buffer, n)
    }

    /// to = from · gain. The two may be the same memory.
    package mutating func process(from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int) {
        let moving = advance(n)
        for i in 0..<moving.count { to[i] = from[i] * gain(at: moving.first + i) }
        guard moving.count < n else { return }
        let (rest, input) = (to + moving.count, from + moving.count)
        switch target {
        case 1: if UnsafePointer(rest) != input { rest.update(from: input, count: n - moving.count) }
        case 0: rest.update(repeating: 0, count: n - moving.count)
        default: for i in 0..<(n - moving.count) { rest[i] = input[i] * target }
        }
    }

    /// to += from · gain. The two must not overlap.
    package mutating func add(from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ n: Int) {
        let moving = advance(n)
        for i in 0..<moving.count { to[i] += from[i] * gain(at: moving.first + i) }
        if target == 0 { return }
        for i in moving.count..<max(n, moving.count) { to[i] += from[i] * target }
    }

    @inline(__always)
    private func gain(at frame: Int) -> Float {
        start + (target - start) * (Float(Int32(truncatingIfNeeded: frame)) * (1 / Float(frames)))
    }

    /// The ramp's share of the next n frames, which count as passed.
    private mutating func advance(_ n: Int) -> (first: Int, count: Int) {
        let share = (first: index, count: min(max(frames - index, 0), max(n, 0)))
        index += share.count
        return share
    }
}
