import OssicleAVFAudio
import OssicleCore
import OssicleCoreAudioTypes
import OssicleSIMD
import OssicleSoundEvents

extension MixerBlueprint.ChannelBed {
    init(_ layout: AVAudioChannelLayout) {
        self.init(layoutTag: layout.layoutTag, labels: ChannelOrder.labels(of: layout.layout))
    }
}

extension Pose {
    /// Axes of a bed turned by `orientation`. A quaternion without a direction (zero or not finite) turns nothing.
    init(orientation: simd_quatf) {
        let vector = SIMD4<Double>(orientation.vector)
        let length = (vector * vector).sum().squareRoot()
        guard length.isFinite, length > 1e-12 else {
            self.init()
            return
        }
        let (axis, real) = (Vector(vector.x, vector.y, vector.z) / length, vector.w / length)
        func turned(_ v: Vector) -> Vector { v + axis.cross(axis.cross(v) + v * real) * 2 }
        self.init(right: turned(Vector(1, 0, 0)), up: turned(Vector(0, 1, 0)), back: turned(Vector(0, 0, 1)))
    }
}
