import OssicleCore

/// The sphere cut into triangles between given directions: the convex hull of their unit vectors (which is the Delaunay
/// triangulation on the sphere). Control side; built incrementally, O(n²).
///
/// Measurements lie on rings and loudspeakers in rectangles, so four points often share a plane and either diagonal
/// would do. Each point is therefore lifted by a hair (below 10⁻⁷), differently for each index: the choice is then
/// clear, the same everywhere, and no triangle is lost to rounding. A direction met twice is used once.
package struct SphericalTriangulation {
    /// Corner indices, counter-clockwise seen from outside.
    package private(set) var triangles: [SIMD3<Int32>] = []
    private let points: [Vector]

    /// Fewer than four directions, or all of them in one plane, give no triangles.
    package init(_ directions: [Vector]) {
        let lift = CounterRandom(seed: 0, object: 0)
        points = directions.enumerated().map { $1 * (1 + 1e-7 * lift.unit(UInt64($0))) }
        guard let start = firstTetrahedron() else { return }
        triangles = faces(of: start)
        for point in points.indices where !start.contains(point) { add(Int32(point)) }
    }

    /// The smallest distance of a face's plane from the centre: positive where the centre is inside the hull.
    package var insideRadius: Double {
        triangles.map { face in
            let normal = self.normal(face)
            return normal.dot(points[Int(face.x)]) / normal.magnitude
        }.min() ?? -1
    }

    private func normal(_ face: SIMD3<Int32>) -> Vector {
        let origin = points[Int(face.x)]
        return (points[Int(face.y)] - origin).cross(points[Int(face.z)] - origin)
    }

    private func isVisible(_ face: SIMD3<Int32>, from point: Int32) -> Bool {
        normal(face).dot(points[Int(point)] - points[Int(face.x)]) > 1e-15
    }

    private mutating func add(_ point: Int32) {
        let visible = triangles.filter { isVisible($0, from: point) }
        guard !visible.isEmpty else { return }
        let edges = visible.flatMap { [SIMD2($0.x, $0.y), SIMD2($0.y, $0.z), SIMD2($0.z, $0.x)] }
        let known = Set(edges)
        let hidden = triangles.filter { !isVisible($0, from: point) }
        let horizon = edges.filter { !known.contains(SIMD2($0.y, $0.x)) }
        triangles = hidden + horizon.map { SIMD3($0.x, $0.y, point) }
    }

    private func firstTetrahedron() -> [Int]? {
        guard points.count >= 4 else { return nil }
        let a = points[0]
        let i = farthest { ($0 - a).lengthSquared }
        let b = points[i]
        let j = farthest { ($0 - a).cross(b - a).lengthSquared }
        let plane = (b - a).cross(points[j] - a)
        let k = farthest { plane.dot($0 - a).magnitude }
        return plane.dot(points[k] - a).magnitude > 1e-6 ? [0, i, j, k] : nil
    }

    private func farthest(by measure: (Vector) -> Double) -> Int {
        points.indices.max { measure(points[$0]) < measure(points[$1]) } ?? 0
    }

    private func faces(of corners: [Int]) -> [SIMD3<Int32>] {
        let centre = corners.reduce(Vector.zero) { $0 + points[$1] } / 4
        let c = corners.map { Int32($0) }
        return [SIMD3(c[0], c[1], c[2]), SIMD3(c[0], c[1], c[3]), SIMD3(c[0], c[2], c[3]), SIMD3(c[1], c[2], c[3])].map
        { face in
            normal(face).dot(points[Int(face.x)] - centre) > 0 ? face : SIMD3(face.x, face.z, face.y)
        }
    }
}
