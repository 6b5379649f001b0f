import OssicleCore

/// The shortest way between two points by way of one edge and then another.
struct EdgePair {
    let points: (Vector, Vector)
    let length: Double

    private static let steps = 6

    /// The length is a convex function of the places on both edges: Newton's method finds its least value on the endless edges, and a
    /// place beyond the end of its edge moves to that end.
    init(from start: Vector, _ first: Wedge, _ second: Wedge, to end: Vector) {
        var x = first.shortestPlace(start, second.point(at: second.shortestPlace(start, end)))
        var y = second.shortestPlace(first.point(at: x), end)
        for _ in 0..<EdgePair.steps {
            let (p, q) = (first.start + first.direction * x, second.start + second.direction * y)
            let (a, b, c) = (p - start, q - p, end - q)
            let (la, lb, lc) = (max(a.magnitude, 1e-9), max(b.magnitude, 1e-9), max(c.magnitude, 1e-9))
            // Cosines of the edges against the three parts of the way.
            let (ua, ub) = (first.direction.dot(a) / la, first.direction.dot(b) / lb)
            let (vb, vc) = (second.direction.dot(b) / lb, second.direction.dot(c) / lc)
            let (slopeX, slopeY) = (ua - ub, vb - vc)
            let xx = (1 - ua * ua) / la + (1 - ub * ub) / lb
            let yy = (1 - vb * vb) / lb + (1 - vc * vc) / lc
            let xy = (ub * vb - first.direction.dot(second.direction)) / lb
            let determinant = xx * yy - xy * xy
            guard determinant > 1e-12 * xx * yy else { break }
            let (dx, dy) = ((xy * slopeY - yy * slopeX) / determinant, (xy * slopeX - xx * slopeY) / determinant)
            // No step longer than the way itself: far from the least value the curvature misleads.
            let whole = la + lb + lc
            (x, y) = (x + min(max(dx, -whole), whole), y + min(max(dy, -whole), whole))
        }
        var p = first.point(at: x)
        var q = second.point(at: x.isFinite && y.isFinite ? y : 0)
        if (p - first.start - first.direction * x).lengthSquared > 1e-12 { q = second.point(at: second.shortestPlace(p, end)) }
        if (q - second.start - second.direction * y).lengthSquared > 1e-12 { p = first.point(at: first.shortestPlace(start, q)) }
        points = (p, q)
        length = (p - start).magnitude + (q - p).magnitude + (end - q).magnitude
    }
}
