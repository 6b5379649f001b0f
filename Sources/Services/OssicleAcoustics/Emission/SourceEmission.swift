import OssicleCore

/// Which way a source looks, and how loud it is in each direction.
package struct SourceEmission: Sendable, Hashable {
    /// How loud a source is around its axes.
    package enum Shape: Sendable, Hashable {
        /// The same all around the forward axis.
        case axial(Directivity)
        case balloon(DirectivityBalloon)
    }

    /// The source looks along its forward axis; the position is not used.
    package var pose: Pose
    package var shape: Shape

    package init(pose: Pose, shape: Shape) { (self.pose, self.shape) = (pose, shape) }

    /// Amplitude factors into a direction of the world; 1 ahead, where patterns are 1.
    package func gains(towards direction: Vector) -> OctaveBands {
        guard let unit = direction.direction else { return .ones }
        switch shape {
        case .axial(let directivity): return directivity.gains(angle: DeterministicMath.acos(unit.dot(pose.forward)))
        case .balloon(let balloon): return balloon.gains(towards: pose.components(of: unit))
        }
    }

    /// What reaches a listener of such a source, given what does of one that is the same all around: each path by the
    /// direction it leaves in.
    package func applied(to acoustics: SourceAcoustics) -> SourceAcoustics {
        func applied(_ path: SoundPath) -> SoundPath {
            var path = path
            path.bandGains = path.bandGains * gains(towards: path.departure)
            return path
        }
        var result = acoustics
        result.direct.bandGains = acoustics.direct.bandGains * gains(towards: -acoustics.direct.direction)
        result.diffractions = acoustics.diffractions.map(applied)
        result.reflections = acoustics.reflections.map(applied)
        return result
    }
}

extension Directivity {
    /// |1 − p + p cos θ|^`order` with p by octave band such that the source is that many dB louder ahead than behind:
    /// p = (1 − 10^(−d/20n))/2.
    ///
    /// - Parameters:
    ///   - order: n, 1…20. - frontToBack: d of each band in dB, 0…200; 200 or more is a cardioid with nothing behind.
    package init(order: Double, frontToBack: OctaveBands) {
        let order = order.isFinite ? min(max(order, 1), 20) : 1
        self.init(
            (0..<OctaveBands.count).map { band in
                let level = min(max(Double(frontToBack[band]), 0), 200)
                let behind = level >= 200 ? 0 : Decibels.amplitude(-level / order)
                return SubBand(
                    frequency: OctaveBands.centre(band),
                    pattern: .cardioid(pattern: (1 - behind) / 2, sharpness: order))
            })
    }
}

/// The levels of a measured source over the sphere, on a grid of angles from its forward axis and around it.
///
/// Levels in dB are interpolated linearly between the four nodes around a direction: continuous everywhere, and exact
/// at the nodes.
package struct DirectivityBalloon: Sendable, Hashable {
    /// Degrees between nodes.
    package static let step = 5
    private static let (polar, around) = (180 / step + 1, 360 / step)

    /// dB re ahead, node by node: all angles from the axis of the first meridian, then those of the next.
    private let levels: [OctaveBands]

    /// As little as a source may send, dB re ahead.
    package static let least: Float = -60

    /// - Parameter level: dB into a direction at `polar` degrees from the forward axis, and `around` degrees from up
    ///   towards the source's left. What is below −60 dB, or no number, counts as −60.
    package init(level: (_ polar: Double, _ around: Double) -> OctaveBands) {
        var levels: [OctaveBands] = []
        for meridian in 0..<Self.around {
            for node in 0..<Self.polar {
                // The axis is one direction, whichever meridian leads to it.
                let turn = node == 0 || node == Self.polar - 1 ? 0 : Double(meridian * Self.step)
                levels.append(
                    level(Double(node * Self.step), turn).map {
                        $0.isFinite ? min(max($0, Self.least), 60) : Self.least
                    })
            }
        }
        self.levels = levels
    }

    /// Amplitude factors.
    /// - Parameter direction: unit, along the source's right, up and back.
    package func gains(towards direction: Vector) -> OctaveBands {
        let degrees = 180 / DeterministicMath.pi
        let angle = DeterministicMath.acos(min(max(-direction.z, -1), 1)) * degrees / Double(Self.step)
        let turn = DeterministicMath.atan2(-direction.x, direction.y) * degrees / Double(Self.step)
        guard angle.isFinite, turn.isFinite else { return .ones }
        let node = min(max(Int(angle), 0), Self.polar - 2)
        let whole = turn.rounded(.down)
        let first = (Int(whole) % Self.around + Self.around) % Self.around
        let second = (first + 1) % Self.around
        let (across, along) = (Float(turn - whole), Float(angle - Double(node)))
        func level(_ meridian: Int) -> SIMD16<Float> {
            let start = meridian * Self.polar + node
            return levels[start].lanes * (1 - along) + levels[start + 1].lanes * along
        }
        let sum = OctaveBands(lanes: level(first) * (1 - across) + level(second) * across)
        return sum.map { Float(Decibels.amplitude(Double($0))) }
    }
}
