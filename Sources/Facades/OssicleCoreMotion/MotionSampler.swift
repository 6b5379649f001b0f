import OssicleHeadTracking

/// Makes samples out of orientations, one after another: how fast the head turns follows from two of them.
struct MotionSampler {
    private var last: (orientation: Rotation, time: Double)?

    mutating func sample(of orientation: Rotation, at time: Double, frame: CMHeadphoneMotionManager.MotionFrame,
                         acceleration: CMAcceleration = CMAcceleration(), field: CMMagneticField? = nil) -> CMDeviceMotion {
        let rate = last.map { $0.orientation.speed(to: orientation, in: time - $0.time) } ?? .zero
        last = (orientation, time)
        return CMDeviceMotion(timestamp: time, attitude: CMAttitude(quaternion: orientation.quaternion(in: frame)), rotationRate: rate.rate(in: frame),
                              userAcceleration: acceleration,
                              magneticField: field.map { CMCalibratedMagneticField(field: $0, accuracy: .high) } ?? CMCalibratedMagneticField())
    }
}

// The head's axes are +X right, +Y up, +Z back; a device's +X right, +Y ahead, +Z up.

extension Rotation {
    /// nil if the quaternion is no rotation.
    init?(device q: CMQuaternion) { self.init(x: q.x, y: q.z, z: -q.y, w: q.w) }

    func quaternion(in frame: CMHeadphoneMotionManager.MotionFrame) -> CMQuaternion {
        switch frame {
        case .device: CMQuaternion(x: vector.x, y: -vector.z, z: vector.y, w: vector.w)
        // `CMAttitude.rotationMatrix` leads from the frame to the device: the inverse of its quaternion.
        case .listener: CMQuaternion(x: -vector.x, y: -vector.y, z: -vector.z, w: vector.w)
        }
    }
}

extension SIMD3<Double> {
    fileprivate func rate(in frame: CMHeadphoneMotionManager.MotionFrame) -> CMRotationRate {
        switch frame {
        case .device: CMRotationRate(x: x, y: -z, z: y)
        case .listener: CMRotationRate(x: x, y: y, z: z)
        }
    }
}
