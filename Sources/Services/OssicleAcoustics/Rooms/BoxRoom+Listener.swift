import OssicleCore

extension BoxRoom {
    /// A room of no particular place: the box stands around the listener and moves along.
    ///
    /// The listener stands off the middle, as one does, so that no two walls answer at once, with the ears at 1.6 m or at 0.4 of a lower room.
    /// A source beyond a wall pushes that wall out, half a metre behind itself: an echo never comes before the sound.
    ///
    /// - Parameters:
    ///   - size: metres, along x, y (up) and z.
    ///   - wall: amplitude factor of one reflection.
    package init(around listener: Vector, source: Vector, size: Vector, wall: OctaveBands) {
        let before = Vector(size.x * 0.46, min(1.6, size.y * 0.4), size.z * 0.57)
        let low = pointwiseMin(listener - before, source - BoxRoom.clearance)
        let high = pointwiseMax(listener - before + size, source + BoxRoom.clearance)
        self.init(corner: low, size: high - low, walls: [OctaveBands](repeating: wall, count: 6))
    }

    /// Metres between a source and a wall it would otherwise stand behind.
    private static let clearance = Vector(repeating: 0.5)

    /// What one reflection leaves where sound decays by 60 dB in `t60` seconds and meets a wall every `meanFreeTime` seconds: 10^(−3 τ/T).
    package static func wall(t60: OctaveBands, meanFreeTime: Double) -> OctaveBands {
        t60.map { $0 > 0 ? Float(DeterministicMath.pow(10, -3 * meanFreeTime / Double($0))) : 0 }
    }
}
