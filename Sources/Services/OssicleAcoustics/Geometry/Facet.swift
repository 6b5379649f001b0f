import OssicleCore

/// One triangle as the ray test wants it (Möller and Trumbore 1997).
struct Facet: BitwiseCopyable, Sendable {
    private var places: (corner: Triple, edge1: Triple, edge2: Triple)
    /// Twice the area.
    private(set) var size: Double
    /// See `inset(among:in:by:)`; infinite until it is asked for.
    var inset = Double.infinity
    private let across: Triple
    /// Index in the mesh.
    let triangle: Int32
    let element: Int32
    let piece: Int32
    /// Of the piece, see `MeshGeometry.Piece`.
    let isClosed: Bool
    let outward: Int8

    /// A vector without the room for a fourth number: a facet fills two lines of a cache.
    private struct Triple: BitwiseCopyable {
        private let x, y, z: Double

        @inline(__always) init(_ vector: Vector) { (x, y, z) = (vector.x, vector.y, vector.z) }
        @inline(__always) var vector: Vector { Vector(x, y, z) }
    }

    @inline(__always) var corner: Vector { places.corner.vector }
    @inline(__always) var edge1: Vector { places.edge1.vector }
    @inline(__always) var edge2: Vector { places.edge2.vector }
    /// Unit, by the winding.
    @inline(__always) var normal: Vector { across.vector }

    /// Rays that slip between two triangles by rounding would open walls; an overlap of a billionth closes them.
    private static let overlap = 1e-9
    /// Sine of the least angle at which a crossing is called clear.
    private static let steep = 0.05

    /// Nil for a triangle that is a line or a point.
    init?(_ mesh: TriangleMesh, _ triangle: Int, topology: MeshTopology) {
        let piece = topology.pieces[triangle]
        guard piece >= 0 else { return nil }
        let (a, b, c) = mesh.corners(triangle)
        let (edge1, edge2) = (b - a, c - a)
        places = (Triple(a), Triple(edge1), Triple(edge2))
        let across = edge1.cross(edge2)
        size = across.magnitude
        self.across = Triple(across / size)
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
        facet.places = (
            Triple(corner + (edge1 + edge2) * inset), Triple(edge1 * scale), Triple(edge2 * scale)
        )
        facet.size = size * scale * scale
        return facet
    }

    var corners: [Vector] { [corner, corner + edge1, corner + edge2] }

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
        return Passage(
            share: share, againstNormal: determinant > 0,
            isClear: min(u, v, 1 - u - v) >= inset && determinant.magnitude > Facet.steep * size * segment.length)
    }
}

extension Facet {
    /// No inset is larger: a triangle of which so much would be left out has no middle.
    private static let largestInset = 0.1

    /// From where on inwards this triangle is alone: the least barycentric coordinate of points to which no other
    /// triangle of the mesh comes closer than `distance`. Infinite where there are none, or where it takes more than a
    /// plane to tell the two triangles apart.
    func inset(among others: UnsafePointer<Facet>, in tree: BoxTree.View, by distance: Double) -> Double {
        let height = size / max(edge1.magnitude, edge2.magnitude, (edge2 - edge1).magnitude)
        let inset = 2 * distance / height
        guard inset <= Facet.largestInset else { return .infinity }
        let middle = shrunk(by: inset)
        let near = bounds.widened(by: distance)
        let isCrowded = tree.search({ near.overlaps($0, $1) }) { place in
            others[place].triangle != triangle && !isApart(middle, from: others[place], by: distance)
        }
        return isCrowded ? .infinity : inset
    }

    /// Whether a plane, along one of the two triangles or upright on a side of one, keeps a part of this one away from
    /// the other.
    private func isApart(_ middle: Facet, from other: Facet, by distance: Double) -> Bool {
        middle.isApart(from: other, along: other.normal, by: distance)
            || middle.isApart(from: other, along: normal, by: distance)
            || middle.isApart(fromSidesOf: other, other, by: distance)
            || middle.isApart(fromSidesOf: self, other, by: distance)
    }

    private func isApart(fromSidesOf owner: Facet, _ other: Facet, by distance: Double) -> Bool {
        isApart(from: other, along: owner.edge1.cross(owner.normal), by: distance)
            || isApart(from: other, along: owner.edge2.cross(owner.normal), by: distance)
            || isApart(from: other, along: (owner.edge2 - owner.edge1).cross(owner.normal), by: distance)
    }

    private func isApart(from other: Facet, along axis: Vector, by distance: Double) -> Bool {
        let (mine, theirs) = (span(along: axis), other.span(along: axis))
        let gap = max(mine.lower - theirs.upper, theirs.lower - mine.upper)
        return gap > 0 && gap * gap >= distance * distance * axis.lengthSquared
    }

    private func span(along axis: Vector) -> (lower: Double, upper: Double) {
        let (a, ab, ac) = (corner.dot(axis), edge1.dot(axis), edge2.dot(axis))
        return (a + min(0, ab, ac), a + max(0, ab, ac))
    }
}

extension Facet {
    /// Square of the distance from a point to the nearest place of the triangle (Ericson, Real-Time Collision
    /// Detection, 2005, section 5.1.5).
    @inline(__always)
    func squaredDistance(to point: Vector) -> Double {
        let p = point - corner
        let (d1, d2) = (edge1.dot(p), edge2.dot(p))
        if d1 <= 0, d2 <= 0 { return p.lengthSquared }
        let (a, b, c) = (edge1.lengthSquared, edge1.dot(edge2), edge2.lengthSquared)
        let (d3, d4) = (d1 - a, d2 - b)
        if d3 >= 0, d4 <= d3 { return (p - edge1).lengthSquared }
        let (d5, d6) = (d1 - b, d2 - c)
        if d6 >= 0, d5 <= d6 { return (p - edge2).lengthSquared }
        let alongFirst = d1 * d4 - d3 * d2
        if alongFirst <= 0, d1 >= 0, d3 <= 0 { return (p - edge1 * (d1 / (d1 - d3))).lengthSquared }
        let alongSecond = d5 * d2 - d1 * d6
        if alongSecond <= 0, d2 >= 0, d6 <= 0 { return (p - edge2 * (d2 / (d2 - d6))).lengthSquared }
        let opposite = d3 * d6 - d5 * d4
        let (fromFirst, fromSecond) = (d4 - d3, d5 - d6)
        if opposite <= 0, fromFirst >= 0, fromSecond >= 0 {
            let share = fromFirst / (fromFirst + fromSecond)
            return (p - edge1 - (edge2 - edge1) * share).lengthSquared
        }
        let height = p.dot(edge1.cross(edge2)) / size
        return height * height
    }
}
