import Kit
import PHASE

/// Who walks where: a phone that moves ahead at 1 m/s and is turned a little on the way, and the head of whoever
/// follows it.
///
///     seconds   phone turns to   head turns, against the phone, to   a radio straight ahead is heard
///     0 … 1          0°                 0°                            in the middle
///     1 … 2.5       30° left           30° right: looks at it still   in the middle
///     2.5 … 4.5     30° left           60° left: looks 90° away       on the right
enum Outing {
    static let (framesPerSecond, seconds) = (60, 4.5)
    static let radio = simd_float3(0, 0, -10)

    static func phone(at time: Double) -> simd_float4x4 {
        simd_float4x4(simd_float3(0, 0, Float(-time)), yaw: Float(glide(time, from: 1, to: 2) * 30 * .pi / 180))
    }

    /// In a listener's axes, against the phone.
    static func head(at time: Double) -> simd_quatd {
        let degrees = -30 * glide(time, from: 1, to: 2) + 90 * glide(time, from: 2.5, to: 3.5)
        return simd_quatd(angle: degrees * .pi / 180, axis: SIMD3(0, 1, 0))
    }

    private static func glide(_ time: Double, from start: Double, to end: Double) -> Double {
        min(max((time - start) / (end - start), 0), 1)
    }
}
