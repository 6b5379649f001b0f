import CoreMotion
import Kit
import PHASE

/// Headphones that play back a motion log, sample by sample, as fast as the picture is drawn.
///
/// A log can be a source of its own, `motionSource = .recording(url)`; it then goes by the clock on the wall. This walk
/// renders faster than that, and hands over each sample when its time has come.
struct Headphones {
    private let manager = CMHeadphoneMotionManager()

    init() {
        manager.motionSource = .supplied
        manager.motionFrame = .listener
        manager.startDeviceMotionUpdates()
    }

    /// What an AR app polls in each frame of its picture: the head's turn, as a transform.
    var pose: simd_float4x4? {
        guard let m = manager.deviceMotion?.attitude.rotationMatrix else { return nil }
        return simd_float4x4(
            columns: (
                column(m.m11, m.m21, m.m31), column(m.m12, m.m22, m.m32), column(m.m13, m.m23, m.m33),
                simd_float4(0, 0, 0, 1)
            ))
    }

    private func column(_ x: Double, _ y: Double, _ z: Double) -> simd_float4 {
        simd_float4(Float(x), Float(y), Float(z), 0)
    }

    /// The headphones' own axes are X right, Y ahead, Z up.
    func supply(_ orientation: simd_quatd, at time: Double) {
        let q = orientation.vector
        manager.supplyMotion(orientation: CMQuaternion(x: q.x, y: -q.z, z: q.y, w: q.w), timestamp: time)
    }
}
