import OssicleCore

extension MeshGeometry {
    /// Whether every piece closes around a volume, so that there is an inside.
    package var isClosed: Bool { !pieces.isEmpty && pieces.allSatisfy(\.isClosed) }

    /// Metres (of the mesh) from a point to the border of what the mesh encloses, negative within; +∞ for a mesh without surface.
    ///
    /// Every piece encloses all that lies within it, whichever way it is wound: a room between two shells is inside, and so is a table in it. Within
    /// several pieces the distance is that to the farthest of their borders, a lower bound where they overlap.
    /// - Parameter reach: what is further counts as this far, which saves looking for it.
    package func signedDistance(to point: Vector, within reach: Double = .infinity) -> Double {
        let around = piecesAround(point)
        guard !around.isEmpty else { return nearestFacet(to: point, within: reach) { _ in true }.squareRoot() }
        return -(around.map { piece in nearestFacet(to: point, within: reach) { $0.piece == piece } }.max() ?? 0).squareRoot()
    }

    /// Metres (of the mesh) from a point to the surface, whatever it encloses; `reach` for all that is further, +∞ for a mesh without surface.
    func distance(to point: Vector, within reach: Double) -> Double { nearestFacet(to: point, within: reach) { _ in true }.squareRoot() }

    /// Square of the distance to the nearest of the facets that count, at most that of `reach`.
    private func nearestFacet(to point: Vector, within reach: Double, where counts: (Facet) -> Bool) -> Double {
        guard !tree.order.isEmpty else { return .infinity }
        var nearest = reach * reach
        // A few facets from all over the mesh give the walk a first bound.
        for place in stride(from: 0, to: tree.order.count, by: max(tree.order.count / 32, 1)) where counts(facets[place]) {
            nearest = min(nearest, facets[place].squaredDistance(to: point))
        }
        _ = tree.view.search({ Bounds(lower: $0, upper: $1).squaredDistance(to: point) < nearest }) { place in
            if counts(facets[place]) { nearest = min(nearest, facets[place].squaredDistance(to: point)) }
            return false
        }
        return nearest
    }

    /// The closed pieces a point lies within, by number: those that two of three rays to the far outside cross an odd number of times. Three, because
    /// one may run through an edge and count it twice.
    private func piecesAround(_ point: Vector) -> [Int32] {
        let box = bounds
        guard !box.isEmpty, box.squaredDistance(to: point) == 0 else { return [] }
        var votes: [Int32: Int] = [:]
        for direction in MeshGeometry.waysOut {
            let way = Segment(from: point, to: point + direction * (2 * box.extent.magnitude + 1))
            var odd: Set<Int32> = []
            _ = tree.view.search(way) { place in
                let facet = facets[place]
                if facet.isClosed, facet.crossing(way) != nil { odd.formSymmetricDifference([facet.piece]) }
                return false
            }
            for piece in odd { votes[piece, default: 0] += 1 }
        }
        return votes.filter { $0.value > 1 }.keys.sorted()
    }

    /// Along no edge that anybody would draw.
    private static let waysOut = [Vector(0.7416198, 0.3605551, 0.5656854), Vector(-0.4358899, 0.8062258, 0.4),
                                  Vector(0.2449490, -0.5196152, -0.8185353)]
}

extension Bounds {
    /// Square of the distance from a point to the box; 0 within.
    @inline(__always)
    func squaredDistance(to point: Vector) -> Double {
        let x = max(lower.x - point.x, point.x - upper.x, 0)
        let y = max(lower.y - point.y, point.y - upper.y, 0)
        let z = max(lower.z - point.z, point.z - upper.z, 0)
        return x * x + y * y + z * z
    }
}
