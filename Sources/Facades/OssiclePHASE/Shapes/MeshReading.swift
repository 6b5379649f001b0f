import OssicleCore
import OssicleModelIO

/// What could be read of a Model I/O mesh, and what was wrong with the rest.
struct MeshReading {
    private(set) var mesh: TriangleMesh
    private(set) var complaints: [PHASEAssetError] = []
    let submeshCount: Int

    init(_ source: MDLMesh) {
        let submeshes = (source.submeshes ?? []).compactMap { $0 as? MDLSubmesh }
        let vertices = MeshReading.vertices(of: source)
        var triangles: [SIMD3<Int32>] = []
        var elements: [Int32] = []
        var unreadable: [Int] = []
        for (element, submesh) in submeshes.enumerated() {
            let found = MeshReading.triangles(of: submesh)
            if found.isEmpty { unreadable.append(element) }
            triangles += found
            elements += Array(repeating: Int32(clamping: element), count: found.count)
        }
        submeshCount = submeshes.count
        mesh = TriangleMesh(vertices: vertices, triangles: triangles, elements: elements, elementCount: max(submeshes.count, 1))
        judge(source, unreadable: unreadable)
    }

    private mutating func judge(_ source: MDLMesh, unreadable: [Int]) {
        if mesh.vertices.isEmpty {
            complain(of: source, "it has no vertex positions", cure: "Give it an attribute named MDLVertexAttributePosition.")
        }
        if submeshCount == 0 { complain(of: source, "it has no submeshes", cure: "Give it a submesh with the indices of its triangles.") }
        for element in unreadable {
            complain(of: source, "submesh \(element) holds no triangles", cure: "Use triangles, triangle strips, quads or polygons.")
        }
        if mesh.rejectedTriangles > 0, !mesh.vertices.isEmpty {
            complain(of: source, "\(mesh.rejectedTriangles) triangles name a vertex that is missing or not finite",
                     cure: "Check indices and positions; these triangles are left out.")
        }
    }

    private mutating func complain(of source: MDLMesh, _ finding: String, cure: String) {
        complaints.append(PHASEAssetError(
            .badParameters, object: "PHASEShape of mesh “\(source.name)”", value: finding,
            rule: "A shape is made of triangles between finite points.", cure: cure))
    }

    private static func vertices(of source: MDLMesh) -> [Vector] {
        guard let data = source.vertexAttributeData(forAttributeNamed: MDLVertexAttributePosition, as: .float3) else { return [] }
        let size = 3 * MemoryLayout<Float>.size
        let stride = max(data.stride, size)
        // What the buffer holds counts, whatever the mesh says of itself.
        let held = data.bufferSize < size ? 0 : (data.bufferSize - size) / stride + 1
        return withExtendedLifetime(data.map) {
            (0..<min(max(source.vertexCount, 0), held)).map { vertex in
                func coordinate(_ axis: Int) -> Double {
                    Double(data.dataStart.loadUnaligned(fromByteOffset: vertex * stride + axis * MemoryLayout<Float>.size, as: Float.self))
                }
                return Vector(coordinate(0), coordinate(1), coordinate(2))
            }
        }
    }
}
