import OssicleSIMD

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
                surface.addRectangle(cuts[u], along: u, cuts[v], along: v, at: side * size[axis] / 2, on: axis)
            }
        }
        return surface
    }

    /// The rectangle of full side lengths `size` about the origin, at right angles to the axis of its smallest side (Y if several are).
    static func plane(size: SIMD3<Float>, segments: SIMD2<Int>) -> Surface {
        let size = MeshLimits.extent(size)
        let axis = size.y <= size.x && size.y <= size.z ? 1 : size.z <= size.x ? 2 : 0
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3)
        // The first number of segments belongs to the earlier axis.
        let (alongU, alongV) = u < v ? (segments.x, segments.y) : (segments.y, segments.x)
        var surface = Surface()
        surface.addRectangle(steps(alongU, across: size[u]), along: u, steps(alongV, across: size[v]), along: v, at: 0, on: axis)
        return surface
    }

    /// The coordinates of the cuts, the same for every face that shares the edge.
    private static func steps(_ count: Int, across size: Float) -> [Float] {
        (0...count).map { size * (Float($0) / Float(count)) - size / 2 }
    }

    private mutating func addRectangle(_ us: [Float], along u: Int, _ vs: [Float], along v: Int, at height: Float, on axis: Int) {
        var normal = SIMD3<Float>.zero
        normal[axis] = height < 0 || height.sign == .minus ? -1 : 1
        addNet(columns: us.count - 1, rows: vs.count - 1) { column, row in
            var position = SIMD3<Float>.zero
            (position[u], position[v], position[axis]) = (us[column], vs[row], height)
            return Vertex(position: position, normal: normal,
                          textureCoordinate: SIMD2(Float(column) / Float(us.count - 1), Float(row) / Float(vs.count - 1)))
        }
    }
}
