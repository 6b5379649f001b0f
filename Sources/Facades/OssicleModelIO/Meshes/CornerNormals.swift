import OssicleCore
import OssicleSIMD

/// The normal at every corner of every face: the sum of the normals of the faces that meet there, each weighted by its angle.
///
/// The angle as weight makes the result independent of how a face is cut into triangles.
/// Source: G. Thuermer and C. A. Wuethrich, Computing vertex normals from polygonal facets, Journal of Graphics Tools 3 (1998).
struct CornerNormals {
    /// Per list and corner; nil for what is no face and what lies beyond the positions.
    private(set) var corners: [[SIMD3<Double>?]]

    private struct Share {
        var normal: SIMD3<Double>
        var angle: Double
    }

    init(of lists: [PolygonList], positions: [SIMD3<Double>], creaseThreshold: Double) {
        let points = Self.weld(positions)
        var shares: [[Share]] = Array(repeating: [], count: points.count)
        var own = lists.map { [SIMD3<Double>?](repeating: nil, count: $0.corners.count) }
        for (number, list) in lists.enumerated() {
            list.forEach { polygon in
                let vertices = list.corners[polygon].map(Int.init)
                guard vertices.count > 2, vertices.allSatisfy({ $0 < positions.count }) else { return }
                let outline = vertices.map { positions[$0] }
                let normal = Self.normal(outline)
                for (index, corner) in polygon.enumerated() {
                    own[number][corner] = normal
                    shares[points.of[vertices[index]]].append(Share(normal: normal, angle: Self.angle(index, outline)))
                }
            }
        }
        let smooth = creaseThreshold > 0 ? [] : shares.map { Self.sum($0) { _ in true } }
        corners = zip(lists, own).map { list, own in
            zip(list.corners, own).map { vertex, own in
                guard let own else { return nil }
                let point = points.of[Int(vertex)]
                // The slack keeps two halves of one plane together.
                let sum = smooth.isEmpty ? Self.sum(shares[point]) { simd_dot($0, own) >= creaseThreshold - 1e-6 } : smooth[point]
                let size = simd_length(sum)
                return size > 0 && size.isFinite ? sum / size : own
            }
        }
    }

    private static func sum(_ shares: [Share], where belongs: (SIMD3<Double>) -> Bool) -> SIMD3<Double> {
        shares.reduce(into: .zero) { if belongs($1.normal) { $0 += $1.normal * $1.angle } }
    }

    /// Numbers positions so that equal ones have equal numbers.
    private static func weld(_ positions: [SIMD3<Double>]) -> (of: [Int], count: Int) {
        var numbers: [SIMD3<Double>: Int] = [:]
        let of = positions.map { position in
            if let number = numbers[position] { return number }
            let number = numbers.count
            numbers[position] = number
            return number
        }
        return (of, numbers.count)
    }

    /// The direction of the polygon's area, which holds for bent ones too; zero for those without area.
    private static func normal(_ outline: [SIMD3<Double>]) -> SIMD3<Double> {
        var sum = SIMD3<Double>.zero
        for index in outline.indices.dropFirst().dropLast() {
            sum += simd_cross(outline[index] - outline[0], outline[index + 1] - outline[0])
        }
        let size = simd_length(sum)
        return size > 0 && size.isFinite ? sum / size : .zero
    }

    private static func angle(_ index: Int, _ outline: [SIMD3<Double>]) -> Double {
        let corner = outline[index]
        let (before, after) = (outline[(index + outline.count - 1) % outline.count] - corner, outline[(index + 1) % outline.count] - corner)
        return DeterministicMath.atan2(simd_length(simd_cross(before, after)), simd_dot(before, after))
    }
}
