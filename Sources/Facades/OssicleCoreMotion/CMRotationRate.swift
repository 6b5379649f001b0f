/// How fast the device turns about its axes, by the right-hand rule.
public struct CMRotationRate: Sendable {
    /// About the device's X axis, in radians per second.
    public var x: Double
    /// About the device's Y axis, in radians per second.
    public var y: Double
    /// About the device's Z axis, in radians per second.
    public var z: Double

    /// All zero.
    public init() { self.init(x: 0, y: 0, z: 0) }

    /// From its three components, in radians per second.
    public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}
