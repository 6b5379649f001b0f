import OssicleCore

/// Finds the triangle of directions around any direction, and the weights of its corners: p = Σ gᵢ·vᵢ.
///
/// A cube map of starting triangles, then a walk from neighbour to neighbour; memory reads and arithmetic only, so `locate`
/// belongs on the audio thread. Made on the control side. A handle: whoever made it calls `deallocate()`.
package struct SphereMesh: BitwiseCopyable, @unchecked Sendable {
    /// A direction expressed by three corners. Weights are ≥ 0; exactly 0 for a corner that has no share.
    package struct Place: BitwiseCopyable {
        package var corners: SIMD3<Int32>
        package var weights: Vector
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
        for cell in 0..<cells { starts[cell] = SphereMesh.best(for: SphereMesh.centre(ofCell: cell), in: built) }
    }

    package func deallocate() {
        triangles.deallocate()
        starts.deallocate()
    }

    /// The triangle around a unit vector; the nearest one beyond the rim. Without triangles, corner 0 alone.
    package func locate(_ p: Vector) -> Place {
        guard triangleCount > 0 else { return Place(corners: .zero, weights: Vector(1, 0, 0)) }
        var index = Int(starts[SphereMesh.cell(of: p)])
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
        return Place(corners: triangles[index].corners, weights: SphereMesh.cleaned(weights))
    }

    @inline(__always)
    private static func cleaned(_ weights: Vector) -> Vector {
        let most = weights.max()
        // Far beyond the rim of an open mesh: the corner that is least wrong.
        guard most > 0 else { return Vector.zero.replacing(with: 1, where: weights .== most) }
        return weights.replacing(with: 0, where: weights .< leastWeight * most)
    }
}
