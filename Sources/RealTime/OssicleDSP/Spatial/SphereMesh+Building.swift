import OssicleCore

extension SphereMesh {
    static func triangles(_ directions: [Vector], _ corners: [SIMD3<Int32>]) -> [Triangle] {
        // A face that shows the centre its outside closes a set of directions that does not reach around it.
        let usable = corners.filter { determinant(directions, $0) > 1e-12 }
        var owner: [SIMD2<Int32>: Int32] = [:]
        for (index, c) in usable.enumerated() {
            for edge in [SIMD2(c.x, c.y), SIMD2(c.y, c.z), SIMD2(c.z, c.x)] { owner[edge] = Int32(index) }
        }
        return usable.map { c in
            let (a, b, d) = (directions[Int(c.x)], directions[Int(c.y)], directions[Int(c.z)])
            let scale = 1 / determinant(directions, c)
            let beyond = [SIMD2(c.z, c.y), SIMD2(c.x, c.z), SIMD2(c.y, c.x)].map { owner[$0] ?? -1 }
            return Triangle(corners: c, neighbours: SIMD3(beyond[0], beyond[1], beyond[2]),
                            row0: b.cross(d) * scale, row1: d.cross(a) * scale, row2: a.cross(b) * scale)
        }
    }

    private static func determinant(_ directions: [Vector], _ c: SIMD3<Int32>) -> Double {
        directions[Int(c.x)].dot(directions[Int(c.y)].cross(directions[Int(c.z)]))
    }

    static func best(for p: Vector, in triangles: [Triangle]) -> Int32 {
        var best = (index: 0, least: -Double.infinity)
        for (index, triangle) in triangles.enumerated() {
            let least = triangle.weights(of: p).min()
            if least > best.least { best = (index, least) }
        }
        return Int32(best.index)
    }

    /// Cell of the cube map that a direction falls into: face by the largest coordinate, then a square grid.
    @inline(__always)
    static func cell(of p: Vector) -> Int {
        let (x, y, z) = (p.x.magnitude, p.y.magnitude, p.z.magnitude)
        if x >= y && x >= z { return cell(face: p.x < 0 ? 1 : 0, p.y / x, p.z / x) }
        if y >= z { return cell(face: p.y < 0 ? 3 : 2, p.z / y, p.x / y) }
        return cell(face: p.z < 0 ? 5 : 4, p.x / z, p.y / z)
    }

    @inline(__always)
    private static func cell(face: Int, _ u: Double, _ v: Double) -> Int {
        (face * cellsPerEdge + step(u)) * cellsPerEdge + step(v)
    }

    /// −1…1 to 0…15. Compared before it is converted: what is not a number lands in cell 0.
    @inline(__always)
    private static func step(_ u: Double) -> Int {
        let position = (u + 1) * (0.5 * Double(cellsPerEdge))
        return position > 0 ? Int(min(position, Double(cellsPerEdge - 1))) : 0
    }

    static func centre(ofCell cell: Int) -> Vector {
        let face = cell / (cellsPerEdge * cellsPerEdge)
        let (u, v) = (middle(cell / cellsPerEdge % cellsPerEdge), middle(cell % cellsPerEdge))
        let side = face % 2 == 0 ? 1.0 : -1.0
        let p = [Vector(side, u, v), Vector(v, side, u), Vector(u, v, side)][face / 2]
        return p / p.magnitude
    }

    private static func middle(_ step: Int) -> Double { (Double(step) + 0.5) * (2 / Double(cellsPerEdge)) - 1 }
}
