/// An acceleration in the frame of the device.
public struct CMAcceleration: Sendable {
    /// Along the device's X axis, in units of standard gravity.
    public var x: Double
    /// Along the device's Y axis, in units of standard gravity.
    public var y: Double
    /// Along the device's Z axis, in units of standard gravity.
    public var z: Double

    /// All zero.
    public init() { self.init(x: 0, y: 0, z: 0) }

    /// From its three components, in units of standard gravity.
    public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}
