import OssicleSIMD

/// A generated surface before it becomes a mesh.
///
/// Corners of polygons go counter-clockwise seen from the side the normals point to. Points that meet are equal to the last bit, so that
/// welding equal positions closes the surface.
struct Surface {
    struct Vertex {
        var position: SIMD3<Float>
        var normal: SIMD3<Float>
        var textureCoordinate: SIMD2<Float>
    }

    private(set) var vertices: [Vertex] = []
    private(set) var polygons = PolygonList()

    /// Adds a net of `columns` x `rows` four-cornered polygons; `vertex` is called with 0...columns and 0...rows. The net's front is where
    /// columns x rows points to. Polygons with fewer than three different corners vanish, those with three become triangles.
    mutating func addNet(columns: Int, rows: Int, vertex: (_ column: Int, _ row: Int) -> Vertex) {
        let (first, width) = (vertices.count, columns + 1)
        for row in 0...rows { for column in 0...columns { vertices.append(vertex(column, row)) } }
        for row in 0..<rows {
            for column in 0..<columns {
                let corner = first + row * width + column
                addPolygon([corner, corner + 1, corner + 1 + width, corner + width])
            }
        }
    }

    /// Adds vertices of their own for one polygon.
    mutating func addFace(_ corners: [Vertex]) {
        vertices += corners
        addPolygon(Array(vertices.count - corners.count..<vertices.count))
    }

    private mutating func addPolygon(_ corners: [Int]) {
        let different = corners.indices.filter { vertices[corners[$0]].position != vertices[corners[$0 == 0 ? corners.count - 1 : $0 - 1]].position }
        if different.count >= 3 { polygons.append(different.map { UInt32(corners[$0]) }) }
    }

    /// Turns the front to the other side.
    mutating func turnInside() {
        polygons.reverse()
        for index in vertices.indices { vertices[index].normal = -vertices[index].normal }
    }
}

extension SIMD3<Float> {
    /// The direction of a vector given in `Double`, where no square of an extent overflows; straight up for zero.
    init(direction: SIMD3<Double>) {
        let size = simd_length(direction)
        self = size > 0 && size.isFinite ? SIMD3<Float>(direction / size) : SIMD3(0, 1, 0)
    }
}
