@testable import OssicleModelIO

/// What can be counted and measured of a mesh's triangles once equal positions are one point.
struct Shape {
    let positions: [SIMD3<Float>]
    let normals: [SIMD3<Float>]
    let triangles: [UInt32]
    /// How often each directed edge between welded points occurs.
    private(set) var edges: [SIMD2<Int>: Int] = [:]
    private(set) var pointCount = 0

    init(_ mesh: MDLMesh) {
        positions = mesh.positions
        triangles = (mesh.submeshes ?? []).compactMap { $0 as? MDLSubmesh }.flatMap { mesh.triangles(of: $0) }
        normals = Self.values(mesh, MDLVertexAttributeNormal)
        var points: [SIMD3<Float>: Int] = [:]
        for first in stride(from: 0, to: triangles.count, by: 3) {
            let corners = triangles[first..<first + 3].map { index in
                let position = positions[Int(index)]
                let number = points[position] ?? points.count
                points[position] = number
                return number
            }
            for (a, b) in [(0, 1), (1, 2), (2, 0)] { edges[SIMD2(corners[a], corners[b]), default: 0] += 1 }
        }
        pointCount = points.count
    }

    var faceCount: Int { triangles.count / 3 }

    /// Every edge is passed once in each direction, by two triangles.
    var isClosed: Bool { !edges.isEmpty && edges.allSatisfy { $0.value == 1 && edges[SIMD2($0.key.y, $0.key.x)] == 1 } }

    /// Points - edges + faces.
    var eulerCharacteristic: Int {
        pointCount - Set(edges.keys.map { SIMD2(min($0.x, $0.y), max($0.x, $0.y)) }).count + faceCount
    }

    /// By the divergence theorem; positive if faces turn outwards.
    var volume: Double { facets.reduce(0) { $0 + simd_dot($1.0, simd_cross($1.1, $1.2)) / 6 } }

    var area: Double { facets.reduce(0) { $0 + simd_length(simd_cross($1.1 - $1.0, $1.2 - $1.0)) / 2 } }

    /// The smallest cosine between the normal of a face and those of its corners.
    var worstNormal: Double {
        stride(from: 0, to: triangles.count, by: 3).map { first in
            let corners = triangles[first..<first + 3].map { SIMD3<Double>(positions[Int($0)]) }
            let face = simd_normalize(simd_cross(corners[1] - corners[0], corners[2] - corners[0]))
            return triangles[first..<first + 3].map { simd_dot(face, SIMD3<Double>(normals[Int($0)])) }.min() ?? -1
        }.min() ?? -1
    }

    private var facets: [(SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)] {
        stride(from: 0, to: triangles.count, by: 3).map { first in
            let corners = triangles[first..<first + 3].map { SIMD3<Double>(positions[Int($0)]) }
            return (corners[0], corners[1], corners[2])
        }
    }

    private static func values(_ mesh: MDLMesh, _ name: String) -> [SIMD3<Float>] {
        guard let data = mesh.vertexAttributeData(forAttributeNamed: name, as: .float3) else { return [] }
        return (0..<mesh.vertexCount).map { index in
            let value = (0..<3).map {
                (data.dataStart + index * data.stride).loadUnaligned(fromByteOffset: $0 * 4, as: Float.self)
            }
            return SIMD3(value[0], value[1], value[2])
        }
    }
}
