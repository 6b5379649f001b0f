import OssicleCore

/// A source on its way around a head that turns: the control side says where both will be, and everything in between is
/// computed here, once per quantum.
///
///     way        from the head to the source along the world's axes, in frames of travel: its length is the delay
///     head       the head's axes; the way as they see it is the direction
///
/// A way that is bent by Hermite's cubic keeps the pitch free of steps, and lengths taken of points on it are those of
/// the motion, however close it passes. A function of engine time alone, so the cut of blocks leaves no trace. Audio
/// thread.
struct MotionInterpolator: BitwiseCopyable {
    private var way: MotionCurve
    private var fromHead, toHead: Rotation
    private var since: Int64

    /// Frames in which the motion stops if the next target is late.
    private static let settling = 256.0

    /// On the way to `target` already, as if it had always been.
    init(to target: MotionTarget, at position: Int64) {
        way = MotionCurve(
            from: target.way - target.drift * Double(target.frames), to: target.way, leaving: target.drift,
            arriving: target.drift,
            frames: Double(target.frames), settling: Self.settling)
        (fromHead, toHead, since) = (target.head, target.head, position)
    }

    /// Heads for another target from where it is at `position`.
    mutating func head(for target: MotionTarget, at position: Int64) {
        let frame = Double(position - since)
        if frame >= way.whole, target.drift == .zero, target.way == way.to, target.head == toHead { return }
        let head = head(at: frame)
        way = MotionCurve(
            from: way.place(at: frame), to: target.way, leaving: way.velocity(at: frame), arriving: target.drift,
            frames: Double(target.frames), settling: Self.settling)
        (fromHead, toHead, since) = (head, target.head, position)
    }

    /// Frames until the target is reached, or behind it until it rests: what is before and behind is not one line.
    func framesLeft(at position: Int64) -> Int {
        let passed = Int(position - since)
        return passed < Int(way.frames) ? Int(way.frames) - passed : max(Int(way.whole) - passed, 0)
    }

    /// Towards the source in the head's axes, and frames of travel.
    func place(at position: Int64) -> (direction: SIMD3<Float>, delay: Double) {
        let frame = Double(position - since)
        let place = way.place(at: frame)
        return (SIMD3<Float>(head(at: frame).inverse.turned(place)), place.magnitude)
    }

    private func head(at frame: Double) -> Rotation { fromHead.mixed(with: toHead, min(max(frame / way.frames, 0), 1)) }
}

/// Where a flight is to be, and when.
package struct MotionTarget: BitwiseCopyable, Sendable {
    /// From the head to the source along the world's axes, in frames of travel.
    package let way: Vector
    /// How fast that changes, per frame.
    package let drift: Vector
    package let head: Rotation
    /// Frames from now, at least 1.
    package let frames: Int

    /// What is not finite counts as nothing, and nothing is farther away than a billion frames or comes faster than
    /// sound can tell.
    package init(way: Vector, drift: Vector, head: Rotation, frames: Int) {
        self.way = Self.held(way, within: 1e9)
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

/// From one place to another in a given time, leaving and arriving at given velocities: the cubic of Hermite. One
/// follows the other without a kink where the first arrives as the second leaves. What nothing follows settles: it
/// swings a little past its end and back.
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
        return from + (to - from) * (x * x * (3 - 2 * x)) + (leaving * (x * rest * rest) - arriving * (x * x * rest))
            * frames
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
