import OssicleCore

/// How a head is turned and where it is, relative to where it looked straight ahead: right-handed, +X right, +Y up, −Z
/// ahead.
package struct HeadPose: Hashable, Sendable {
    package var orientation: Rotation
    /// Metres.
    package var position: SIMD3<Double>
    /// Seconds on the source's clock.
    package var time: Double

    package init(orientation: Rotation = .identity, position: SIMD3<Double> = .zero, time: Double = 0) {
        (self.orientation, self.position, self.time) = (orientation, position, time)
    }

    /// Further than this from where it started, in metres, is no head.
    package static let farthest = 10_000.0

    /// This pose as seen from a head that was in pose `origin`: the same pose gives the identity.
    package func relative(to origin: HeadPose) -> HeadPose {
        let back = origin.orientation.inverse
        return HeadPose(
            orientation: back.then(orientation), position: back.turned(position - origin.position), time: time)
    }

    /// Between this pose (0) and `next` (1): along the shortest turn and a straight line.
    func towards(_ next: HeadPose, _ fraction: Double) -> HeadPose {
        HeadPose(
            orientation: orientation.interpolated(to: next.orientation, fraction),
            position: position + (next.position - position) * fraction,
            time: time + (next.time - time) * fraction)
    }
}

extension Rotation {
    /// The constant speed of turning that leads from `self` to `next` in `seconds`, in rad/s about the axes of the head
    /// itself.
    package func speed(to next: Rotation, in seconds: Double) -> Vector {
        seconds > 0 ? inverse.then(next).vector / seconds : .zero
    }
}

/// The three angles of a head: turned to the left, up, and with the left ear down where they are positive.
package enum HeadAngle: Int, CaseIterable, Hashable, Sendable {
    case yaw
    case pitch
    case roll
}

/// What is known of a head by its three angles, one after another.
struct HeadAngles {
    /// Degrees; yaw, pitch, roll.
    private var degrees = SIMD3<Double>.zero

    subscript(angle: HeadAngle) -> Double {
        get { degrees[angle.rawValue] }
        set { degrees[angle.rawValue] = newValue }
    }

    var rotation: Rotation {
        let radians = degrees * (.pi / 180)
        return Rotation(yaw: radians.x, pitch: radians.y, roll: radians.z)
    }

    /// More turns than this are no angle.
    static let largest = 36_000.0
}

/// The axes a sender gives its numbers in, each as a direction in the head's axes (+X right, +Y up, +Z back).
struct SenderFrame {
    let x: SIMD3<Double>
    let y: SIMD3<Double>
    let z: SIMD3<Double>
    /// A left-handed frame counts turns the other way round.
    let isLeftHanded: Bool

    private static let (right, up, back) = (SIMD3<Double>(1, 0, 0), SIMD3<Double>(0, 1, 0), SIMD3<Double>(0, 0, 1))

    /// X ahead, Y left, Z up: Ambisonics (IEM, SPARTA, ambiX).
    static let ambisonic = SenderFrame(x: -back, y: -right, z: up, isLeftHanded: false)
    /// X right, Y up, Z ahead, left-handed: Unity.
    static let unity = SenderFrame(x: right, y: up, z: -back, isLeftHanded: true)
    /// X left, Y up, Z back, left-handed: opentrack.
    static let opentrack = SenderFrame(x: -right, y: up, z: back, isLeftHanded: true)
    /// X right, Y back, Z down: the first of the frames hedrot offers.
    static let hedrot = SenderFrame(x: right, y: back, z: -up, isLeftHanded: false)

    func position(_ p: SIMD3<Double>) -> SIMD3<Double> { x * p.x + y * p.y + z * p.z }

    /// nil if the parts are no rotation.
    func rotation(w: Double, _ imaginary: SIMD3<Double>) -> Rotation? {
        let axis = position(imaginary) * (isLeftHanded ? -1 : 1)
        return Rotation(x: axis.x, y: axis.y, z: axis.z, w: w)
    }
}
