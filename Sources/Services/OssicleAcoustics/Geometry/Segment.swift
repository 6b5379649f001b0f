import OssicleCore

/// The way from one point to another, prepared for box and triangle tests. Places on it are shares 0…1 of its length.
package struct Segment: Sendable {
    package let start: Vector
    package let delta: Vector
    package let length: Double
    let inverse: Vector
    /// Share of the length that counts as one place.
    ///
    /// A crossing closer than this to an end belongs to what the end stands on and is left out; two crossings of one surface
    /// closer than this are one (a shared edge). 10 µm, more where coordinates are so large that single precision blurs them.
    package let slack: Double

    package init(from start: Vector, to end: Vector) {
        let delta = end - start
        let length = delta.magnitude
        let reach = max(Segment.largest(start), Segment.largest(end))
        self.init(start: start, delta: delta, length: length, slack: length > 0 ? (1e-5 + 1e-7 * reach) / length : 1)
    }

    @inline(__always) private init(start: Vector, delta: Vector, length: Double, slack: Double) {
        (self.start, self.delta, self.length, self.slack) = (start, delta, length, slack)
        inverse = Vector(Segment.reciprocal(delta.x), Segment.reciprocal(delta.y), Segment.reciprocal(delta.z))
    }

    /// False where there is nothing to trace: no length, or an end that is no place.
    package var isTraceable: Bool { length.isFinite && slack < 0.5 }

    /// The same way in the coordinates of an object; shares of the length stay what they are.
    @inline(__always) func inside(_ pose: Pose) -> Segment {
        let shrink = 1 / pose.scale
        let from = start - pose.position
        return Segment(start: Vector(from.dot(pose.right), from.dot(pose.up), from.dot(pose.back)) * shrink,
                       delta: Vector(delta.dot(pose.right), delta.dot(pose.up), delta.dot(pose.back)) * shrink,
                       length: length * shrink.magnitude, slack: slack)
    }

    /// Axis by axis in scalars, which compile to plain minima and maxima; the vector forms do not.
    @inline(__always) func meets(_ lower: Vector, _ upper: Vector) -> Bool {
        let (ax, bx) = ((lower.x - start.x) * inverse.x, (upper.x - start.x) * inverse.x)
        let (ay, by) = ((lower.y - start.y) * inverse.y, (upper.y - start.y) * inverse.y)
        let (az, bz) = ((lower.z - start.z) * inverse.z, (upper.z - start.z) * inverse.z)
        let entry = max(max(min(ax, bx), min(ay, by)), max(min(az, bz), 0))
        let exit = min(min(max(ax, bx), max(ay, by)), min(max(az, bz), 1))
        return entry <= exit
    }

    /// Never infinite, because 0 · ∞ on the face of a box would be no number.
    @inline(__always) private static func reciprocal(_ x: Double) -> Double {
        x.magnitude > 1e-200 ? 1 / x : (x.sign == .minus ? -1e200 : 1e200)
    }

    private static func largest(_ v: Vector) -> Double { max(v.x.magnitude, max(v.y.magnitude, v.z.magnitude)) }
}
