import OssicleCore

/// A body that sounds all over its surface, reduced to points that stand for equal parts of it. Built once, in the
/// body's coordinates.
package struct SourceShape: Sendable {
    /// Where rays go. Empty when no mesh has a surface; the source then sounds from its centre.
    package let points: [Vector]
    /// Finer places for the distance, which asks for no ray: `placesPerPoint` of each point's part of the surface, in a
    /// row for eight points.
    let places: [Places]
    /// Mean place of the surface.
    package let centroid: Vector
    /// ρ² of a disc as large as the part one place stands for.
    let patchRadiusSquared: Double

    /// A multiple of `Places.width`.
    package static let pointCount = 64
    static let placesPerPoint = 8

    /// One place each of eight points.
    struct Places: BitwiseCopyable, Sendable {
        static let width = 8
        private(set) var x = SIMD8<Double>.zero, y = SIMD8<Double>.zero, z = SIMD8<Double>.zero

        /// - Parameter places: `placesPerPoint` of the first point, then those of the next.
        fileprivate static func sideBySide(_ places: [Vector]) -> [Places] {
            stride(from: 0, to: places.count, by: width * placesPerPoint).flatMap { first in
                (first..<(first + placesPerPoint)).map { start in
                    var lanes = Places()
                    for lane in 0..<width {
                        let place = places[start + lane * placesPerPoint]
                        (lanes.x[lane], lanes.y[lane], lanes.z[lane]) = (place.x, place.y, place.z)
                    }
                    return lanes
                }
            }
        }
    }

    private static let candidatesPerPlace = 8

    /// - Parameters:
    ///   - meshes: their surfaces together are the source. - seed: shifts the points on the surface; the same seed, the
    ///     same points.
    package init(meshes: [TriangleMesh], seed: UInt64 = 0) {
        var triangles: [(a: Vector, ab: Vector, ac: Vector)] = []
        var areas: [Double] = []
        var total = 0.0
        for mesh in meshes {
            for index in mesh.triangles.indices {
                let (a, b, c) = mesh.corners(index)
                let area = (b - a).cross(c - a).magnitude / 2
                guard area.isFinite, area > 0, total + area < .infinity else { continue }
                total += area
                triangles.append((a, b - a, c - a))
                areas.append(total)
            }
        }
        guard total > 0 else {
            (points, places, centroid, patchRadiusSquared) = ([], [], .zero, 0)
            return
        }
        // Even steps through the area say which triangle; the R₂ sequence (Roberts 2018) says where in it.
        let random = CounterRandom(seed: seed, object: CounterRandom.number(of: "source shape"))
        let (shift, shiftU, shiftV) = (random.unit(0), random.unit(1), random.unit(2))
        let placeCount = SourceShape.pointCount * SourceShape.placesPerPoint
        let count = placeCount * SourceShape.candidatesPerPlace
        var candidates: [Vector] = []
        var triangle = 0
        for step in 0..<count {
            let target = (Double(step) + shift) / Double(count) * total
            while triangle < areas.count - 1, areas[triangle] < target { triangle += 1 }
            var u = (shiftU + Double(step) * 0.7548776662466927).truncatingRemainder(dividingBy: 1)
            var v = (shiftV + Double(step) * 0.5698402909980532).truncatingRemainder(dividingBy: 1)
            if u + v > 1 { (u, v) = (1 - u, 1 - v) }
            let (a, ab, ac) = triangles[triangle]
            let along: Vector = ab * u
            candidates.append(a + along + ac * v)
        }
        centroid = SourceShape.mean(candidates[...])
        patchRadiusSquared = total / (Double(placeCount) * DeterministicMath.pi)
        let places = SourceShape.representatives(&candidates, 0..<count)
        self.places = Places.sideBySide(places)
        points = stride(from: 0, to: places.count, by: SourceShape.placesPerPoint).map {
            SourceShape.mostCentral(places[$0..<($0 + SourceShape.placesPerPoint)])
        }
    }

    /// Places from which it radiates into a late field, in its coordinates: one for each quarter of its surface.
    package var latePoints: [Vector] {
        stride(from: points.count / 8, to: points.count, by: max(points.count / 4, 1)).map { points[$0] }
    }

    /// Halves the candidates across their longest side until each cell holds as many as one place stands for, and takes
    /// the most central of each cell: equal shares of the surface, evenly spread, whatever the shape.
    private static func representatives(_ candidates: inout [Vector], _ range: Range<Int>) -> [Vector] {
        if range.count <= candidatesPerPlace { return [mostCentral(candidates[range])] }
        var box = Bounds.empty
        for index in range { box.include(candidates[index]) }
        let extent = box.extent
        let axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : (extent.y >= extent.z ? 1 : 2)
        // Sums of a cell depend on the order in it; above, only on which half a candidate is in.
        if range.count <= 2 * candidatesPerPlace {
            candidates[range].sort { precedes($0, $1, axis) }
        } else {
            candidates.withUnsafeMutableBufferPointer { halve(UnsafeMutableBufferPointer(rebasing: $0[range]), axis) }
        }
        let middle = range.lowerBound + range.count / 2
        return representatives(&candidates, range.lowerBound..<middle)
            + representatives(&candidates, middle..<range.upperBound)
    }

    /// Along an axis, then along the others, so that candidates level on it have one order too.
    private static func precedes(_ a: Vector, _ b: Vector, _ axis: Int) -> Bool {
        if a[axis] != b[axis] { return a[axis] < b[axis] }
        let (second, third) = ((axis + 1) % 3, (axis + 2) % 3)
        return (a[second], a[third]) < (b[second], b[third])
    }

    /// Brings the half that comes first to the front, neither half in order (Hoare 1961).
    private static func halve(_ points: UnsafeMutableBufferPointer<Vector>, _ axis: Int) {
        let middle = points.count / 2
        var (low, high) = (0, points.count - 1)
        while low < high {
            let pivot = points[low + (high - low) / 2]
            var (left, right) = (low, high)
            while left <= right {
                while precedes(points[left], pivot, axis) { left += 1 }
                while precedes(pivot, points[right], axis) { right -= 1 }
                guard left <= right else { break }
                points.swapAt(left, right)
                (left, right) = (left + 1, right - 1)
            }
            if middle <= right { high = right } else if middle >= left { low = left } else { return }
        }
    }

    /// The point nearest to the mean of all: unlike the mean it lies on the surface.
    private static func mostCentral(_ points: ArraySlice<Vector>) -> Vector {
        let centre = mean(points)
        return points.min { ($0 - centre).lengthSquared < ($1 - centre).lengthSquared } ?? centre
    }

    private static func mean(_ points: ArraySlice<Vector>) -> Vector {
        points.reduce(.zero, +) / Double(max(points.count, 1))
    }
}
