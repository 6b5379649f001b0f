import OssicleCore

/// A mesh made ready for rays: its triangles in a tree, and what is solid about it. Immutable; made once, shared by all who place it.
package final class MeshGeometry: @unchecked Sendable {
    /// Without the triangles that lie further from the mesh's origin than `reach`.
    package let mesh: TriangleMesh
    /// The closed and open pieces of the mesh, see `Piece`.
    package let pieces: [Piece]
    /// Piece of each triangle; −1 for triangles that are a line or a point, which no ray meets.
    package let pieceOfTriangle: [Int32]
    let tree: BoxTree
    /// In the tree's order. Written in `init` only, which is what makes sharing it safe.
    let facets: UnsafePointer<Facet>
    let edgeCache = EdgeCache()
    #if Embree
    /// Nil where the tree serves as well, or has to.
    let embree: EmbreeMesh?
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
        let facets = mesh.triangles.indices.compactMap { Facet(mesh, $0, topology) }
        let tree = BoxTree(facets.map(\.bounds))
        self.mesh = mesh
        pieces = zip(topology.isClosed, topology.outward).map { Piece(isClosed: $0, outward: $1) }
        pieceOfTriangle = topology.pieces
        self.tree = tree
        let ordered = UnsafeMutablePointer<Facet>.allocate(capacity: max(facets.count, 1))
        for (place, facet) in tree.order.enumerated() { (ordered + place).initialize(to: facets[Int(facet)]) }
        self.facets = UnsafePointer(ordered)
        #if Embree
        embree = EmbreeMesh(UnsafeBufferPointer(start: ordered, count: facets.count), tree.bounds)
        if let clearance = embree?.view.pointee.clearance {
            for place in facets.indices { ordered[place].inset = ordered[place].inset(among: ordered, in: tree.view, by: clearance) }
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
        return TriangleMesh(vertices: mesh.vertices.map { isNear($0) ? $0 : .zero }, triangles: kept.map { mesh.triangles[$0] },
                            elements: kept.map { mesh.elements[$0] }, elementCount: mesh.elementCount)
    }
}
