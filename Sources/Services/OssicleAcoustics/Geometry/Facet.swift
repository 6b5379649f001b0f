import OssicleCore

/// One triangle as the ray test wants it (Möller and Trumbore 1997).
struct Facet: BitwiseCopyable, Sendable {
    private(set) var corner: Vector
    private(set) var edge1: Vector
    private(set) var edge2: Vector
    /// Twice the area.
    private(set) var size: Double
    /// Unit, by the winding.
    let normal: Vector
    /// Index in the mesh.
    let triangle: Int32
    let element: Int32
    let piece: Int32
    /// Of the piece, see `MeshGeometry.Piece`.
    let isClosed: Bool
    let outward: Int8
    /// See `inset(among:in:by:)`; infinite until it is asked for.
    var inset = Double.infinity

    /// Rays that slip between two triangles by rounding would open walls; an overlap of a billionth closes them.
    private static let overlap = 1e-9
    /// Sine of the least angle at which a crossing is called clear.
    private static let steep = 0.05

    /// Nil for a triangle that is a line or a point.
    init?(_ mesh: TriangleMesh, _ triangle: Int, _ topology: MeshTopology) {
        let piece = topology.pieces[triangle]
        guard piece >= 0 else { return nil }
        let (a, b, c) = mesh.corners(triangle)
        (corner, edge1, edge2) = (a, b - a, c - a)
        let across = edge1.cross(edge2)
        size = across.magnitude
        normal = across / size
        self.triangle = Int32(clamping: triangle)
        element = mesh.elements[triangle]
        self.piece = piece
        isClosed = topology.isClosed[Int(piece)]
        outward = topology.outward[Int(piece)]
        guard size > 1e-12 * max(edge1.lengthSquared, edge2.lengthSquared) else { return nil }
    }

    /// The same triangle, each side further in by a share of the height over it.
    func shrunk(by inset: Double) -> Facet {
        let scale = 1 - 3 * inset
        var facet = self
        (facet.corner, facet.edge1, facet.edge2) = (corner + (edge1 + edge2) * inset, edge1 * scale, edge2 * scale)
        facet.size = size * scale * scale
        return facet
    }

    /// With the overlap.
    var bounds: Bounds {
        var box = Bounds.empty
        box.include(corner)
        box.include(corner + edge1)
        box.include(corner + edge2)
        return box.widened(by: 4 * Facet.overlap * max(edge1.magnitude, edge2.magnitude))
    }

    /// Whether the triangle may reach into a ball in this box: its plane does, and its box.
    func isIn(_ box: Bounds, around centre: Vector, within radius: Double) -> Bool {
        guard edge1.cross(edge2).dot(centre - corner).magnitude <= radius * size else { return false }
        let bounds = bounds
        return box.overlaps(bounds.lower, bounds.upper)
    }

    /// Where a segment passes through.
    struct Passage: BitwiseCopyable {
        /// Of the segment.
        let share: Double
        let againstNormal: Bool
        /// Whether the segment is steep and no other triangle of the mesh is near, as far as that is known.
        let isClear: Bool
    }

    /// Nil where the segment does not pass through, or only along the plane.
    @inline(__always)
    func crossing(_ segment: Segment) -> Passage? {
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
        return Passage(share: share, againstNormal: determinant > 0,
                       isClear: min(u, v, 1 - u - v) >= inset && determinant.magnitude > Facet.steep * size * segment.length)
    }
}
