import OssicleCore

extension Facet {
    /// No inset is larger: a triangle of which so much would be left out has no middle.
    private static let largestInset = 0.1

    /// From where on inwards this triangle is alone: the least barycentric coordinate of points to which no other triangle of the mesh comes
    /// closer than `distance`. Infinite where there are none, or where it takes more than a plane to tell the two triangles apart.
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

    /// Whether a plane, along one of the two triangles or upright on a side of one, keeps a part of this one away from the other.
    private func isApart(_ middle: Facet, from other: Facet, by distance: Double) -> Bool {
        middle.isApart(from: other, along: other.normal, by: distance) || middle.isApart(from: other, along: normal, by: distance)
            || middle.isApart(fromSidesOf: other, other, by: distance) || middle.isApart(fromSidesOf: self, other, by: distance)
    }

    private func isApart(fromSidesOf owner: Facet, _ other: Facet, by distance: Double) -> Bool {
        isApart(from: other, along: owner.edge1.cross(owner.normal), by: distance)
            || isApart(from: other, along: owner.edge2.cross(owner.normal), by: distance)
            || isApart(from: other, along: (owner.edge2 - owner.edge1).cross(owner.normal), by: distance)
    }

    private func isApart(from other: Facet, along way: Vector, by distance: Double) -> Bool {
        let (mine, theirs) = (span(along: way), other.span(along: way))
        let gap = max(mine.lower - theirs.upper, theirs.lower - mine.upper)
        return gap > 0 && gap * gap >= distance * distance * way.lengthSquared
    }

    private func span(along way: Vector) -> (lower: Double, upper: Double) {
        let (a, ab, ac) = (corner.dot(way), edge1.dot(way), edge2.dot(way))
        return (a + min(0, ab, ac), a + max(0, ab, ac))
    }
}
