import OssicleCore

/// How the listener is turned: one state, seen as two directions or as three angles.
///
/// The turns follow one another: yaw about the vertical axis (to the right), pitch about the axis through the ears (up), roll about the
/// line of sight (to the right). What was set is read back as it was set; the other view is worked out.
struct ListenerOrientation: Equatable {
    private(set) var vectors = AVAudio3DVectorOrientation(forward: AVAudio3DVector(x: 0, y: 0, z: -1), up: AVAudio3DVector(x: 0, y: 1, z: 0))
    private(set) var angles = AVAudio3DAngularOrientation()
    private(set) var forward = Vector(0, 0, -1)
    /// At right angles with `forward`.
    private(set) var up = Vector(0, 1, 0)

    var right: Vector { forward.cross(up) }

    /// Any lengths; `up` is straightened. Nothing changes for vectors that have no direction, or the same.
    /// - Returns: whether they could be used.
    mutating func set(_ vectors: AVAudio3DVectorOrientation) -> Bool {
        guard let forward = Vector(vectors.forward).direction,
              let up = Vector(vectors.up).direction.map({ $0 - forward * $0.dot(forward) }), up.magnitude > 1e-6, let upward = up.direction else { return false }
        (self.vectors, self.forward, self.up) = (vectors, forward, upward)
        angles = Self.angles(forward, upward)
        return true
    }

    /// Degrees; angles beyond ±180 are wrapped. Nothing changes for what is not a number.
    /// - Returns: whether they could be used.
    mutating func set(_ angles: AVAudio3DAngularOrientation) -> Bool {
        guard angles.yaw.isFinite, angles.pitch.isFinite, angles.roll.isFinite else { return false }
        self.angles = AVAudio3DAngularOrientation(yaw: Self.wrapped(angles.yaw), pitch: Self.wrapped(angles.pitch), roll: Self.wrapped(angles.roll))
        (forward, up) = Self.directions(self.angles)
        vectors = AVAudio3DVectorOrientation(forward: AVAudio3DVector(forward), up: AVAudio3DVector(up))
        return true
    }

    private static func wrapped(_ degrees: Float) -> Float {
        abs(degrees) <= 180 ? degrees : degrees - 360 * (degrees / 360).rounded()
    }

    private static func directions(_ angles: AVAudio3DAngularOrientation) -> (forward: Vector, up: Vector) {
        let (yaw, pitch, roll) = (turn(angles.yaw), turn(angles.pitch), turn(angles.roll))
        let forward = Vector(yaw.sin * pitch.cos, pitch.sin, -yaw.cos * pitch.cos)
        let right = Vector(yaw.cos, 0, yaw.sin)
        return (forward, right.cross(forward) * roll.cos + right * roll.sin)
    }

    /// Quarter turns are exact.
    private static func turn(_ degrees: Float) -> (sin: Double, cos: Double) {
        switch degrees {
        case 0: (0, 1)
        case 90: (1, 0)
        case -90: (-1, 0)
        case 180, -180: (0, -1)
        default: DeterministicMath.sincos(Double(degrees) * DeterministicMath.pi / 180)
        }
    }

    private static func angles(_ forward: Vector, _ up: Vector) -> AVAudio3DAngularOrientation {
        let pitch = DeterministicMath.asin(min(max(forward.y, -1), 1))
        guard forward.y.magnitude < 1 - 1e-9 else {
            // Straight up or down, yaw and roll turn about the same axis: all of it is called yaw.
            let yaw = forward.y > 0 ? DeterministicMath.atan2(-up.x, up.z) : DeterministicMath.atan2(up.x, -up.z)
            return AVAudio3DAngularOrientation(yaw: degrees(yaw), pitch: degrees(pitch), roll: 0)
        }
        let right = Vector(-forward.z, 0, forward.x).direction ?? Vector(1, 0, 0)
        let roll = DeterministicMath.atan2(up.dot(right), up.dot(right.cross(forward)))
        return AVAudio3DAngularOrientation(yaw: degrees(DeterministicMath.atan2(forward.x, -forward.z)), pitch: degrees(pitch), roll: degrees(roll))
    }

    private static func degrees(_ radians: Double) -> Float { Float(radians * 180 / DeterministicMath.pi) }
}

extension Vector {
    init(_ point: AVAudio3DPoint) { self.init(Double(point.x), Double(point.y), Double(point.z)) }
}

extension AVAudio3DPoint {
    init(_ vector: Vector) { self.init(x: Float(vector.x), y: Float(vector.y), z: Float(vector.z)) }

    var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}
