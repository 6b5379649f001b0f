import OssicleCore

/// How the triangles of one placed mesh are found. All searches give the same bits: they may differ in which triangles they look at,
/// but `Facet.crossing` decides.
package protocol MeshSearch {
    // The ways are in the mesh's own coordinates.
    static func findNearest(in mesh: UnsafePointer<PlacedMesh>, _ way: Segment, _ nearest: inout NearestCrossing)
    static func isBlocked(by mesh: UnsafePointer<PlacedMesh>, _ way: Segment) -> Bool
    /// In any order.
    static func findCrossings(of mesh: UnsafePointer<PlacedMesh>, _ way: Segment, into crossings: inout [Crossing])
}

/// Traces on two levels: a tree over the placed meshes, and in each mesh the way in its own coordinates.
package struct MeshTracer<Search: MeshSearch>: RayTracer {
    package let scene: AcousticScene
    /// What `scene` keeps alive, without references to count on each ray.
    private let top: PlacedMeshes.View

    package init(_ scene: AcousticScene) {
        self.scene = scene
        top = scene.placed.view
    }

    @_specialize(where Search == SceneSearch)
    package func isBlocked(from start: Vector, to end: Vector, leaving ground: Ground) -> Bool {
        let way = Segment(from: start, to: end, leaving: ground)
        guard way.isTraceable else { return false }
        if let mesh = top.only { return Search.isBlocked(by: mesh, mesh.pointee.local(way)) }
        return top.search(way) { Search.isBlocked(by: $0, $1) }
    }

    @_specialize(where Search == SceneSearch)
    package func nearestHit(from start: Vector, towards direction: Vector, within reach: Double, leaving ground: Ground) -> Hit? {
        let way = Segment(from: start, towards: direction, within: reach, leaving: ground)
        guard way.isTraceable else { return nil }
        var nearest = NearestCrossing(within: way.limit)
        if let mesh = top.only { Search.findNearest(in: mesh, mesh.pointee.local(way), &nearest) } else { findNearest(way, &nearest) }
        return nearest.hit(on: way)
    }

    @inline(never)
    private func findNearest(_ way: Segment, _ nearest: inout NearestCrossing) {
        top.searchInOrder(way, { nearest.share }) { Search.findNearest(in: $0, $1, &nearest) }
    }

    @_specialize(where Search == SceneSearch)
    package func findCrossings(from start: Vector, to end: Vector, into crossings: inout [Crossing]) {
        if !crossings.isEmpty { crossings.removeAll(keepingCapacity: true) }
        let way = Segment(from: start, to: end)
        guard way.isTraceable else { return }
        if let mesh = top.only { Search.findCrossings(of: mesh, mesh.pointee.local(way), into: &crossings) } else { findCrossings(way, &crossings) }
        guard crossings.count > 1 else { return }
        crossings.sortAlongWay()
        crossings.mergeSharedEdges(within: way.slack)
    }

    @inline(never)
    private func findCrossings(_ way: Segment, _ crossings: inout [Crossing]) {
        _ = top.search(way) { mesh, local in
            Search.findCrossings(of: mesh, local, into: &crossings)
            return false
        }
    }
}
