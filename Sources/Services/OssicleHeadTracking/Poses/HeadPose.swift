import OssicleCore

/// How a head is turned and where it is, relative to where it looked straight ahead: right-handed, +X right, +Y up, −Z ahead.
package struct HeadPose: Hashable, Sendable {
    package var orientation: Rotation
    /// Metres.
    package var position: SIMD3<Double>
    /// Seconds on the source's clock.
    package var time: Double

    package init(orientation: Rotation = .identity, position: SIMD3<Double> = .zero, time: Double = 0) {
        (self.orientation, self.position, self.time) = (orientation, position, time)
    }

    /// Further than this from where it started, in metres, is no head.
    package static let farthest = 10_000.0

    /// This pose as seen from a head that was in pose `origin`: the same pose gives the identity.
    package func relative(to origin: HeadPose) -> HeadPose {
        let back = origin.orientation.inverse
        return HeadPose(orientation: (back * orientation).normalized, position: back.turn(position - origin.position), time: time)
    }

    /// Between this pose (0) and `next` (1): along the shortest turn and a straight line.
    func towards(_ next: HeadPose, _ fraction: Double) -> HeadPose {
        HeadPose(orientation: orientation.towards(next.orientation, fraction), position: position + (next.position - position) * fraction,
                 time: time + (next.time - time) * fraction)
    }
}
