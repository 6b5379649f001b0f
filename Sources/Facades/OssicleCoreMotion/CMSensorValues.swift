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

/// How far a magnetic field can be trusted.
public enum CMMagneticFieldCalibrationAccuracy: Int32, Sendable {
    /// Not at all: the magnetometer is not calibrated.
    case uncalibrated = -1
    /// A little.
    case low = 0
    /// For most uses.
    case medium = 1
    /// Fully.
    case high = 2
}

/// The magnetic field around the device, without the device's own.
public struct CMCalibratedMagneticField: Sendable {
    /// The field in microtesla.
    public var field: CMMagneticField
    /// How far `field` can be trusted.
    public var accuracy: CMMagneticFieldCalibrationAccuracy

    /// No field, uncalibrated.
    public init() { self.init(field: CMMagneticField(), accuracy: .uncalibrated) }

    /// From both parts.
    public init(field: CMMagneticField, accuracy: CMMagneticFieldCalibrationAccuracy) {
        self.field = field
        self.accuracy = accuracy
    }
}

/// A rotation as a unit quaternion with real part `w`.
public struct CMQuaternion: Sendable {
    /// The axis' x, times the sine of half the angle.
    public var x: Double
    /// The axis' y, times the sine of half the angle.
    public var y: Double
    /// The axis' z, times the sine of half the angle.
    public var z: Double
    /// The real part: the cosine of half the angle.
    public var w: Double

    /// All zero, which is not the identity rotation.
    public init() { self.init(x: 0, y: 0, z: 0, w: 0) }

    /// From its four parts.
    public init(x: Double, y: Double, z: Double, w: Double) { (self.x, self.y, self.z, self.w) = (x, y, z, w) }
}

/// A rotation as three rows of three; `m<row><column>`.
public struct CMRotationMatrix: Sendable {
    /// Row 1, column 1.
    public var m11: Double
    /// Row 1, column 2.
    public var m12: Double
    /// Row 1, column 3.
    public var m13: Double
    /// Row 2, column 1.
    public var m21: Double
    /// Row 2, column 2.
    public var m22: Double
    /// Row 2, column 3.
    public var m23: Double
    /// Row 3, column 1.
    public var m31: Double
    /// Row 3, column 2.
    public var m32: Double
    /// Row 3, column 3.
    public var m33: Double

    /// All zero.
    public init() {
        self.init(m11: 0, m12: 0, m13: 0, m21: 0, m22: 0, m23: 0, m31: 0, m32: 0, m33: 0)
    }

    /// Row by row.
    public init(
        m11: Double, m12: Double, m13: Double, m21: Double, m22: Double, m23: Double, m31: Double, m32: Double,
        m33: Double
    ) {
        (self.m11, self.m12, self.m13) = (m11, m12, m13)
        (self.m21, self.m22, self.m23) = (m21, m22, m23)
        (self.m31, self.m32, self.m33) = (m31, m32, m33)
    }
}
