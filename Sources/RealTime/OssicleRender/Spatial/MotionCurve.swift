import OssicleCore

/// From one place to another in a given time, leaving and arriving at given velocities: the cubic of Hermite. One follows the other
/// without a kink where the first arrives as the second leaves. What nothing follows settles: it swings a little past its end and back.
///
///     p(x) = (1 + 2x)(1 − x)² a + x²(3 − 2x) b + n x(1 − x)² u − n x²(1 − x) v        x = t/n; from a at u to b at v in n frames
///     p(y) = b + m y(1 − y)² v                                                        y = (t − n)/m; m frames of settling
package struct MotionCurve: BitwiseCopyable, Sendable {
    package let from, to: Vector
    /// Per frame.
    package let leaving, arriving: Vector
    /// At least 1.
    package let frames: Double
    /// Frames it takes to settle after them, at least 1.
    package let settling: Double

    package init(from: Vector, to: Vector, leaving: Vector, arriving: Vector, frames: Double, settling: Double) {
        (self.from, self.to, self.leaving, self.arriving) = (from, to, leaving, arriving)
        (self.frames, self.settling) = (max(frames, 1), max(settling, 1))
    }

    /// Frames until it is at rest.
    package var whole: Double { arriving == .zero ? frames : frames + settling }

    /// `frame` from 0 up; before, the start.
    package func place(at frame: Double) -> Vector {
        if !(frame > 0) { return from }
        if frame >= frames {
            let y = (frame - frames) / settling
            return y < 1 ? to + arriving * (settling * y * (1 - y) * (1 - y)) : to
        }
        let x = frame / frames
        let rest = 1 - x
        return from + (to - from) * (x * x * (3 - 2 * x)) + (leaving * (x * rest * rest) - arriving * (x * x * rest)) * frames
    }

    /// Per frame; before the start, that of the start.
    package func velocity(at frame: Double) -> Vector {
        if !(frame > 0) { return leaving }
        if frame >= frames {
            let y = (frame - frames) / settling
            return y < 1 ? arriving * ((1 - y) * (1 - 3 * y)) : .zero
        }
        let x = frame / frames
        let rest = 1 - x
        return (to - from) * (6 * x * rest / frames) + leaving * (rest * (1 - 3 * x)) + arriving * (x * (3 * x - 2))
    }
}
