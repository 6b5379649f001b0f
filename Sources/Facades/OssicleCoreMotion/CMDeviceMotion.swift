import Foundation

/// A sample with the time it was taken at.
open class CMLogItem: NSObject {
    /// Seconds since the device started.
    public let timestamp: TimeInterval

    init(timestamp: TimeInterval) {
        self.timestamp = timestamp
    }
}

/// What a device knows of its motion at one moment.
open class CMDeviceMotion: CMLogItem {
    /// Where on the body a sensor sits.
    public enum SensorLocation: Int, Sendable {
        /// The device itself, or not known.
        case `default` = 0
        /// The left part of headphones.
        case headphoneLeft = 1
        /// The right part of headphones.
        case headphoneRight = 2
    }

    /// The orientation.
    public let attitude: CMAttitude
    /// The speed of turning in radians per second.
    public let rotationRate: CMRotationRate
    /// The direction of gravity in the frame of the device; its length is 1.
    public let gravity: CMAcceleration
    /// The acceleration beyond gravity, in units of standard gravity.
    public let userAcceleration: CMAcceleration
    /// The magnetic field; uncalibrated where nothing measures it.
    public let magneticField: CMCalibratedMagneticField
    /// Degrees from the reference direction, 0..<360; negative where there is none.
    public let heading: Double
    /// Where the sensor sits.
    public let sensorLocation: SensorLocation

    /// A sample; gravity follows from the attitude.
    init(
        timestamp: TimeInterval, attitude: CMAttitude, rotationRate: CMRotationRate = CMRotationRate(),
        userAcceleration: CMAcceleration = CMAcceleration(),
        magneticField: CMCalibratedMagneticField = CMCalibratedMagneticField(),
        heading: Double = -1, sensorLocation: SensorLocation = .default
    ) {
        let matrix = attitude.rotationMatrix
        self.attitude = attitude
        self.rotationRate = rotationRate
        self.gravity = CMAcceleration(x: -matrix.m13, y: -matrix.m23, z: -matrix.m33)
        self.userAcceleration = userAcceleration
        self.magneticField = magneticField
        self.heading = heading
        self.sensorLocation = sensorLocation
        super.init(timestamp: timestamp)
    }
}

/// Receives a sample, or the reason why there is none.
public typealias CMDeviceMotionHandler = (CMDeviceMotion?, (any Error)?) -> Void

/// A sample of the accelerometer.
open class CMAccelerometerData: CMLogItem {
    /// Gravity and the device's own acceleration together, in units of standard gravity, in the frame of the device.
    public let acceleration: CMAcceleration

    init(_ motion: CMDeviceMotion) {
        let (gravity, user) = (motion.gravity, motion.userAcceleration)
        acceleration = CMAcceleration(x: gravity.x + user.x, y: gravity.y + user.y, z: gravity.z + user.z)
        super.init(timestamp: motion.timestamp)
    }
}

/// A sample of the gyroscope.
open class CMGyroData: CMLogItem {
    /// Radians per second about the device's axes.
    public let rotationRate: CMRotationRate

    init(_ motion: CMDeviceMotion) {
        rotationRate = motion.rotationRate
        super.init(timestamp: motion.timestamp)
    }
}

/// A sample of the magnetometer.
open class CMMagnetometerData: CMLogItem {
    /// Microtesla along the device's axes.
    public let magneticField: CMMagneticField

    /// Nil where nothing measured a field.
    init?(_ motion: CMDeviceMotion) {
        guard motion.magneticField.accuracy != .uncalibrated else { return nil }
        magneticField = motion.magneticField.field
        super.init(timestamp: motion.timestamp)
    }
}

/// Receives a sample of one sensor, or the reason why there is none.
public typealias CMAccelerometerHandler = (CMAccelerometerData?, (any Error)?) -> Void
/// Receives a sample of the gyroscope, or the reason why there is none.
public typealias CMGyroHandler = (CMGyroData?, (any Error)?) -> Void
/// Receives a sample of the magnetometer, or the reason why there is none.
public typealias CMMagnetometerHandler = (CMMagnetometerData?, (any Error)?) -> Void
