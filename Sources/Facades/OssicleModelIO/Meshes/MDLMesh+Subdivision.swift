import Foundation
import OssicleSIMD

/// Every level cuts each triangle into four at the middles of its edges; the surface keeps its shape. Attributes are
/// averaged.
///
/// The result holds one submesh, of triangles. Levels end before the triangles would be more than 4 194 304.
extension MDLMesh {
    /// A submesh of `mesh` with smaller triangles. Empty if there is no submesh with that index, or none that has
    /// faces.
    public convenience init(
        meshBySubdividingMesh mesh: MDLMesh, submeshIndex: Int32, subdivisionLevels: UInt32,
        allocator: (any MDLMeshBufferAllocator)?
    ) {
        self.init(bufferAllocator: allocator ?? mesh.allocator)
        subdivide(mesh, submeshIndex: Int(submeshIndex), levels: Int(subdivisionLevels))
    }

    /// A submesh of `mesh` with smaller triangles. Nil if there is no submesh with that index, or none that has faces.
    @discardableResult
    public class func newSubdividedMesh(_ mesh: MDLMesh, submeshIndex: Int, subdivisionLevels: Int) -> Self? {
        let result = self.init(bufferAllocator: mesh.allocator)
        return result.subdivide(mesh, submeshIndex: submeshIndex, levels: subdivisionLevels) ? result : nil
    }

    @discardableResult
    private func subdivide(_ mesh: MDLMesh, submeshIndex: Int, levels: Int) -> Bool {
        guard mesh.allSubmeshes.indices.contains(submeshIndex) else { return false }
        let submesh = mesh.allSubmeshes[submeshIndex]
        var table = VertexTable(
            reading: mesh.layout.usedAttributes.map { $0.duplicate() }, from: mesh, stored: mesh.layout)
        var triangles = mesh.triangles(of: submesh)
        guard !triangles.isEmpty else { return false }
        for _ in 0..<max(0, levels) {
            guard triangles.count / 3 <= MeshLimits.subdividedTriangles / 4 else { break }
            triangles = Self.quartered(triangles, &table)
        }
        guard store(table, by: mesh.layout) else { return false }
        name = mesh.name
        submeshes = [
            MDLSubmesh(
                (triangles, nil), indexType: .reaching(vertexCount: vertexCount), geometryType: .triangles,
                like: submesh,
                allocator: allocator)
        ]
        return true
    }

    private static func quartered(_ triangles: [UInt32], _ table: inout VertexTable) -> [UInt32] {
        var middles: [SIMD2<UInt32>: UInt32] = [:]
        func middle(_ a: UInt32, _ b: UInt32) -> UInt32 {
            let edge = SIMD2(min(a, b), max(a, b))
            if let known = middles[edge] { return known }
            let index = UInt32(table.count)
            table.appendMiddle(of: Int(edge.x), Int(edge.y))
            middles[edge] = index
            return index
        }
        var result: [UInt32] = []
        result.reserveCapacity(triangles.count * 4)
        for first in stride(from: 0, to: triangles.count, by: 3) {
            let (a, b, c) = (triangles[first], triangles[first + 1], triangles[first + 2])
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a))
            result += [a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca]
        }
        return result
    }
}
