import OssicleCore

/// An axis-aligned box. The empty box is larger than nothing: `lower` at +∞, `upper` at −∞.
package struct Bounds: BitwiseCopyable, Sendable, Hashable {
    package var lower: Vector
    package var upper: Vector

    package static let empty = Bounds(lower: Vector(repeating: .infinity), upper: Vector(repeating: -.infinity))

    package var isEmpty: Bool { !(lower.x <= upper.x && lower.y <= upper.y && lower.z <= upper.z) }
    package var centre: Vector { (lower + upper) * 0.5 }
    package var extent: Vector { upper - lower }

    /// Whether another box lies within this one and is not the same.
    func contains(_ other: Bounds) -> Bool {
        self != other && pointwiseMin(lower, other.lower) == lower && pointwiseMax(upper, other.upper) == upper
    }

    @inline(__always) func overlaps(_ lower: Vector, _ upper: Vector) -> Bool {
        self.lower.x <= upper.x && self.lower.y <= upper.y && self.lower.z <= upper.z
            && self.upper.x >= lower.x && self.upper.y >= lower.y && self.upper.z >= lower.z
    }

    /// Half the surface, the measure of how often a random ray meets the box.
    var halfArea: Double {
        let e = extent
        return e.x * e.y + e.y * e.z + e.z * e.x
    }

    @inline(__always) package mutating func include(_ point: Vector) { include(Bounds(lower: point, upper: point)) }

    @inline(__always) package mutating func include(_ other: Bounds) {
        lower = Vector(min(lower.x, other.lower.x), min(lower.y, other.lower.y), min(lower.z, other.lower.z))
        upper = Vector(max(upper.x, other.upper.x), max(upper.y, other.upper.y), max(upper.z, other.upper.z))
    }

    /// Grown by a hair, so that a flat box still has an inside and a ray along its face meets it.
    var grown: Bounds {
        let reach = pointwiseMax(
            lower.replacing(with: -lower, where: lower .< .zero), upper.replacing(with: -upper, where: upper .< .zero))
        let hair = reach * 1e-9 + 1e-12
        return Bounds(lower: lower - hair, upper: upper + hair)
    }
}

extension Bounds {
    func widened(by margin: Double) -> Bounds { Bounds(lower: lower - margin, upper: upper + margin) }

    var corners: [Vector] {
        (0..<8).map { corner in
            Vector(
                corner & 1 == 0 ? lower.x : upper.x, corner & 2 == 0 ? lower.y : upper.y,
                corner & 4 == 0 ? lower.z : upper.z)
        }
    }

    /// The box around this one's corners in the world.
    func placed(by pose: Pose) -> Bounds {
        corners.reduce(into: Bounds.empty) { $0.include(pose.toWorld($1)) }
    }

    /// Whether another box, given by its corners, touches this one.
    @inline(__always)
    func meets(_ low: Vector, _ high: Vector) -> Bool {
        low.x <= upper.x && low.y <= upper.y && low.z <= upper.z && high.x >= lower.x && high.y >= lower.y
            && high.z >= lower.z
    }

    @inline(__always) func holds(_ point: Vector) -> Bool { meets(point, point) }
}

/// A segment prepared for tests of boxes, each the meeting of three slabs (Kay and Kajiya 1986).
struct Slabs: BitwiseCopyable {
    private let start: Vector
    private let inverse: Vector

    @inline(__always) init(_ segment: Segment) {
        start = segment.start
        inverse = Vector(
            Slabs.reciprocal(segment.delta.x), Slabs.reciprocal(segment.delta.y), Slabs.reciprocal(segment.delta.z))
    }

    @inline(__always) func meet(_ lower: Vector, _ upper: Vector, before reach: Double) -> Bool {
        let span = span(lower, upper, before: reach)
        return span.entry <= span.exit
    }

    /// Where the segment is within a box, up to `reach`; the entry behind the exit where it is not.
    ///
    /// Axis by axis in scalars, which compile to plain minima and maxima; the vector forms do not.
    @inline(__always) func span(_ lower: Vector, _ upper: Vector, before reach: Double) -> (entry: Double, exit: Double)
    {
        let (ax, bx) = ((lower.x - start.x) * inverse.x, (upper.x - start.x) * inverse.x)
        let (ay, by) = ((lower.y - start.y) * inverse.y, (upper.y - start.y) * inverse.y)
        let (az, bz) = ((lower.z - start.z) * inverse.z, (upper.z - start.z) * inverse.z)
        let entry = max(max(min(ax, bx), min(ay, by)), max(min(az, bz), 0))
        let exit = min(min(max(ax, bx), max(ay, by)), min(max(az, bz), reach))
        return (entry, exit)
    }

    /// Never infinite, because 0 · ∞ on the face of a box would be no number.
    @inline(__always) private static func reciprocal(_ x: Double) -> Double {
        x.magnitude > 1e-200 ? 1 / x : (x.sign == .minus ? -1e200 : 1e200)
    }
}
