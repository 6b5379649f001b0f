import OssicleCore
import OssicleSIMD

/// A generated surface before it becomes a mesh.
///
/// Corners of polygons go counter-clockwise seen from the side the normals point to. Points that meet are equal to the
/// last bit, so that welding equal positions closes the surface.
struct Surface {
    struct Vertex {
        var position: SIMD3<Float>
        var normal: SIMD3<Float>
        var textureCoordinate: SIMD2<Float>
    }

    private(set) var vertices: [Vertex] = []
    private(set) var polygons = PolygonList()

    /// Adds a net of `columns` x `rows` four-cornered polygons; `vertex` is called with 0...columns and 0...rows. The
    /// net's front is where columns x rows points to. Polygons with fewer than three different corners vanish, those
    /// with three become triangles.
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
        let different = corners.indices.filter {
            vertices[corners[$0]].position != vertices[corners[$0 == 0 ? corners.count - 1 : $0 - 1]].position
        }
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

extension Surface {
    /// The box of full side lengths `size` about the origin, each side cut into its number of segments.
    static func box(size: SIMD3<Float>, segments: SIMD3<Int>) -> Surface {
        let size = MeshLimits.extent(size)
        let cuts = (0..<3).map { axis in steps(segments[axis], across: size[axis]) }
        var surface = Surface()
        for axis in 0..<3 {
            for side in [Float(1), -1] {
                // The other two axes in the order in which their cross product points outwards.
                let (u, v) = side > 0 ? ((axis + 1) % 3, (axis + 2) % 3) : ((axis + 2) % 3, (axis + 1) % 3)
                surface.addRectangle(cuts[u], along: u, vs: cuts[v], along: v, at: side * size[axis] / 2, on: axis)
            }
        }
        return surface
    }

    /// The rectangle of full side lengths `size` about the origin, at right angles to the axis of its smallest side (Y
    /// if several are).
    static func plane(size: SIMD3<Float>, segments: SIMD2<Int>) -> Surface {
        let size = MeshLimits.extent(size)
        let axis = size.y <= size.x && size.y <= size.z ? 1 : size.z <= size.x ? 2 : 0
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3)
        // The first number of segments belongs to the earlier axis.
        let (alongU, alongV) = u < v ? (segments.x, segments.y) : (segments.y, segments.x)
        var surface = Surface()
        surface.addRectangle(
            steps(alongU, across: size[u]), along: u, vs: steps(alongV, across: size[v]), along: v, at: 0, on: axis)
        return surface
    }

    /// The coordinates of the cuts, the same for every face that shares the edge.
    private static func steps(_ count: Int, across size: Float) -> [Float] {
        (0...count).map { size * (Float($0) / Float(count)) - size / 2 }
    }

    private mutating func addRectangle(
        _ us: [Float], along u: Int, vs: [Float], along v: Int, at height: Float, on axis: Int
    ) {
        var normal = SIMD3<Float>.zero
        normal[axis] = height < 0 || height.sign == .minus ? -1 : 1
        addNet(columns: us.count - 1, rows: vs.count - 1) { column, row in
            var position = SIMD3<Float>.zero
            (position[u], position[v], position[axis]) = (us[column], vs[row], height)
            return Vertex(
                position: position, normal: normal,
                textureCoordinate: SIMD2(Float(column) / Float(us.count - 1), Float(row) / Float(vs.count - 1)))
        }
    }
}

extension Surface {
    /// Twenty flat triangles about the origin, their corners on the ellipsoid with half axes `radii`.
    static func icosahedron(radii: SIMD3<Float>) -> Surface {
        let radii = MeshLimits.extent(radii)
        let golden = (1 + Double(5).squareRoot()) / 2
        let short = 1 / (1 + golden * golden).squareRoot()
        let long = golden * short
        // Three rectangles of golden proportions at right angles to each other.
        let corners = [
            SIMD3(-short, long, 0), SIMD3(short, long, 0), SIMD3(-short, -long, 0), SIMD3(short, -long, 0),
            SIMD3(0, -short, long), SIMD3(0, short, long), SIMD3(0, -short, -long), SIMD3(0, short, -long),
            SIMD3(long, 0, -short), SIMD3(long, 0, short), SIMD3(-long, 0, -short), SIMD3(-long, 0, short),
        ]
        let faces = [
            (0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6),
            (7, 1, 8),
            (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7),
            (9, 8, 1),
        ]
        var surface = Surface()
        for (a, b, c) in faces {
            let face = [a, b, c].map { corners[$0] * SIMD3<Double>(radii) }
            let normal = SIMD3<Float>(direction: simd_cross(face[1] - face[0], face[2] - face[0]))
            surface.addFace(
                zip([a, b, c], face).map { corner, position in
                    Vertex(
                        position: SIMD3<Float>(position), normal: normal,
                        textureCoordinate: longitudeAndLatitude(of: corners[corner]))
                })
        }
        return surface
    }

    /// Both as parts of 1; the latitude runs from top to bottom, as on the other round solids.
    private static func longitudeAndLatitude(of direction: SIMD3<Double>) -> SIMD2<Float> {
        let longitude = DeterministicMath.atan2(direction.z, direction.x) / (2 * .pi)
        return SIMD2(
            Float(longitude < 0 ? longitude + 1 : longitude), Float(0.5 - DeterministicMath.asin(direction.y) / .pi))
    }
}
