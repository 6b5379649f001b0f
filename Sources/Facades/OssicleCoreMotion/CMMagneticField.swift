/// A magnetic field in the frame of the device.
public struct CMMagneticField: Sendable {
    /// Along the device's X axis, in microtesla.
    public var x: Double
    /// Along the device's Y axis, in microtesla.
    public var y: Double
    /// Along the device's Z axis, in microtesla.
    public var z: Double

    /// All zero.
    public init() { self.init(x: 0, y: 0, z: 0) }

    /// From its three components, in microtesla.
    public init(x: Double, y: Double, z: Double) { (self.x, self.y, self.z) = (x, y, z) }
}
