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
