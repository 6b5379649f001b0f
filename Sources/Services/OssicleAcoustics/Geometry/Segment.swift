import OssicleCore

/// A straight line between two points. Places on it are shares of `delta`.
package struct Segment: BitwiseCopyable, Sendable {
    package let start: Vector
    package let delta: Vector
    /// Of `delta`.
    package let length: Double
    /// Share that counts as one place.
    ///
    /// A crossing closer than this to an end belongs to what the end stands on and is left out; two crossings of one
    /// surface closer than this are one (a shared edge). 10 µm, more where coordinates are so large that single
    /// precision blurs them.
    package let slack: Double
    /// Share where the segment ends.
    let limit: Double
    let ground: Ground

    /// From one point to another: shares 0…1.
    @inline(__always) package init(from start: Vector, to end: Vector, leaving ground: Ground = .unknown) {
        let delta = end - start
        let length = delta.magnitude
        let reach = max(Segment.largest(start), Segment.largest(end))
        let slack = length > 0 ? (1e-5 + 1e-7 * reach) / length : 1
        self.init(start: start, delta: delta, length: length, slack: slack, limit: 1 - slack, ground: ground)
    }

    /// Along a unit vector: shares are metres. What lies at the far end counts.
    ///
    /// The slack is a tenth of that between points: rays start where earlier ones ended, to the last bit, and in the
    /// corner of a room one wall is nearly as close as the other.
    @inline(__always) package init(
        from start: Vector, towards direction: Vector, within reach: Double, leaving ground: Ground = .unknown
    ) {
        let isUnit = (direction.lengthSquared - 1).magnitude < 1e-6
        self.init(
            start: start, delta: direction, length: isUnit ? 1 : .nan, slack: 1e-6 + 1e-7 * Segment.largest(start),
            limit: reach,
            ground: ground)
    }

    @inline(__always) private init(
        start: Vector, delta: Vector, length: Double, slack: Double, limit: Double, ground: Ground
    ) {
        (self.start, self.delta, self.length, self.slack, self.limit, self.ground) = (
            start, delta, length, slack, limit, ground
        )
    }

    /// False where there is nothing to trace: no length, or an end that is no place.
    @inline(__always) package var isTraceable: Bool { length.isFinite && limit.isFinite && slack < limit }

    /// The same segment in the coordinates of an object; shares of the length stay what they are.
    /// - Parameter shrink: 1/scale of the pose.
    @inline(__always) func inside(_ pose: Pose, shrink: Double) -> Segment {
        let from = start - pose.position
        return Segment(
            start: Vector(from.dot(pose.right), from.dot(pose.up), from.dot(pose.back)) * shrink,
            delta: Vector(delta.dot(pose.right), delta.dot(pose.up), delta.dot(pose.back)) * shrink,
            length: length * shrink.magnitude, slack: slack, limit: limit, ground: ground)
    }

    @inline(__always) private static func largest(_ v: Vector) -> Double {
        max(v.x.magnitude, max(v.y.magnitude, v.z.magnitude))
    }
}

/// What a segment starts on: an occluder with nothing else of its mesh near, which then need not be looked for.
package struct Ground: BitwiseCopyable, Sendable, Hashable {
    /// Index in the scene's occluders.
    let occluder: Int32

    /// Some place in the air, or one that other surfaces may touch.
    package static let unknown = Ground(occluder: -1)

    @inline(__always) func isOn(_ occluder: Int32) -> Bool { self.occluder == occluder }
}
