import OssicleCore

/// Finds the vertices that lie at one place.
enum VertexWelding {
    /// The mesh's triangles with welded vertex numbers.
    ///
    /// Two steps, because most copies are exact and hashing bits is cheap: equal coordinates first, then what is left within a
    /// millionth of the mesh's size (the seam of a sphere closes with sin 2π, which is not quite 0).
    static func weld(_ mesh: TriangleMesh) -> [SIMD3<Int32>] {
        var bounds = Bounds.empty
        for vertex in mesh.vertices where vertex.isFinite { bounds.include(vertex) }
        let extent = bounds.extent
        let size = max(extent.x, max(extent.y, extent.z))
        let cell = size.isFinite && size > 0 ? size * 1e-6 : 1
        var exact: [Vector: Int32] = [:]
        var grid: [SIMD3<Int64>: Int32] = [:]
        exact.reserveCapacity(mesh.vertices.count)
        var numbers = [Int32](repeating: 0, count: mesh.vertices.count)
        for (index, vertex) in mesh.vertices.enumerated() where vertex.isFinite {
            // Adding 0 makes −0 and 0 the same bits.
            let place = vertex + Vector.zero
            if let known = exact[place] {
                numbers[index] = known
            } else {
                let number = near((place - bounds.lower) / cell, Int32(index), &grid)
                exact[place] = number
                numbers[index] = number
            }
        }
        return mesh.triangles.map { SIMD3(numbers[Int($0.x)], numbers[Int($0.y)], numbers[Int($0.z)]) }
    }

    /// The number of a vertex in this or the next cell towards it, else its own, which is then entered.
    private static func near(_ place: Vector, _ number: Int32, _ grid: inout [SIMD3<Int64>: Int32]) -> Int32 {
        let floor = place.rounded(.down)
        let side = (place - floor).replacing(with: Vector(repeating: -1), where: (place - floor) .< Vector(repeating: 0.5))
            .replacing(with: Vector(repeating: 1), where: (place - floor) .>= Vector(repeating: 0.5))
        let home = cell(floor)
        if let known = grid[home] { return known }
        for corner in 1..<8 {
            let step = Vector(corner & 1 != 0 ? side.x : 0, corner & 2 != 0 ? side.y : 0, corner & 4 != 0 ? side.z : 0)
            if let known = grid[cell(floor + step)] { return known }
        }
        grid[home] = number
        return number
    }

    private static func cell(_ v: Vector) -> SIMD3<Int64> {
        func number(_ x: Double) -> Int64 { x.magnitude < 1e15 ? Int64(x) : 0 }
        return SIMD3(number(v.x), number(v.y), number(v.z))
    }
}
