import OssicleAcoustics
import OssicleCore

/// One wave front at a listener: when, how loud in each band, where from.
struct Arrival: Sendable, Hashable {
    /// From emission.
    var seconds: Double
    /// Amplitude re the pulse at 1 m: walls, edges, air and distance.
    var gains: OctaveBands
    /// Unit, in the world, from the listener to where the sound comes from.
    var direction: Vector

    /// Nearer than this the level grows no more, metres.
    private static let nearest = 0.01

    private init?(length: Double, levelDistance: Double, bandGains: OctaveBands, direction: Vector, medium: Medium) {
        guard length.isFinite, levelDistance.isFinite, length >= 0 else { return nil }
        let gains = bandGains * medium.gains(distance: length) * Float(1 / max(levelDistance, Arrival.nearest))
        guard gains.values.allSatisfy(\.isFinite), gains.values.contains(where: { $0 > 0 }) else { return nil }
        (seconds, self.gains, self.direction) = (length / medium.speedOfSound, gains, direction.direction ?? Vector(0, 0, -1))
    }

    /// All that arrives, the straight way first.
    static func all(of acoustics: SourceAcoustics, in medium: Medium) -> [Arrival] {
        let direct = acoustics.direct
        let straight = Arrival(length: direct.centreDistance, levelDistance: direct.effectiveDistance, bandGains: direct.bandGains,
                               direction: direct.direction, medium: medium)
        let others = (acoustics.diffractions + acoustics.reflections).map {
            Arrival(length: $0.length, levelDistance: $0.length, bandGains: $0.bandGains, direction: $0.arrival, medium: medium)
        }
        return ([straight] + others).compactMap(\.self)
    }
}
