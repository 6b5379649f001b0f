import Foundation

/// Additions of Ossicle: what takes the place of the device's sensors.
extension CMMotionManager {
    /// Where motion comes from (an addition of Ossicle), as `CMHeadphoneMotionManager.motionSource`. May be changed while updates run.
    public var motionSource: CMHeadphoneMotionManager.MotionSource {
        get { device.motionSource }
        set { device.motionSource = newValue }
    }

    /// Why `motionSource`, or what the environment names, could not be used: nil if nothing is wrong (an addition of Ossicle). Handlers receive it as well.
    public var motionSourceError: CMMotionSourceError? { device.motionSourceError }

    /// Makes the next pose straight ahead: normally the present one (an addition of Ossicle). While updates run from a source.
    public func recentreMotion() { device.recentreMotion() }

    /// One sample from the program itself, with the source `.supplied` (an addition of Ossicle).
    ///
    /// - Parameters:
    ///   - orientation: from the device's coordinates to the frame's (X right, Y ahead, Z up). Passed over if it is no rotation.
    ///   - userAcceleration: beyond gravity, in units of standard gravity, in the device's frame.
    ///   - magneticField: in microtesla, in the device's frame; nil where nothing measures it.
    ///   - timestamp: seconds; later than the sample before. The rotation rate follows from both.
    public func supplyMotion(orientation: CMQuaternion, userAcceleration: CMAcceleration = CMAcceleration(), magneticField: CMMagneticField? = nil,
                             timestamp: TimeInterval) {
        device.supply(orientation, userAcceleration, magneticField, timestamp)
    }
}
