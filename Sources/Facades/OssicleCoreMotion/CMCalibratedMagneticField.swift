/// How far a magnetic field can be trusted.
public enum CMMagneticFieldCalibrationAccuracy: Int32, Sendable {
    case uncalibrated = -1
    case low = 0
    case medium = 1
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
