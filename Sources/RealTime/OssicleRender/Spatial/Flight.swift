import OssicleCore

/// A source on its way around a head that turns: the control side says where both will be, and everything in between is computed here,
/// once per quantum.
///
///     way        from the head to the source along the world's axes, in frames of travel: its length is the delay
///     head       the head's axes; the way as they see it is the direction
///
/// A way that is bent by Hermite's cubic keeps the pitch free of steps, and lengths taken of points on it are those of the motion, however close it passes.
/// A function of engine time alone, so the cut of blocks leaves no trace. Audio thread.
struct Flight: BitwiseCopyable {
    private var way: MotionCurve
    private var fromHead, toHead: Rotation
    private var since: Int64

    /// Frames in which it comes to rest if the next target is late.
    private static let settling = 256.0

    /// On the way to `target` already, as if it had always been.
    init(to target: FlightTarget, at position: Int64) {
        way = MotionCurve(from: target.way - target.drift * Double(target.frames), to: target.way, leaving: target.drift, arriving: target.drift,
                          frames: Double(target.frames), settling: Self.settling)
        (fromHead, toHead, since) = (target.head, target.head, position)
    }

    /// Heads for another target from where it is at `position`.
    mutating func head(for target: FlightTarget, at position: Int64) {
        let frame = Double(position - since)
        if frame >= way.whole, target.drift == .zero, target.way == way.to, target.head == toHead { return }
        let head = head(at: frame)
        way = MotionCurve(from: way.place(at: frame), to: target.way, leaving: way.velocity(at: frame), arriving: target.drift,
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
package struct FlightTarget: BitwiseCopyable, Sendable {
    /// From the head to the source along the world's axes, in frames of travel.
    package let way: Vector
    /// How fast that changes, per frame.
    package let drift: Vector
    package let head: Rotation
    /// Frames from now, at least 1.
    package let frames: Int

    /// What is not finite counts as nothing, and nothing is farther away than a billion frames or comes faster than sound can tell.
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
