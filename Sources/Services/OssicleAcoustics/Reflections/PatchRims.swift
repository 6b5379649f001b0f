import OssicleCore

/// How much of each patch's rim is free.
///
/// At the rim of a plate the mirror ends and its echo weakens at low frequencies. Where another surface rises from the rim towards the
/// side in question, as walls rise from a floor, that surface carries the mirror on and nothing weakens.
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

    init(_ mesh: TriangleMesh, _ patchOfTriangle: [Int32], _ planes: [PlaneGrouping.Plane], tolerance: Double) {
        var rim = [Double](repeating: 0, count: planes.count)
        var (heldFront, heldBack) = (rim, rim)
        let edges = PatchRims.edges(mesh, patchOfTriangle)
        var start = 0
        while start < edges.count {
            var end = start + 1
            while end < edges.count, edges[end].key == edges[start].key { end += 1 }
            let group = edges[start..<end]
            let length = (mesh.vertices[Int(edges[start].key >> 32)] - mesh.vertices[Int(edges[start].key & 0xFFFF_FFFF)]).magnitude
            for edge in group where group.count <= PatchRims.mostAtEdge {
                let patch = Int(patchOfTriangle[Int(edge.triangle)])
                guard group.lazy.filter({ Int(patchOfTriangle[Int($0.triangle)]) == patch }).count == 1 else { continue }
                let heights = group.lazy.map { planes[patch].normal.dot(mesh.vertices[Int($0.apex)]) - planes[patch].offset }
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
                edges.append(Edge(key: UInt64(UInt32(min(a, b))) << 32 | UInt64(UInt32(max(a, b))), triangle: Int32(clamping: triangle), apex: apex))
            }
        }
        return edges.sorted { ($0.key, $0.triangle) < ($1.key, $1.triangle) }
    }
}
