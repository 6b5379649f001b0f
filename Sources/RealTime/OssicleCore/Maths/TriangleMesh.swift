/// Triangles in an object's own coordinates, each belonging to an element (a submesh) that has its own material.
///
/// Immutable and checked at the door: indices are in range and vertices finite, so nobody below has to look again.
/// Triangles without area may be present; whoever traces rays skips them.
package struct TriangleMesh: Sendable, Hashable {
    package let vertices: [Vector]
    package let triangles: [SIMD3<Int32>]
    /// Element of each triangle; counts as many entries as `triangles`.
    package let elements: [Int32]
    package let elementCount: Int
    /// What was left out at the door.
    package let rejectedTriangles: Int

    /// Triangles that name a missing or non-finite vertex are left out and counted in `rejectedTriangles`.
    package init(vertices: [Vector], triangles: [SIMD3<Int32>], elements: [Int32]? = nil, elementCount: Int = 1) {
        let limit = Int32(clamping: vertices.count)
        let usable = triangles.indices.filter { index in
            let t = triangles[index]
            return [t.x, t.y, t.z].allSatisfy { $0 >= 0 && $0 < limit && vertices[Int($0)].isFinite }
        }
        self.vertices = vertices
        self.triangles = usable.map { triangles[$0] }
        self.elements = usable.map { index in
            guard let elements, index < elements.count else { return 0 }
            return min(max(elements[index], 0), Int32(clamping: max(elementCount - 1, 0)))
        }
        self.elementCount = max(elementCount, 1)
        rejectedTriangles = triangles.count - usable.count
    }

    package func corners(_ triangle: Int) -> (Vector, Vector, Vector) {
        let t = triangles[triangle]
        return (vertices[Int(t.x)], vertices[Int(t.y)], vertices[Int(t.z)])
    }
}
