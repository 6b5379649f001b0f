import OssicleCore

/// A plane of the scene in which sources are reflected: all patches that lie in it, of any occluder.
package struct Reflector: Sendable {
    /// Unit; the plane is normal · p = offset.
    package let normal: Vector
    package let offset: Double
    /// Box around the patches.
    package let bounds: Bounds
    /// Whether any patch reflects on the side the normal looks to, and on the other, for sources anywhere.
    package let reflectsInFront: Bool
    package let reflectsBehind: Bool
    /// Around the solids whose inner sides are in this plane: a source within one of them hears those, see
    /// `ReflectorPatch.Side.isWithin`. Empty where there are none.
    let solids: Bounds
    /// Range of the set's faces.
    let first: Int32
    let count: Int32

    /// Metres from the plane, positive on the side the normal looks to.
    @inline(__always) func height(_ point: Vector) -> Double { normal.dot(point) - offset }

    @inline(__always) func mirrored(_ point: Vector) -> Vector { point - normal * (2 * height(point)) }

    /// Whether any patch may reflect sound of a source on one side.
    @inline(__always) func reflects(inFront: Bool, for source: Vector) -> Bool {
        (inFront ? reflectsInFront : reflectsBehind) || solids.holds(source)
    }

    /// Whether any part of the patches may lie on one side of another plane.
    @inline(__always) func reaches(inFront: Bool, of plane: Reflector) -> Bool {
        let half = bounds.extent * 0.5
        let n = plane.normal
        let reach = half.x * n.x.magnitude + half.y * n.y.magnitude + half.z * n.z.magnitude
        let height = plane.height(bounds.centre)
        return (inFront ? height : -height) + reach > Reflector.closest
    }

    /// Metres from a plane within which a point counts as lying in it.
    static let closest = 1e-6
}

/// A patch at its place in the world.
struct ReflectorFace: Sendable {
    let occluder: Int32
    let patch: Int32
    /// The same for the same patch of the same occluder, wherever it moves.
    let identity: UInt64
    let bounds: Bounds
    let plane: PlaneGrouping.Plane
    /// By side of the reflector's plane; square metres, those of touching faces together.
    var front: ReflectorPatch.Side
    var back: ReflectorPatch.Side

    func side(inFront: Bool) -> ReflectorPatch.Side { inFront ? front : back }

    static func identity(of occluder: Occluder, patch: Int) -> UInt64 {
        SoundPath.identity(occluder.id, then: UInt64(patch))
    }
}

/// A flat part of a geometry that hangs together, in the geometry's own coordinates.
struct ReflectorPatch: Sendable {
    let plane: PlaneGrouping.Plane
    let bounds: Bounds
    /// The side the plane's normal looks to, and the other.
    let front: Side
    let back: Side
    /// Index in the occluder's materials; nil where the patch is of several.
    let element: Int32?
    /// Places of its triangles in the geometry's facets where they are so few that looking through them beats a search
    /// of the tree; else empty.
    let listed: [Int32]

    static let mostListed = 8

    struct Side: Sendable {
        /// Square units; 0 where the patch does not reflect on this side.
        var area: Double
        /// Share 0…1 of the rim that no other surface continues towards this side. The floor of a closed room has none.
        var freeRim: Double
        /// How the area lies.
        var spread = AreaSpread()
        /// Whether this is the inner side of a closed surface whose normals look out. From outside that is a
        /// solid and the side is out of reach; with source and listener within it is a room.
        var isWithin = false

        func placed(by pose: Pose) -> Side {
            var side = self
            (side.area, side.spread) = (area * pose.scale * pose.scale, spread.placed(by: pose))
            return side
        }
    }

    var area: Double { max(front.area, back.area) }
}

/// How much of each patch's rim is free.
///
/// At the rim of a plate the reflector ends and its echo weakens at low frequencies. Where another surface rises from
/// the rim towards the side in question, as walls rise from a floor, that surface carries the reflector on and nothing
/// weakens.
struct PatchRims {
    /// Share 0…1 of each patch's rim, by patch; 1 where the edges tell of no rim.
    private(set) var front: [Double]
    private(set) var back: [Double]

    /// Edges of more triangles than this are taken for broken, and tell nothing.
    private static let mostAtEdge = 16

    private struct Edge {
        let key: UInt64
        let triangle: Int32
        /// The triangle's corner off this edge.
        let apex: Int32
    }

    init(_ mesh: TriangleMesh, _ patchOfTriangle: [Int32], planes: [PlaneGrouping.Plane], tolerance: Double) {
        var rim = [Double](repeating: 0, count: planes.count)
        var (heldFront, heldBack) = (rim, rim)
        let edges = PatchRims.edges(mesh, patchOfTriangle)
        var start = 0
        while start < edges.count {
            var end = start + 1
            while end < edges.count, edges[end].key == edges[start].key { end += 1 }
            let group = edges[start..<end]
            let length =
                (mesh.vertices[Int(edges[start].key >> 32)] - mesh.vertices[Int(edges[start].key & 0xFFFF_FFFF)])
                .magnitude
            for edge in group where group.count <= PatchRims.mostAtEdge {
                let patch = Int(patchOfTriangle[Int(edge.triangle)])
                guard group.lazy.filter({ Int(patchOfTriangle[Int($0.triangle)]) == patch }).count == 1 else {
                    continue
                }
                let heights = group.lazy.map {
                    planes[patch].normal.dot(mesh.vertices[Int($0.apex)]) - planes[patch].offset
                }
                rim[patch] += length
                if heights.contains(where: { $0 > tolerance }) { heldFront[patch] += length }
                if heights.contains(where: { $0 < -tolerance }) { heldBack[patch] += length }
            }
            start = end
        }
        front = zip(heldFront, rim).map { $1 > 0 ? max(1 - $0 / $1, 0) : 1 }
        back = zip(heldBack, rim).map { $1 > 0 ? max(1 - $0 / $1, 0) : 1 }
    }

    /// Edges between welded vertices, those of one place side by side.
    private static func edges(_ mesh: TriangleMesh, _ patchOfTriangle: [Int32]) -> [Edge] {
        var edges: [Edge] = []
        edges.reserveCapacity(3 * mesh.triangles.count)
        for (triangle, t) in VertexWelding.weld(mesh).enumerated() where patchOfTriangle[triangle] >= 0 {
            for (a, b, apex) in [(t.x, t.y, t.z), (t.y, t.z, t.x), (t.z, t.x, t.y)] where a != b {
                edges.append(
                    Edge(
                        key: UInt64(UInt32(min(a, b))) << 32 | UInt64(UInt32(max(a, b))),
                        triangle: Int32(clamping: triangle), apex: apex))
            }
        }
        return edges.sorted { ($0.key, $0.triangle) < ($1.key, $1.triangle) }
    }
}
