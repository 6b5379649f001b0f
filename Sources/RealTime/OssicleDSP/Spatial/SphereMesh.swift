import COssicle
import OssicleCore

/// Finds the triangle of directions around any direction, and the weights of its corners: p = Σ gᵢ·vᵢ.
///
/// A cube map of starting triangles, then a walk from neighbour to neighbour; memory reads and arithmetic only, so
/// `locate` belongs on the audio thread. Made on the control side. A handle: the owner calls `deallocate()`.
package struct SphereMesh: BitwiseCopyable, @unchecked Sendable {
    /// A direction expressed by three corners. Weights are ≥ 0; exactly 0 for a corner that has no share.
    package struct Place: BitwiseCopyable {
        package var corners: SIMD3<Int32>
        package var weights: Vector
        /// Number of the triangle; −1 without triangles.
        package var triangle: Int32
    }

    struct Triangle: BitwiseCopyable {
        var corners: SIMD3<Int32>
        /// Triangle beyond the edge that faces each corner; −1 at the rim.
        var neighbours: SIMD3<Int32>
        /// Rows of the inverse of (v₀ v₁ v₂): the weight of corner i is rowᵢ · p.
        var row0, row1, row2: Vector

        @inline(__always)
        func weights(of p: Vector) -> Vector { Vector(row0.dot(p), row1.dot(p), row2.dot(p)) }
    }

    static let cellsPerEdge = 16
    /// A direction that is so far inside one triangle lies in no other.
    private static let leastWithin = 1e-6
    /// Weights below this are rounding noise of single-precision directions; −100 dB.
    private static let leastWeight = 1e-5

    package let triangleCount: Int
    private let triangles: UnsafeMutablePointer<Triangle>
    private let starts: UnsafeMutablePointer<Int32>

    /// - Parameters:
    ///   - directions: unit vectors. - corners: triangles between them, counter-clockwise from outside.
    package init(directions: [Vector], corners: [SIMD3<Int32>]) {
        let built = SphereMesh.triangles(directions, corners)
        triangleCount = built.count
        triangles = .allocate(capacity: max(built.count, 1))
        triangles.initialize(from: built, count: built.count)
        let cells = 6 * SphereMesh.cellsPerEdge * SphereMesh.cellsPerEdge
        starts = .allocate(capacity: cells)
        var last = 0
        for cell in 0..<cells {
            let centre = SphereMesh.centre(ofCell: cell)
            // From the cell before it is a few steps. Beyond the rim, and on an edge, all are compared.
            let found = triangleCount > 0 ? walk(to: centre, from: last) : nil
            if let found, found.weights.min() > SphereMesh.leastWithin {
                last = found.index
            } else {
                last = Int(SphereMesh.best(for: centre, in: built))
            }
            starts[cell] = Int32(last)
        }
    }

    package func deallocate() {
        triangles.deallocate()
        starts.deallocate()
    }

    /// The triangle around a unit vector; the nearest one beyond the rim. Without triangles, corner 0 alone.
    /// - Parameter last: the triangle of a direction that is probably near, or −1. The search begins with it, and finds
    ///   the same as without.
    package func locate(_ p: Vector, near last: Int32 = -1) -> Place {
        guard triangleCount > 0 else { return Place(corners: .zero, weights: Vector(1, 0, 0), triangle: -1) }
        if last >= 0, Int(last) < triangleCount {
            let weights = triangles[Int(last)].weights(of: p)
            if weights.min() > Self.leastWithin {
                return Place(
                    corners: triangles[Int(last)].corners, weights: SphereMesh.cleaned(weights), triangle: last)
            }
        }
        let found = walk(to: p, from: Int(starts[SphereMesh.cell(of: p)]))
        return Place(
            corners: triangles[found.index].corners, weights: SphereMesh.cleaned(found.weights),
            triangle: Int32(found.index))
    }

    /// From neighbour to neighbour, to the triangle around a unit vector or to the rim in its way.
    @inline(__always)
    private func walk(to p: Vector, from start: Int) -> (index: Int, weights: Vector) {
        var index = start
        var weights = triangles[index].weights(of: p)
        // Far more steps than any walk needs; the bound is for peace of mind, not for reaching the goal.
        for _ in 0..<256 {
            let least = weights.min()
            guard least < 0 else { break }
            let side = weights.x == least ? 0 : (weights.y == least ? 1 : 2)
            let next = Int(triangles[index].neighbours[side])
            // Back and forth over one edge: the direction lies on it.
            guard next >= 0, least < -1e-12 else { break }
            index = next
            weights = triangles[index].weights(of: p)
        }
        return (index, weights)
    }

    /// Asks for a triangle to be brought near the processor.
    func prefetch(_ triangle: Int32) {
        guard triangle >= 0 else { return }
        ossicle_prefetch(
            UnsafeRawPointer(triangles + Int(triangle)).assumingMemoryBound(to: Float.self),
            MemoryLayout<Triangle>.stride / MemoryLayout<Float>.stride)
    }

    @inline(__always)
    private static func cleaned(_ weights: Vector) -> Vector {
        let most = weights.max()
        // Far beyond the rim of an open mesh: the corner that is least wrong.
        guard most > 0 else { return Vector.zero.replacing(with: 1, where: weights .== most) }
        return weights.replacing(with: 0, where: weights .< leastWeight * most)
    }
}

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
            return Triangle(
                corners: c, neighbours: SIMD3(beyond[0], beyond[1], beyond[2]),
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
