import OssicleCore

/// The motion of a source relative to a rotating head: the control side sends where both will be, and everything in
/// between is interpolated here, once per quantum.
///
///     offset     from the head to the source along the world's axes, in frames of travel: its length is the delay
///     head       the head's axes; the offset in these axes is the direction
///
/// Hermite's cubic keeps the pitch free of steps, and the delay is the length of a point on the curve, however close
/// the source passes. A function of engine time alone, so the cut of blocks leaves no trace. Audio thread.
struct MotionInterpolator: BitwiseCopyable {
    private var offset: MotionCurve
    private var fromHead, toHead: Rotation
    private var turns = false
    private var since: Int64

    /// Frames in which the motion stops if the next target is late.
    private static let settling = 256.0

    /// Arrives at `target` as if it had always moved there.
    init(to target: MotionTarget, at position: Int64) {
        offset = MotionCurve(
            from: target.offset - target.drift * Double(target.frames), to: target.offset, leaving: target.drift,
            arriving: target.drift,
            frames: Double(target.frames), settling: Self.settling)
        (fromHead, toHead, since) = (target.head, target.head, position)
    }

    /// Moves to another target from where it is at `position`.
    mutating func move(to target: MotionTarget, at position: Int64) {
        let frame = Double(position - since)
        if frame >= offset.whole, all(target.drift .== .zero), all(target.offset .== offset.to), target.head == toHead {
            return
        }
        let head = head(at: frame)
        offset = MotionCurve(
            from: offset.position(at: frame), to: target.offset, leaving: offset.velocity(at: frame),
            arriving: target.drift,
            frames: Double(target.frames), settling: Self.settling)
        (fromHead, toHead, turns, since) = (head, target.head, head != target.head, position)
    }

    /// Frames until the target is reached, or behind it until it rests: what is before and behind is not one line.
    @inline(__always)
    func framesLeft(at position: Int64) -> Int {
        let passed = Int(position - since)
        return passed < Int(offset.frames) ? Int(offset.frames) - passed : max(Int(offset.whole) - passed, 0)
    }

    /// Towards the source in the head's axes, and frames of travel.
    @inline(__always)
    func position(at position: Int64) -> (direction: SIMD3<Float>, delay: Double) {
        let frame = Double(position - since)
        let here = offset.position(at: frame)
        return (SIMD3<Float>(head(at: frame).inverse.turned(here)), here.magnitude)
    }

    @inline(__always)
    private func head(at frame: Double) -> Rotation {
        guard turns else { return toHead }
        return fromHead.mixed(with: toHead, min(max(frame / offset.frames, 0), 1))
    }
}

/// Where the source is to be relative to the head, and when.
package struct MotionTarget: BitwiseCopyable, Sendable {
    /// From the head to the source along the world's axes, in frames of travel.
    package let offset: Vector
    /// How fast that changes, per frame.
    package let drift: Vector
    package let head: Rotation
    /// Frames from now, at least 1.
    package let frames: Int

    /// Not finite counts as 0. Offsets are held within 10⁹ frames, their speed within 1000 times that of sound.
    package init(offset: Vector, drift: Vector, head: Rotation, frames: Int) {
        self.offset = Self.held(offset, within: 1e9)
        self.drift = Self.held(drift, within: 1e3)
        self.head = head
        self.frames = max(frames, 1)
    }

    private static func held(_ vector: Vector, within limit: Double) -> Vector {
        guard vector.isFinite else { return .zero }
        let largest = max(vector.x.magnitude, vector.y.magnitude, vector.z.magnitude)
        return largest > limit ? vector / largest * limit : vector
    }
}

/// From one position to another in a given time, with given velocities at both ends: Hermite's cubic. Two in a row join
/// without a kink where the first arrives with the velocity of the second. The last one settles: it overshoots its end
/// a little and returns.
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
    package var whole: Double { all(arriving .== .zero) ? frames : frames + settling }

    /// `frame` from 0 up; before, the start.
    @inline(__always)
    package func position(at frame: Double) -> Vector {
        if !(frame > 0) { return from }
        if frame >= frames {
            let y = (frame - frames) / settling
            return y < 1 ? to + arriving * (settling * y * (1 - y) * (1 - y)) : to
        }
        let x = frame / frames
        let rest = 1 - x
        return from + (to - from) * (x * x * (3 - 2 * x)) + (leaving * (x * rest * rest) - arriving * (x * x * rest))
            * frames
    }

    /// Per frame; before the start, that of the start.
    @inline(__always)
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
