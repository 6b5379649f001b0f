import OssicleCore

/// A way prepared for tests of boxes, each the meeting of three slabs (Kay and Kajiya 1986).
struct Slabs: BitwiseCopyable {
    private let start: Vector
    private let inverse: Vector

    @inline(__always) init(_ way: Segment) {
        start = way.start
        inverse = Vector(Slabs.reciprocal(way.delta.x), Slabs.reciprocal(way.delta.y), Slabs.reciprocal(way.delta.z))
    }

    @inline(__always) func meet(_ lower: Vector, _ upper: Vector, before reach: Double) -> Bool {
        let span = span(lower, upper, before: reach)
        return span.entry <= span.exit
    }

    /// Where the way is within a box, up to `reach`; the entry behind the exit where it is not.
    ///
    /// Axis by axis in scalars, which compile to plain minima and maxima; the vector forms do not.
    @inline(__always) func span(_ lower: Vector, _ upper: Vector, before reach: Double) -> (entry: Double, exit: Double) {
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
