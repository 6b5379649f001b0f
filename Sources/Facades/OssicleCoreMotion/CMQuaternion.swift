/// A rotation as a unit quaternion with real part `w`.
public struct CMQuaternion: Sendable {
    public var x: Double
    public var y: Double
    public var z: Double
    public var w: Double

    /// All zero, which is not the identity rotation.
    public init() { self.init(x: 0, y: 0, z: 0, w: 0) }

    /// From its four parts.
    public init(x: Double, y: Double, z: Double, w: Double) { (self.x, self.y, self.z, self.w) = (x, y, z, w) }
}
