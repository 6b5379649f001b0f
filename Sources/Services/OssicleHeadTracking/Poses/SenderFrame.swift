/// The axes a sender gives its numbers in, each as a direction in the head's axes (+X right, +Y up, +Z back).
struct SenderFrame {
    let x: SIMD3<Double>
    let y: SIMD3<Double>
    let z: SIMD3<Double>
    /// A left-handed frame counts turns the other way round.
    let isLeftHanded: Bool

    private static let (right, up, back) = (SIMD3<Double>(1, 0, 0), SIMD3<Double>(0, 1, 0), SIMD3<Double>(0, 0, 1))

    /// X ahead, Y left, Z up: Ambisonics (IEM, SPARTA, ambiX).
    static let ambisonic = SenderFrame(x: -back, y: -right, z: up, isLeftHanded: false)
    /// X right, Y up, Z ahead, left-handed: Unity.
    static let unity = SenderFrame(x: right, y: up, z: -back, isLeftHanded: true)
    /// X left, Y up, Z back, left-handed: opentrack.
    static let opentrack = SenderFrame(x: -right, y: up, z: back, isLeftHanded: true)
    /// X right, Y back, Z down: the first of the frames hedrot offers.
    static let hedrot = SenderFrame(x: right, y: back, z: -up, isLeftHanded: false)

    func position(_ p: SIMD3<Double>) -> SIMD3<Double> { x * p.x + y * p.y + z * p.z }

    /// nil if the parts are no rotation.
    func rotation(w: Double, _ imaginary: SIMD3<Double>) -> Rotation? {
        let axis = position(imaginary) * (isLeftHanded ? -1 : 1)
        return Rotation(x: axis.x, y: axis.y, z: axis.z, w: w)
    }
}
