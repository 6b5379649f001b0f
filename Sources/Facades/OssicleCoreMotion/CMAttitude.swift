import Foundation
import OssicleCore
import OssicleSIMD

/// The orientation of a device in a frame whose Z axis points up.
///
/// A turn from the frame's axes to the device's is made of a yaw about Z, then a pitch about the X axis so reached,
/// then a roll about the Y axis so reached: with q the `quaternion`, R(q) = Rz(yaw) Rx(pitch) Ry(roll), which takes the
/// device's coordinates to the frame's. `rotationMatrix` is the way back, as on Apple's devices: it takes the frame's
/// coordinates to the device's, so that gravity felt by the device is its third column, negated. The quaternion's
/// conjugate has that matrix.
open class CMAttitude: NSObject, NSCopying {
    private var orientation: simd_quatd

    /// From a quaternion that takes the device's coordinates to the frame's; normalised, the identity if that is not
    /// possible.
    init(quaternion: CMQuaternion) {
        let given = simd_quatd(ix: quaternion.x, iy: quaternion.y, iz: quaternion.z, r: quaternion.w)
        orientation = given.length.isFinite ? given.normalized : simd_quatd(real: 1, imag: .zero)
    }

    /// From the three angles in radians.
    convenience init(roll: Double, pitch: Double, yaw: Double) {
        let turn =
            simd_quatd(angle: yaw, axis: SIMD3(0, 0, 1)) * simd_quatd(angle: pitch, axis: SIMD3(1, 0, 0))
            * simd_quatd(angle: roll, axis: SIMD3(0, 1, 0))
        self.init(quaternion: CMQuaternion(x: turn.vector.x, y: turn.vector.y, z: turn.vector.z, w: turn.vector.w))
    }

    /// The turn about the device's long axis Y in radians, -pi...pi.
    open var roll: Double {
        let m = rotationMatrix
        return isUpright ? 0 : DeterministicMath.atan2(-m.m13, m.m33)
    }

    /// The turn about the device's lateral axis X in radians, -pi/2...pi/2.
    open var pitch: Double { DeterministicMath.asin(rotationMatrix.m23) }

    /// The turn about the vertical axis Z in radians, -pi...pi.
    ///
    /// Where the pitch is a right angle, yaw and roll turn about one axis; all of that turn is then given as yaw.
    open var yaw: Double {
        let m = rotationMatrix
        return isUpright ? DeterministicMath.atan2(m.m12, m.m11) : DeterministicMath.atan2(-m.m21, m.m22)
    }

    private var isUpright: Bool { rotationMatrix.m23.magnitude > 1 - 1e-12 }

    /// The rotation from the frame's coordinates to the device's.
    open var rotationMatrix: CMRotationMatrix {
        let (x, y, z) = simd_double3x3(orientation).columns
        return CMRotationMatrix(
            m11: x.x, m12: x.y, m13: x.z, m21: y.x, m22: y.y, m23: y.z, m31: z.x, m32: z.y, m33: z.z)
    }

    /// The rotation from the device's coordinates to the frame's.
    open var quaternion: CMQuaternion {
        let q = orientation.vector
        return CMQuaternion(x: q.x, y: q.y, z: q.z, w: q.w)
    }

    /// Makes this attitude relative to another: the turn from that orientation to this one, in the frame of the other.
    open func multiply(byInverseOf attitude: CMAttitude) {
        orientation = (attitude.orientation.conjugate * orientation).normalized
    }

    /// An attitude of its own with the same orientation.
    @discardableResult
    open func copy(with zone: NSZone? = nil) -> Any { CMAttitude(quaternion: quaternion) }
}

/// The frames that an attitude may be given in; Z points up in all of them.
public struct CMAttitudeReferenceFrame: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// X points anywhere in the horizontal plane.
    public static let xArbitraryZVertical = CMAttitudeReferenceFrame(rawValue: 1 << 0)
    /// As `xArbitraryZVertical`, with the drift of yaw corrected.
    public static let xArbitraryCorrectedZVertical = CMAttitudeReferenceFrame(rawValue: 1 << 1)
    /// X points to magnetic north.
    public static let xMagneticNorthZVertical = CMAttitudeReferenceFrame(rawValue: 1 << 2)
    /// X points to true north.
    public static let xTrueNorthZVertical = CMAttitudeReferenceFrame(rawValue: 1 << 3)
}
