#if SystemLibraries
import CEmbree
import OssicleCore

/// Lets Embree (Wald et al. 2014) find the triangles and `Facet` decide: the bits of the portable search, several times
/// faster in large meshes.
///
/// The nearest triangle Embree names is the nearest one in truth where `Facet` finds the segment clear there: then no
/// other is near enough for rounding to change their order. Anywhere else, and for all other questions, `Facet` is
/// asked about each triangle from inside Embree's own search.
///
/// In a convex room neither is asked for the walls: `ConvexShell` names the triangle where a ray from inside leaves,
/// and `Facet` decides. Embree then looks for what stands in the room without them, where a ray comes near any of it.
///
/// The tree is searched where Embree does not hold the mesh, and where a segment passes so close to an edge that Embree
/// may take one triangle there and miss the next, which it sees edge-on.
package enum EmbreeSearch: MeshSearch {
    @inline(__always)
    package static func findNearest(
        in mesh: UnsafePointer<PlacedMesh>, _ segment: Segment, nearest: inout NearestCrossing
    ) {
        var isInside = false
        if let shell = mesh.pointee.shell, let (facet, passage) = shell.pointee.exit(of: segment) {
            _ = nearest.take(passage, mesh, facet: facet)
            if shell.pointee.isEmpty { return }
            isInside = true
        }
        guard let embree = mesh.pointee.embree,
            let ray = EmbreeRay(
                segment, embree, leaves: segment.ground.isOn(mesh.pointee.occluder), before: nearest.share)
        else {
            return TreeSearch.findNearest(in: mesh, segment, nearest: &nearest)
        }
        var scene = embree.pointee.scene
        if isInside, let inside = embree.pointee.inside {
            guard ray.mayMeet(inside.boxes) else { return }
            scene = inside.scene
        }
        var context = ossicle_embree_context(filter: nil)
        var found = ray.asHit
        ossicle_embree_intersect(scene, &context, &found)
        guard found.hit.geomID != .max else { return }
        let facet = mesh.pointee.facets + Int(found.hit.primID)
        if let passage = facet.pointee.crossing(segment), passage.isClear {
            _ = nearest.take(passage, mesh, facet: facet)
        } else {
            findNearestClosely(in: mesh, embree, scene, segment: segment, ray: ray, nearest: &nearest)
        }
    }

    /// Looks at every triangle near the nearest.
    @inline(never)
    private static func findNearestClosely(
        in mesh: UnsafePointer<PlacedMesh>, _ embree: UnsafePointer<EmbreeMesh.View>, _ scene: RTCScene,
        segment: Segment, ray: EmbreeRay, nearest: inout NearestCrossing
    ) {
        var found = ray.asHit
        let isClose = withUnsafeMutablePointer(to: &nearest) { nearest in
            EmbreeQuery.run(
                mesh, embree, segment: segment, filter: takeNearest, result: UnsafeMutableRawPointer(nearest)
            ) {
                ossicle_embree_intersect(scene, $0, &found)
            }
        }
        if isClose { TreeSearch.findNearest(in: mesh, segment, nearest: &nearest) }
    }

    @inline(__always)
    package static func isBlocked(by mesh: UnsafePointer<PlacedMesh>, _ segment: Segment) -> Bool {
        var isInside = false
        if let shell = mesh.pointee.shell, shell.pointee.contains(segment) {
            if shell.pointee.isEmpty { return false }
            isInside = true
        }
        guard let embree = mesh.pointee.embree,
            let ray = EmbreeRay(
                segment, embree, leaves: segment.ground.isOn(mesh.pointee.occluder), before: segment.limit)
        else {
            return TreeSearch.isBlocked(by: mesh, segment)
        }
        var scene = embree.pointee.scene
        if isInside, let inside = embree.pointee.inside {
            guard ray.mayMeet(inside.boxes) else { return false }
            scene = inside.scene
        }
        var asked = ray.asEmbree
        let isClose = EmbreeQuery.run(mesh, embree, segment: segment, filter: takeAny, result: nil) {
            ossicle_embree_occluded(scene, $0, &asked)
        }
        return asked.tfar < 0 || isClose && TreeSearch.isBlocked(by: mesh, segment)
    }

    @inline(__always)
    package static func findCrossings(
        of mesh: UnsafePointer<PlacedMesh>, _ segment: Segment, into crossings: inout [Crossing]
    ) {
        guard let embree = mesh.pointee.embree,
            let ray = EmbreeRay(
                segment, embree, leaves: segment.ground.isOn(mesh.pointee.occluder), before: segment.limit)
        else {
            return TreeSearch.findCrossings(of: mesh, segment, into: &crossings)
        }
        var asked = ray.asEmbree
        let known = crossings.count
        let isClose = withUnsafeMutablePointer(to: &crossings) { crossings in
            EmbreeQuery.run(mesh, embree, segment: segment, filter: takeAll, result: UnsafeMutableRawPointer(crossings))
            {
                ossicle_embree_occluded(embree.pointee.scene, $0, &asked)
            }
        }
        if isClose {
            crossings.removeLast(crossings.count - known)
            TreeSearch.findCrossings(of: mesh, segment, into: &crossings)
        }
    }
}

