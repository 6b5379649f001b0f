/// A value that can move to another one in a given number of frames.
package protocol RampValue: BitwiseCopyable, Sendable {
    /// The value `frame` frames into a ramp of `frames` frames, 0 ≤ frame < frames.
    static func between(_ start: Self, _ target: Self, frame: Int, of frames: Int) -> Self
}

/// A value that moves to another one.
///
/// Every value of the ramp is computed from the number of frames since it began and never accumulated, so that it does
/// not matter how blocks are cut. One thread at a time.
package struct Ramp<Value: RampValue>: BitwiseCopyable, Sendable {
    /// The value at the ramp's first frame.
    @usableFromInline package var start: Value
    @usableFromInline package var target: Value
    /// Length of the ramp; 0 at rest.
    @usableFromInline package var frames = 0
    /// Frames of the ramp that have passed.
    @usableFromInline package var index = 0

    /// At rest.
    @inlinable package init(_ value: Value) {
        start = value
        target = value
    }

    /// From `start` to `target` over `frames` frames.
    @inlinable package init(from start: Value, to target: Value, frames: Int) {
        self.start = start
        self.target = target
        self.frames = max(frames, 0)
    }

    @inlinable package var isIdle: Bool { index >= frames }

    /// Frames until the target is reached.
    @inlinable package var framesLeft: Int { max(frames - index, 0) }

    /// The value of the next frame.
    @inlinable package var value: Value { self[0] }

    /// The value `offset` frames behind the next one.
    @inlinable package subscript(offset: Int) -> Value {
        let frame = index + offset
        return frame < frames ? Value.between(start, target, frame: frame, of: frames) : target
    }

    /// Moves to `value` over `frames` frames (0: at once), from where a running ramp is now.
    @inlinable package mutating func setTarget(_ value: Value, frames: Int) {
        start = self.value
        target = value
        self.frames = max(frames, 0)
        index = 0
    }

    /// Lets up to n frames of the ramp pass, and returns how many: the rest of the n have the target's value.
    @inlinable @discardableResult package mutating func advance(_ n: Int) -> Int {
        let run = min(framesLeft, max(n, 0))
        index += run
        return run
    }
}

extension Float: RampValue {
    /// A straight line: a + (b − a)·i/n.
    @inlinable package static func between(_ start: Float, _ target: Float, frame: Int, of frames: Int) -> Float {
        start + (target - start) * (Float(Int32(truncatingIfNeeded: frame)) * (1 / Float(frames)))
    }
}

extension Double: RampValue {
    /// A straight line: a + (b − a)·i/n.
    @inlinable package static func between(_ start: Double, _ target: Double, frame: Int, of frames: Int) -> Double {
        start + (target - start) * (Double(frame) * (1 / Double(frames)))
    }
}
