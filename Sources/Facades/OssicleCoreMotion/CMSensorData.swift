import Foundation

/// A sample of the accelerometer.
open class CMAccelerometerData: CMLogItem {
    /// Gravity and the device's own acceleration together, in units of standard gravity, in the frame of the device.
    public let acceleration: CMAcceleration

    package init(_ motion: CMDeviceMotion) {
        let (gravity, user) = (motion.gravity, motion.userAcceleration)
        acceleration = CMAcceleration(x: gravity.x + user.x, y: gravity.y + user.y, z: gravity.z + user.z)
        super.init(timestamp: motion.timestamp)
    }
}

/// A sample of the gyroscope.
open class CMGyroData: CMLogItem {
    /// Radians per second about the device's axes.
    public let rotationRate: CMRotationRate

    package init(_ motion: CMDeviceMotion) {
        rotationRate = motion.rotationRate
        super.init(timestamp: motion.timestamp)
    }
}

/// A sample of the magnetometer.
open class CMMagnetometerData: CMLogItem {
    /// Microtesla along the device's axes.
    public let magneticField: CMMagneticField

    /// Nil where nothing measured a field.
    package init?(_ motion: CMDeviceMotion) {
        guard motion.magneticField.accuracy != .uncalibrated else { return nil }
        magneticField = motion.magneticField.field
        super.init(timestamp: motion.timestamp)
    }
}

/// Receives a sample of one sensor, or the reason why there is none.
public typealias CMAccelerometerHandler = (CMAccelerometerData?, (any Error)?) -> Void
public typealias CMGyroHandler = (CMGyroData?, (any Error)?) -> Void
public typealias CMMagnetometerHandler = (CMMagnetometerData?, (any Error)?) -> Void