extension ossicle_embree_context {
    fileprivate init(filter: RTCFilterFunctionN?) {
        self.init(first: 0, second: 0, filter: filter, instID: .max, instPrimID: .max)
    }
}

/// What Embree hands through to the functions below.
private struct EmbreeQuery {
    /// First, because it is what Embree gets to see.
    private var context: ossicle_embree_context
    let mesh: UnsafePointer<PlacedMesh>
    let facets: UnsafePointer<Facet>
    let segment: UnsafePointer<Segment>
    /// Where the answer goes.
    let result: UnsafeMutableRawPointer?
    let edge: Float
    var isClose = false

    /// True where a triangle was met close to an edge.
    @inline(__always)
    static func run(
        _ mesh: UnsafePointer<PlacedMesh>, _ embree: UnsafePointer<EmbreeMesh.View>, segment: Segment,
        filter: @escaping RTCFilterFunctionN, result: UnsafeMutableRawPointer?,
        _ trace: (UnsafeMutablePointer<ossicle_embree_context>) -> Void
    ) -> Bool {
        withUnsafePointer(to: segment) { segment in
            var query = EmbreeQuery(
                context: ossicle_embree_context(filter: filter), mesh: mesh, facets: mesh.pointee.facets,
                segment: segment, result: result, edge: embree.pointee.edge)
            withUnsafeMutablePointer(to: &query) {
                trace(UnsafeMutableRawPointer($0).assumingMemoryBound(to: ossicle_embree_context.self))
            }
            return query.isClose
        }
    }
}

// What Embree calls with each triangle it finds. A triangle that is turned away here is as if it were not there.

private func takeNearest(_ found: UnsafePointer<RTCFilterFunctionNArguments>?) {
    guard let found = EmbreeCandidate(found),
        let nearest = found.query.pointee.result?.assumingMemoryBound(to: NearestCrossing.self)
    else { return }
    if let passage = found.crossing, nearest.pointee.take(passage, found.query.pointee.mesh, facet: found.facet) {
        found.lookBehind()
    } else {
        found.turnAway()
    }
}

private func takeAny(_ found: UnsafePointer<RTCFilterFunctionNArguments>?) {
    guard let found = EmbreeCandidate(found), found.crossing == nil else { return }
    found.turnAway()
}

private func takeAll(_ found: UnsafePointer<RTCFilterFunctionNArguments>?) {
    guard let found = EmbreeCandidate(found),
        let crossings = found.query.pointee.result?.assumingMemoryBound(to: [Crossing].self)
    else { return }
    if let passage = found.crossing {
        crossings.pointee.append(
            Crossing(passage, found.query.pointee.mesh.pointee.occluder, facet: found.facet))
    }
    found.turnAway()
}

/// A triangle that Embree proposes.
private struct EmbreeCandidate {
    let query: UnsafeMutablePointer<EmbreeQuery>
    let facet: UnsafePointer<Facet>
    private let valid: UnsafeMutablePointer<Int32>
    private let ray: UnsafeMutableRawPointer

    /// Nil never, as long as single rays are asked for.
    @inline(__always)
    init?(_ arguments: UnsafePointer<RTCFilterFunctionNArguments>?) {
        guard let arguments, let context = arguments.pointee.context, let valid = arguments.pointee.valid,
            let ray = arguments.pointee.ray,
            let hit = arguments.pointee.hit
        else { return nil }
        query = UnsafeMutableRawPointer(context).assumingMemoryBound(to: EmbreeQuery.self)
        // For one ray the arrays are plain records: u, v and the primitive are a hit's fourth to sixth numbers, the
        // reach a ray's ninth.
        let (u, v) = (
            hit.load(fromByteOffset: 12, as: Float.self), hit.load(fromByteOffset: 16, as: Float.self)
        )
        if min(min(u, v), 1 - u - v) < query.pointee.edge || EmbreeCandidate.isGrazed(hit, by: ray) {
            query.pointee.isClose = true
        }
        facet = query.pointee.facets + Int(hit.load(fromByteOffset: 20, as: UInt32.self))
        self.valid = valid
        self.ray = ray
    }

    /// Seen edge on, within a hundredth of a radian.
    @inline(__always)
    private static func isGrazed(_ hit: UnsafeRawPointer, by ray: UnsafeRawPointer) -> Bool {
        let (normal, direction) = (vector(hit, 0), vector(ray, 16))
        let across = (normal * direction).sum()
        return across * across < 1e-4 * (normal * normal).sum()
    }

    @inline(__always)
    private static func vector(_ record: UnsafeRawPointer, _ offset: Int) -> SIMD3<Float> {
        return SIMD3(
            record.load(fromByteOffset: offset, as: Float.self),
            record.load(fromByteOffset: offset + 4, as: Float.self),
            record.load(fromByteOffset: offset + 8, as: Float.self))
    }

    @inline(__always) var crossing: Facet.Passage? { facet.pointee.crossing(query.pointee.segment.pointee) }
    @inline(__always) func turnAway() { valid.pointee = 0 }

    /// Embree is done with what is behind this triangle; what lies at nearly its place is still wanted, because which
    /// is nearer is decided here.
    @inline(__always) func lookBehind() {
        ray.storeBytes(
            of: ray.load(fromByteOffset: 32, as: Float.self) + EmbreeRay.blur, toByteOffset: 32, as: Float.self)
    }
}
#endif
