import OssicleCore

/// How the triangles of one placed mesh are found. All searches give the same bits: they may differ in which triangles
/// they look at, but `Facet.crossing` decides.
package protocol MeshSearch {
    // The segments are in the mesh's own coordinates.
    static func findNearest(in mesh: UnsafePointer<PlacedMesh>, _ segment: Segment, nearest: inout NearestCrossing)
    static func isBlocked(by mesh: UnsafePointer<PlacedMesh>, _ segment: Segment) -> Bool
    /// In any order.
    static func findCrossings(of mesh: UnsafePointer<PlacedMesh>, _ segment: Segment, into crossings: inout [Crossing])
}

/// Traces on two levels: a tree over the placed meshes, and in each mesh the segment in its own coordinates.
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
        let segment = Segment(from: start, to: end, leaving: ground)
        guard segment.isTraceable else { return false }
        if let mesh = top.only { return Search.isBlocked(by: mesh, mesh.pointee.local(segment)) }
        return top.search(segment) { Search.isBlocked(by: $0, $1) }
    }

    @_specialize(where Search == SceneSearch)
    package func isBlocked(from start: Vector, to end: Vector, leavingOut isLeftOut: [Bool]) -> Bool {
        let segment = Segment(from: start, to: end)
        guard segment.isTraceable else { return false }
        return top.search(segment) { !isLeftOut[Int($0.pointee.occluder)] && Search.isBlocked(by: $0, $1) }
    }

    @_specialize(where Search == SceneSearch)
    package func nearestHit(
        from start: Vector, towards direction: Vector, within reach: Double, leaving ground: Ground
    ) -> Hit? {
        let segment = Segment(from: start, towards: direction, within: reach, leaving: ground)
        guard segment.isTraceable else { return nil }
        var nearest = NearestCrossing(within: segment.limit)
        if let mesh = top.only {
            Search.findNearest(in: mesh, mesh.pointee.local(segment), nearest: &nearest)
        } else {
            findNearest(segment, &nearest)
        }
        return nearest.hit(on: segment)
    }

    @inline(never)
    private func findNearest(_ segment: Segment, _ nearest: inout NearestCrossing) {
        top.searchInOrder(segment, { nearest.share }) { Search.findNearest(in: $0, $1, nearest: &nearest) }
    }

    @_specialize(where Search == SceneSearch)
    package func findCrossings(from start: Vector, to end: Vector, into crossings: inout [Crossing]) {
        if !crossings.isEmpty { crossings.removeAll(keepingCapacity: true) }
        let segment = Segment(from: start, to: end)
        guard segment.isTraceable else { return }
        if let mesh = top.only {
            Search.findCrossings(of: mesh, mesh.pointee.local(segment), into: &crossings)
        } else {
            findCrossings(segment, &crossings)
        }
        crossings.settle(within: segment.slack)
    }

    package func findCrossings(
        from start: Vector, to ends: [Vector], within beam: Beam, into bundle: inout BundleCrossings
    ) {
        bundle.begin(from: start, to: ends)
        if let mesh = top.only { return bundle.add(BundleSearch(mesh: mesh, box: nil)) }
        top.searchAll(beam) { bundle.add(BundleSearch(mesh: $0, box: $1)) }
    }

    @_specialize(where Search == SceneSearch)
    package func areBlocked(from start: Vector, to ends: [Vector], within beam: Beam) -> [Bool] {
        if let obstacles = fewObstacles(of: beam) {
            return ends.map { obstacles.areCrossed(from: start, to: $0) }
        }
        var sight = BundleSight(from: start, to: ends)
        if let mesh = top.only {
            sight.add(BundleSearch(mesh: mesh, box: nil))
        } else {
            top.searchAll(beam) { sight.add(BundleSearch(mesh: $0, box: $1)) }
        }
        return sight.isBlocked
    }

    @_specialize(where Search == SceneSearch)
    package func fewObstacles(of beam: Beam) -> BeamObstacles? {
        // In a large mesh the search for few triangles takes as long as that for all rays, and mostly fails.
        if let mesh = top.only, mesh.pointee.wide.nodeCount > BeamObstacles.mostNodes { return nil }
        return obstacles(of: beam, atMost: BeamObstacles.most)
    }

    @_specialize(where Search == SceneSearch)
    package func obstacles(of beam: Beam, atMost most: Int) -> BeamObstacles? {
        var obstacles = BeamObstacles()
        return top.search(beam) { obstacles.add($0, beam, most: most) } ? nil : obstacles
    }

    @inline(never)
    private func findCrossings(_ segment: Segment, _ crossings: inout [Crossing]) {
        _ = top.search(segment) { mesh, local in
            Search.findCrossings(of: mesh, local, into: &crossings)
            return false
        }
    }
}

/// The tracer to use unless there is a reason for another. The answers are the same.
package typealias SceneTracer = MeshTracer<SceneSearch>

/// Embree where it is built in, plain Swift elsewhere.
#if SystemLibraries
package typealias SceneSearch = EmbreeSearch
#else
package typealias SceneSearch = TreeSearch
#endif
