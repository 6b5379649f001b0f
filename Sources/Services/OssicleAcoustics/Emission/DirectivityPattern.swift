import OssicleCore

/// How loud a source is off its axis, at one frequency.
package enum DirectivityPattern: Sendable, Hashable {
    /// |1 − p + p cos θ|^sharpness: p 0 all-round, 0.5 cardioid, 1 dipole; sharpness ≥ 1.
    case cardioid(pattern: Double, sharpness: Double)
    /// 1 inside the inner cone, `outerGain` outside the outer one, linear in angle between. Angles are full apertures in degrees, 0…360.
    case cone(innerAngle: Double, outerAngle: Double, outerGain: Double)

    package static let omnidirectional = DirectivityPattern.cardioid(pattern: 0, sharpness: 1)

    /// Amplitude factor, 0…1 (a cone's outer gain may exceed it).
    /// - Parameter angle: from the source's forward axis, radians, 0…π.
    package func gain(angle: Double) -> Double {
        guard angle.isFinite else { return 1 }
        let gain = switch self {
        case .cardioid(let pattern, let sharpness): DirectivityPattern.cardioid(pattern, sharpness, angle)
        case .cone(let inner, let outer, let outerGain): DirectivityPattern.cone(inner, outer, outerGain, angle)
        }
        return gain.isFinite ? max(gain, 0) : 1
    }

    private static func cardioid(_ pattern: Double, _ sharpness: Double, _ angle: Double) -> Double {
        let p = min(max(pattern, 0), 1)
        let lobe = (1 - p + p * DeterministicMath.cos(angle)).magnitude
        // A cosine's rounding keeps a null from being exactly 0; the table's null is.
        guard lobe > 1e-15 else { return 0 }
        return sharpness == 1 ? lobe : DeterministicMath.pow(lobe, max(sharpness, 1))
    }

    private static func cone(_ inner: Double, _ outer: Double, _ outerGain: Double, _ angle: Double) -> Double {
        let degrees = angle.magnitude * 180 / DeterministicMath.pi
        let (from, to) = (inner / 2, max(outer, inner) / 2)
        if degrees <= from { return 1 }
        if degrees >= to { return outerGain }
        return 1 + (outerGain - 1) * (degrees - from) / (to - from)
    }
}
