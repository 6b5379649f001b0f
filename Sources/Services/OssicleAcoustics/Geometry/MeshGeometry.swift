import OssicleCore

/// A mesh made ready for rays: its triangles in a tree, and what is solid about it. Immutable; made once, shared by all
/// who place it.
package final class MeshGeometry: @unchecked Sendable {
    /// Without the triangles that lie further from the mesh's origin than `reach`.
    package let mesh: TriangleMesh
    /// The closed and open pieces of the mesh, see `Piece`.
    package let pieces: [Piece]
    /// Piece of each triangle; −1 for triangles that are a line or a point, which no ray meets.
    package let pieceOfTriangle: [Int32]
    let tree: BoxTree
    /// The same for bundles of rays.
    let wideTree: WideTree
    /// In the tree's order. Written in `init` only, which is what makes sharing it safe.
    let facets: UnsafePointer<Facet>
    let edgeCache = EdgeCache()
    #if SystemLibraries
    /// Nil where the tree serves as well, or has to.
    let embree: EmbreeMesh?
    /// Nil for what is not convex.
    let shell: ConvexShell?
    #endif

    /// Coordinates beyond this (10 000 km in metres) are a mistake, and their squares would drown everything else.
    package static let reach = 1e7

    package struct Piece: Sendable, Hashable {
        /// Whether the piece closes around a volume.
        package let isClosed: Bool
        /// +1 where the normals look out of the solid, −1 where they look in, 0 where the winding tells nothing.
        package let outward: Int8
    }

    package init(_ given: TriangleMesh) {
        let mesh = MeshGeometry.withinReach(given)
        let topology = MeshTopology(mesh)
        let facets = mesh.triangles.indices.compactMap { Facet(mesh, $0, topology: topology) }
        let tree = BoxTree(facets.map(\.bounds), leafSize: WideTree.width)
        self.mesh = mesh
        pieces = zip(topology.isClosed, topology.outward).map { Piece(isClosed: $0, outward: $1) }
        pieceOfTriangle = topology.pieces
        self.tree = tree
        let ordered = CacheLine.copy(tree.order.map { facets[Int($0)] })
        self.facets = UnsafePointer(ordered)
        wideTree = WideTree(tree.view, bounds: tree.bounds, facets: ordered)
        #if SystemLibraries
        let all = UnsafeBufferPointer(start: ordered, count: facets.count)
        shell = ConvexShell(all, tree.bounds, pieceCount: pieces.count)
        embree = EmbreeMesh(all, tree.bounds, shell: shell)
        if let clearance = embree?.view.pointee.clearance {
            for place in facets.indices {
                ordered[place].inset = ordered[place].inset(among: ordered, in: tree.view, by: clearance)
            }
        }
        #endif
    }

    deinit { facets.deallocate() }

    /// Bounds of the triangles a ray can meet; empty where there is none.
    package var bounds: Bounds { tree.bounds }

    private static func withinReach(_ mesh: TriangleMesh) -> TriangleMesh {
        func isNear(_ v: Vector) -> Bool { max(v.x.magnitude, max(v.y.magnitude, v.z.magnitude)) <= reach }
        if mesh.vertices.allSatisfy(isNear) { return mesh }
        let kept = mesh.triangles.indices.filter { index in
            let (a, b, c) = mesh.corners(index)
            return isNear(a) && isNear(b) && isNear(c)
        }
        return TriangleMesh(
            vertices: mesh.vertices.map { isNear($0) ? $0 : .zero }, triangles: kept.map { mesh.triangles[$0] },
            elements: kept.map { mesh.elements[$0] }, elementCount: mesh.elementCount)
    }
}

extension MeshGeometry {
    /// Whether every piece closes around a volume, so that there is an inside.
    package var isClosed: Bool { !pieces.isEmpty && pieces.allSatisfy(\.isClosed) }

    /// Metres (of the mesh) from a point to the border of what the mesh encloses, negative within; +∞ for a mesh
    /// without surface.
    ///
    /// Every piece encloses all that lies within it, whichever way it is wound: a room between two shells is inside,
    /// and so is a table in it. Within several pieces the distance is that to the farthest of their borders, a lower
    /// bound where they overlap.
    /// - Parameter reach: what is further counts as this far, which saves looking for it.
    package func signedDistance(to point: Vector, within reach: Double = .infinity) -> Double {
        let around = piecesAround(point)
        guard !around.isEmpty else { return nearestFacet(to: point, within: reach) { _ in true }.squareRoot() }
        return -(around.map { piece in nearestFacet(to: point, within: reach) { $0.piece == piece } }.max() ?? 0)
            .squareRoot()
    }

    /// Whether a point is within any closed piece.
    func encloses(_ point: Vector) -> Bool { !piecesAround(point).isEmpty }

    /// Metres (of the mesh) from a point to the surface, whatever it encloses; `reach` for all that is further, +∞ for
    /// a mesh without surface.
    func distance(to point: Vector, within reach: Double) -> Double {
        nearestFacet(to: point, within: reach) { _ in true }.squareRoot()
    }

    /// Square of the distance to the nearest of the facets that count, at most that of `reach`.
    private func nearestFacet(to point: Vector, within reach: Double, where counts: (Facet) -> Bool) -> Double {
        guard !tree.order.isEmpty else { return .infinity }
        var nearest = reach * reach
        // A few facets from all over the mesh give the walk a first bound.
        for place in stride(from: 0, to: tree.order.count, by: max(tree.order.count / 32, 1))
        where counts(facets[place]) {
            nearest = min(nearest, facets[place].squaredDistance(to: point))
        }
        _ = tree.view.search({ Bounds(lower: $0, upper: $1).squaredDistance(to: point) < nearest }) { place in
            if counts(facets[place]) { nearest = min(nearest, facets[place].squaredDistance(to: point)) }
            return false
        }
        return nearest
    }

    /// The closed pieces a point lies within, by number: those that two of three rays to the far outside cross an odd
    /// number of times. Three, because one may run through an edge and count it twice.
    func piecesAround(_ point: Vector) -> [Int32] {
        let box = bounds
        guard !box.isEmpty, box.squaredDistance(to: point) == 0 else { return [] }
        var votes: [Int32: Int] = [:]
        for direction in MeshGeometry.waysOut {
            let segment = Segment(from: point, to: point + direction * (2 * box.extent.magnitude + 1))
            var odd: Set<Int32> = []
            _ = tree.view.search(segment) { place in
                let facet = facets[place]
                if facet.isClosed, facet.crossing(segment) != nil { odd.formSymmetricDifference([facet.piece]) }
                return false
            }
            for piece in odd { votes[piece, default: 0] += 1 }
        }
        return votes.filter { $0.value > 1 }.keys.sorted()
    }

    /// Along no edge that anybody would draw.
    private static let waysOut = [
        Vector(0.7416198, 0.3605551, 0.5656854), Vector(-0.4358899, 0.8062258, 0.4),
        Vector(0.2449490, -0.5196152, -0.8185353),
    ]
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
