import OssicleCore

/// A source's directivity over frequency: one pattern per sub-band, blended between their centres.
///
/// Gains in dB are interpolated linearly over log frequency and held outside the given centres; nulls count as −60 dB,
/// so that a blend with one stays finite.
package struct Directivity: Sendable, Hashable {
    package struct SubBand: Sendable, Hashable {
        /// Centre in Hz.
        package var frequency: Double
        package var pattern: DirectivityPattern

        package init(frequency: Double, pattern: DirectivityPattern) {
            (self.frequency, self.pattern) = (frequency, pattern)
        }
    }

    /// In ascending frequency.
    package let subBands: [SubBand]
    /// Mean of gain² over all directions: what the source gives to the room, and so the factor of its energy in the
    /// reverb.
    package let meanPower: OctaveBands
    /// For each octave the sub-band below its centre and the share of the next one.
    private let blends: [Blend]

    private struct Blend: Sendable, Hashable {
        var lower: Int
        var share: Double
    }

    package static let omnidirectional = Directivity([])

    /// Sub-bands without a usable centre are left out; none at all is an all-round source.
    package init(_ subBands: [SubBand]) {
        let usable = subBands.filter { $0.frequency.isFinite && $0.frequency > 0 }.sorted {
            $0.frequency < $1.frequency
        }
        self.subBands = usable
        let blends = (0..<OctaveBands.count).map { Directivity.blend(of: OctaveBands.centre($0), in: usable) }
        self.blends = blends
        meanPower = Directivity.meanPower(usable, blends)
    }

    package init(_ pattern: DirectivityPattern) { self.init([SubBand(frequency: 1000, pattern: pattern)]) }

    /// Amplitude factors towards `angle` (radians from the forward axis).
    package func gains(angle: Double) -> OctaveBands { Directivity.gains(subBands, blends, angle: angle) }

    /// Amplitude factors towards a point in the world from a source that looks along its pose's forward axis.
    package func gains(from source: Pose, towards point: Vector) -> OctaveBands {
        guard let direction = (point - source.position).direction else { return gains(angle: 0) }
        return gains(angle: DeterministicMath.acos(direction.dot(source.forward)))
    }

    private static func blend(of frequency: Double, in subBands: [SubBand]) -> Blend {
        guard let upper = subBands.firstIndex(where: { $0.frequency > frequency }) else {
            return Blend(lower: max(subBands.count - 1, 0), share: 0)
        }
        guard upper > 0 else { return Blend(lower: 0, share: 0) }
        let below = DeterministicMath.log2(subBands[upper - 1].frequency)
        let above = DeterministicMath.log2(subBands[upper].frequency)
        return Blend(lower: upper - 1, share: (DeterministicMath.log2(frequency) - below) / (above - below))
    }

    private static func gains(_ subBands: [SubBand], _ blends: [Blend], angle: Double) -> OctaveBands {
        guard !subBands.isEmpty else { return .ones }
        let levels = subBands.map { DeterministicMath.log(max($0.pattern.gain(angle: angle), 1e-3)) }
        var bands = OctaveBands.zeros
        for (band, blend) in blends.enumerated() {
            let lower = levels[blend.lower]
            let level = blend.share > 0 ? lower + (levels[blend.lower + 1] - lower) * blend.share : lower
            bands[band] = Float(DeterministicMath.exp(level))
        }
        return bands
    }

    /// Midpoint rule in the cosine of the angle, over which directions are spread evenly.
    private static func meanPower(_ subBands: [SubBand], _ blends: [Blend]) -> OctaveBands {
        guard !subBands.isEmpty else { return .ones }
        let steps = 256
        var sum = OctaveBands.zeros
        for step in 0..<steps {
            let cosine = 1 - (2 * Double(step) + 1) / Double(steps)
            let gain = gains(subBands, blends, angle: DeterministicMath.acos(cosine))
            sum = sum + gain * gain
        }
        return sum * (1 / Float(steps))
    }
}

/// How loud a source is off its axis, at one frequency.
package enum DirectivityPattern: Sendable, Hashable {
    /// |1 − p + p cos θ|^sharpness: p 0 all-round, 0.5 cardioid, 1 dipole; sharpness ≥ 1.
    case cardioid(pattern: Double, sharpness: Double)
    /// 1 inside the inner cone, `outerGain` outside the outer one, linear in angle between. Angles are full apertures
    /// in degrees, 0…360.
    case cone(innerAngle: Double, outerAngle: Double, outerGain: Double)

    package static let omnidirectional = DirectivityPattern.cardioid(pattern: 0, sharpness: 1)

    /// Amplitude factor, 0…1 (a cone's outer gain may exceed it).
    /// - Parameter angle: from the source's forward axis, radians, 0…π.
    package func gain(angle: Double) -> Double {
        guard angle.isFinite else { return 1 }
        let gain =
            switch self {
            case .cardioid(let pattern, let sharpness): DirectivityPattern.cardioid(pattern, sharpness, angle: angle)
            case .cone(let inner, let outer, let outerGain):
                DirectivityPattern.cone(inner, outer, outerGain: outerGain, angle: angle)
            }
        return gain.isFinite ? max(gain, 0) : 1
    }

    private static func cardioid(_ pattern: Double, _ sharpness: Double, angle: Double) -> Double {
        let p = min(max(pattern, 0), 1)
        let lobe = (1 - p + p * DeterministicMath.cos(angle)).magnitude
        // A cosine's rounding keeps a null from being exactly 0; the table's null is.
        guard lobe > 1e-15 else { return 0 }
        return sharpness == 1 ? lobe : DeterministicMath.pow(lobe, max(sharpness, 1))
    }

    private static func cone(_ inner: Double, _ outer: Double, outerGain: Double, angle: Double) -> Double {
        let degrees = angle.magnitude * 180 / DeterministicMath.pi
        let (from, to) = (inner / 2, max(outer, inner) / 2)
        if degrees <= from { return 1 }
        if degrees >= to { return outerGain }
        return 1 + (outerGain - 1) * (degrees - from) / (to - from)
    }
}
