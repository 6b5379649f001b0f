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
        mesh = TriangleMesh(
            vertices: vertices, triangles: triangles, elements: elements, elementCount: max(submeshes.count, 1))
        judge(source, unreadable: unreadable)
    }

    private mutating func judge(_ source: MDLMesh, unreadable: [Int]) {
        if mesh.vertices.isEmpty {
            complain(
                of: source, "it has no vertex positions", cure: "Give it an attribute named MDLVertexAttributePosition."
            )
        }
        if submeshCount == 0 {
            complain(of: source, "it has no submeshes", cure: "Give it a submesh with the indices of its triangles.")
        }
        for element in unreadable {
            complain(
                of: source, "submesh \(element) holds no triangles",
                cure: "Use triangles, triangle strips, quads or polygons.")
        }
        if mesh.rejectedTriangles > 0, !mesh.vertices.isEmpty {
            complain(
                of: source, "\(mesh.rejectedTriangles) triangles name a vertex that is missing or not finite",
                cure: "Check indices and positions; these triangles are left out.")
        }
    }

    private mutating func complain(of source: MDLMesh, _ finding: String, cure: String) {
        complaints.append(
            PHASEAssetError(
                .badParameters, object: "PHASEShape of mesh “\(source.name)”", value: finding,
                rule: "A shape is made of triangles between finite points.", cure: cure))
    }

    private static func vertices(of source: MDLMesh) -> [Vector] {
        guard let data = source.vertexAttributeData(forAttributeNamed: MDLVertexAttributePosition, as: .float3) else {
            return []
        }
        let size = 3 * MemoryLayout<Float>.size
        let stride = max(data.stride, size)
        // What the buffer holds counts, whatever the mesh says of itself.
        let held = data.bufferSize < size ? 0 : (data.bufferSize - size) / stride + 1
        return withExtendedLifetime(data.map) {
            (0..<min(max(source.vertexCount, 0), held)).map { vertex in
                func coordinate(_ axis: Int) -> Double {
                    Double(
                        data.dataStart.loadUnaligned(
                            fromByteOffset: vertex * stride + axis * MemoryLayout<Float>.size, as: Float.self))
                }
                return Vector(coordinate(0), coordinate(1), coordinate(2))
            }
        }
    }
}

extension MeshReading {
    /// The triangles of a submesh; none for points and lines. Indices are not checked here.
    static func triangles(of submesh: MDLSubmesh) -> [SIMD3<Int32>] {
        let indices = indices(of: submesh)
        switch submesh.geometryType {
        case .triangles: return fans(indices, sizes: repeatElement(3, count: indices.count / 3))
        case .quads: return fans(indices, sizes: repeatElement(4, count: indices.count / 4))
        case .triangleStrips: return strip(indices)
        case .variableTopology: return fans(indices, sizes: faceSizes(of: submesh))
        case .points, .lines: return []
        }
    }

    private static func indices(of submesh: MDLSubmesh) -> [Int32] {
        let buffer = submesh.indexBuffer(asIndexType: .uInt32)
        let map = buffer.map()
        let count = min(max(submesh.indexCount, 0), buffer.length / MemoryLayout<UInt32>.size)
        return withExtendedLifetime(map) {
            (0..<count).map { index in
                // An index beyond Int32 names no vertex either way.
                Int32(
                    clamping: map.bytes.loadUnaligned(
                        fromByteOffset: index * MemoryLayout<UInt32>.size, as: UInt32.self))
            }
        }
    }

    /// Vertices per face, one byte each.
    private static func faceSizes(of submesh: MDLSubmesh) -> [Int] {
        guard let topology = submesh.topology, let buffer = topology.faceTopology else { return [] }
        let map = buffer.map()
        return withExtendedLifetime(map) {
            (0..<min(max(topology.faceCount, 0), buffer.length)).map {
                Int(map.bytes.load(fromByteOffset: $0, as: UInt8.self))
            }
        }
    }

    /// Each face cut into triangles from its first corner.
    private static func fans(_ indices: [Int32], sizes: some Sequence<Int>) -> [SIMD3<Int32>] {
        var triangles: [SIMD3<Int32>] = []
        var start = 0
        for size in sizes where start + size <= indices.count {
            for corner in stride(from: 2, to: size, by: 1) {
                triangles.append(SIMD3(indices[start], indices[start + corner - 1], indices[start + corner]))
            }
            start += size
        }
        return triangles
    }

    /// Every index from the third on ends a triangle; every second one is reversed, so that all have one winding.
    /// Repeated indices, which sew strips together, make no triangle.
    private static func strip(_ indices: [Int32]) -> [SIMD3<Int32>] {
        indices.indices.dropFirst(2).compactMap { last in
            let (a, b, c) = (indices[last - 2], indices[last - 1], indices[last])
            guard a != b, b != c, a != c else { return nil }
            return last.isMultiple(of: 2) ? SIMD3(a, b, c) : SIMD3(b, a, c)
        }
    }
}
