import OssicleCore

/// The listener's orientation: one state, seen as two directions or as three angles.
///
/// The rotations follow one another: yaw about the vertical axis (to the right), pitch about the axis through the ears
/// (up), roll about the line of sight (to the right). What was set is read back as it was set; the other view is
/// computed.
package struct ListenerOrientation: Equatable, Sendable {
    /// Degrees.
    package struct Angles: Equatable, Sendable {
        package var yaw: Float
        package var pitch: Float
        package var roll: Float

        package init(yaw: Float = 0, pitch: Float = 0, roll: Float = 0) {
            self.yaw = yaw
            self.pitch = pitch
            self.roll = roll
        }
    }

    /// Any lengths.
    package struct Vectors: Equatable, Sendable {
        package var forward: SIMD3<Float>
        package var up: SIMD3<Float>

        package init(forward: SIMD3<Float>, up: SIMD3<Float>) {
            self.forward = forward
            self.up = up
        }
    }

    package private(set) var vectors = Vectors(forward: SIMD3(0, 0, -1), up: SIMD3(0, 1, 0))
    package private(set) var angles = Angles()
    /// Unit vector.
    private(set) var forward = Vector(0, 0, -1)
    /// Unit vector perpendicular to `forward`.
    private(set) var up = Vector(0, 1, 0)

    var right: Vector { forward.cross(up) }

    package init() {}

    /// Makes `up` perpendicular to `forward`. Vectors without a direction, and parallel ones, change nothing.
    /// - Returns: whether they could be used.
    package mutating func set(_ vectors: Vectors) -> Bool {
        guard let forward = Vector(vectors.forward).direction,
            let up = Vector(vectors.up).direction.map({ $0 - forward * $0.dot(forward) }), up.magnitude > 1e-6,
            let upward = up.direction
        else { return false }
        (self.vectors, self.forward, self.up) = (vectors, forward, upward)
        angles = Self.angles(forward, upward)
        return true
    }

    /// Wraps angles beyond ±180°. NaN and infinity change nothing.
    /// - Returns: whether they could be used.
    package mutating func set(_ angles: Angles) -> Bool {
        guard angles.yaw.isFinite, angles.pitch.isFinite, angles.roll.isFinite else { return false }
        self.angles = Angles(
            yaw: Self.wrapped(angles.yaw), pitch: Self.wrapped(angles.pitch), roll: Self.wrapped(angles.roll))
        (forward, up) = Self.directions(self.angles)
        vectors = Vectors(forward: SIMD3<Float>(forward), up: SIMD3<Float>(up))
        return true
    }

    private static func wrapped(_ degrees: Float) -> Float {
        abs(degrees) <= 180 ? degrees : degrees - 360 * (degrees / 360).rounded()
    }

    private static func directions(_ angles: Angles) -> (forward: Vector, up: Vector) {
        let (yaw, pitch, roll) = (sincos(angles.yaw), sincos(angles.pitch), sincos(angles.roll))
        let forward = Vector(yaw.sin * pitch.cos, pitch.sin, -yaw.cos * pitch.cos)
        let right = Vector(yaw.cos, 0, yaw.sin)
        return (forward, right.cross(forward) * roll.cos + right * roll.sin)
    }

    /// Of an angle in degrees; exact for multiples of 90°.
    private static func sincos(_ degrees: Float) -> (sin: Double, cos: Double) {
        switch degrees {
        case 0: (0, 1)
        case 90: (1, 0)
        case -90: (-1, 0)
        case 180, -180: (0, -1)
        default: DeterministicMath.sincos(Double(degrees) * DeterministicMath.pi / 180)
        }
    }

    private static func angles(_ forward: Vector, _ up: Vector) -> Angles {
        let pitch = DeterministicMath.asin(min(max(forward.y, -1), 1))
        guard forward.y.magnitude < 1 - 1e-9 else {
            // At the poles yaw and roll rotate about the same axis: all of it is called yaw.
            let yaw = forward.y > 0 ? DeterministicMath.atan2(-up.x, up.z) : DeterministicMath.atan2(up.x, -up.z)
            return Angles(yaw: degrees(yaw), pitch: degrees(pitch), roll: 0)
        }
        let right = Vector(-forward.z, 0, forward.x).direction ?? Vector(1, 0, 0)
        let roll = DeterministicMath.atan2(up.dot(right), up.dot(right.cross(forward)))
        return Angles(
            yaw: degrees(DeterministicMath.atan2(forward.x, -forward.z)), pitch: degrees(pitch), roll: degrees(roll))
    }

    private static func degrees(_ radians: Double) -> Float { Float(radians * 180 / DeterministicMath.pi) }
}
