import OssicleCore

/// One triangle as the ray test wants it (Möller and Trumbore 1997).
struct Facet: BitwiseCopyable, Sendable {
    let corner: Vector
    let edge1: Vector
    let edge2: Vector
    /// Twice the area.
    let size: Double
    /// Index in the mesh.
    let triangle: Int32
    let element: Int32
    let piece: Int32
    /// Of the piece, see `MeshGeometry.Piece`.
    let isClosed: Bool
    let outward: Int8

    /// Rays that slip between two triangles by rounding would open walls; an overlap of a billionth closes them.
    private static let overlap = 1e-9

    /// Nil for a triangle that is a line or a point.
    init?(_ mesh: TriangleMesh, _ triangle: Int, _ topology: MeshTopology) {
        let piece = topology.pieces[triangle]
        guard piece >= 0 else { return nil }
        let (a, b, c) = mesh.corners(triangle)
        (corner, edge1, edge2) = (a, b - a, c - a)
        size = edge1.cross(edge2).magnitude
        self.triangle = Int32(clamping: triangle)
        element = mesh.elements[triangle]
        self.piece = piece
        isClosed = topology.isClosed[Int(piece)]
        outward = topology.outward[Int(piece)]
        guard size > 1e-12 * max(edge1.lengthSquared, edge2.lengthSquared) else { return nil }
    }

    var bounds: Bounds {
        var box = Bounds.empty
        box.include(corner)
        box.include(corner + edge1)
        box.include(corner + edge2)
        return box
    }

    /// Whether the triangle may reach into a ball in this box: its plane does, and its box.
    func isIn(_ box: Bounds, around centre: Vector, within radius: Double) -> Bool {
        guard edge1.cross(edge2).dot(centre - corner).magnitude <= radius * size else { return false }
        let bounds = bounds
        return box.overlaps(bounds.lower, bounds.upper)
    }

    /// Where the segment passes through, as a share of it, and whether against the winding's normal. Nil where it does not,
    /// or only along the plane.
    @inline(__always)
    func crossing(_ segment: Segment) -> (share: Double, againstNormal: Bool)? {
        let p = segment.delta.cross(edge2)
        let determinant = edge1.dot(p)
        guard determinant.magnitude > 1e-10 * size * segment.length else { return nil }
        let inverse = 1 / determinant
        let s = segment.start - corner
        let u = s.dot(p) * inverse
        guard u >= -Facet.overlap, u <= 1 + Facet.overlap else { return nil }
        let q = s.cross(edge1)
        let v = segment.delta.dot(q) * inverse
        guard v >= -Facet.overlap, u + v <= 1 + Facet.overlap else { return nil }
        let share = edge2.dot(q) * inverse
        guard share > segment.slack, share < segment.limit else { return nil }
        return (share, determinant > 0)
    }
}
