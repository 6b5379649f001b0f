import OssicleCore

/// Finds where the triangles of a mesh meet so that more than half of the space is open. Asks for no winding: only for
/// where the triangles are.
enum EdgeFinder {
    struct Edge {
        var wedge: Wedge
        /// Welded vertices at its start and end.
        var corners: SIMD2<Int32>
    }

    /// Up to 2° of bend count as flat: a triangulated plane has no edges, nor has a finely cut curve.
    static let flatness = 2.0 / 180

    /// A triangle at one of its sides.
    private struct Side {
        /// The welded vertices, the smaller number in the upper half.
        let key: UInt64
        let triangle: Int32
    }

    static func edges(of mesh: TriangleMesh) -> [Edge] {
        let corners = VertexWelding.weld(mesh)
        let places = places(mesh, corners)
        var sides: [Side] = []
        sides.reserveCapacity(3 * corners.count)
        for (index, t) in corners.enumerated() where t.x != t.y && t.y != t.z && t.z != t.x {
            for (a, b) in [(t.x, t.y), (t.y, t.z), (t.z, t.x)] {
                sides.append(
                    Side(key: UInt64(UInt32(min(a, b))) << 32 | UInt64(UInt32(max(a, b))), triangle: Int32(index)))
            }
        }
        sides.sort { ($0.key, $0.triangle) < ($1.key, $1.triangle) }
        var flat = DisjointSets(count: corners.count)
        var edges: [Edge] = []
        var first = 0
        while first < sides.count {
            var end = first + 1
            while end < sides.count, sides[end].key == sides[first].key { end += 1 }
            let ends = SIMD2(
                Int32(truncatingIfNeeded: sides[first].key >> 32), Int32(truncatingIfNeeded: sides[first].key))
            if let wedge = wedge(ends, sides[first..<end], corners: corners, places: places, flat: &flat) {
                edges.append(Edge(wedge: wedge, corners: ends))
            }
            first = end
        }
        return numbered(edges, &flat)
    }

    /// Where the welded vertices lie.
    private static func places(_ mesh: TriangleMesh, _ corners: [SIMD3<Int32>]) -> [Vector] {
        var places = [Vector](repeating: .zero, count: mesh.vertices.count)
        for (given, welded) in zip(mesh.triangles, corners) {
            for corner in 0..<3 where given[corner] == welded[corner] {
                places[Int(given[corner])] = mesh.vertices[Int(given[corner])]
            }
        }
        return places
    }

    /// The largest open sector between the triangles at one line. Nil where it is no more than half of the space; where
    /// just half of it is open on either side, the triangles are one flat face.
    private static func wedge(
        _ ends: SIMD2<Int32>, _ sides: ArraySlice<Side>, corners: [SIMD3<Int32>], places: [Vector],
        flat: inout DisjointSets
    ) -> Wedge? {
        let (start, end) = (places[Int(ends.x)], places[Int(ends.y)])
        guard let direction = (end - start).direction else { return nil }
        var fan: [(angle: Double, along: Vector, triangle: Int32)] = []
        for side in sides {
            let t = corners[Int(side.triangle)]
            let third = t.x != ends.x && t.x != ends.y ? t.x : (t.y != ends.x && t.y != ends.y ? t.y : t.z)
            let offset = places[Int(third)] - start
            let aside = offset - direction * offset.dot(direction)
            // A triangle that is a line lies in no direction.
            guard aside.lengthSquared > 1e-18 * offset.lengthSquared, let along = aside.direction else { continue }
            let zero = fan.first?.along ?? along
            let angle = DeterministicMath.atan2(direction.cross(zero).dot(along), zero.dot(along))
            fan.append((angle < 0 ? angle + 2 * DeterministicMath.pi : angle, along, side.triangle))
        }
        guard !fan.isEmpty else { return nil }
        fan.sort { ($0.angle, $0.triangle) < ($1.angle, $1.triangle) }
        var widest = (gap: -1.0, from: 0)
        for place in fan.indices {
            let next = place + 1 < fan.count ? fan[place + 1].angle : fan[0].angle + 2 * DeterministicMath.pi
            if next - fan[place].angle > widest.gap { widest = (next - fan[place].angle, place) }
        }
        let openness = widest.gap / DeterministicMath.pi
        let (near, far) = (fan[widest.from], fan[widest.from + 1 < fan.count ? widest.from + 1 : 0])
        guard openness > 1 + flatness else {
            if openness > 1 - flatness { flat.join(Int(near.triangle), Int(far.triangle)) }
            return nil
        }
        return Wedge(
            start: start, direction: direction, length: (end - start).magnitude, along: near.along,
            across: direction.cross(near.along), openness: openness > 2 - 1e-6 ? 2 : openness,
            faces: SIMD2(near.triangle, far.triangle))
    }

    /// With the faces numbered by flat face, in the order in which edges name them, instead of by triangle.
    private static func numbered(_ edges: [Edge], _ flat: inout DisjointSets) -> [Edge] {
        var numbers: [Int: Int32] = [:]
        return edges.map { edge in
            var result = edge
            let roots = [flat.root(Int(edge.wedge.faces.x)), flat.root(Int(edge.wedge.faces.y))]
            for root in roots where numbers[root] == nil { numbers[root] = Int32(numbers.count) }
            result.wedge.faces = SIMD2(numbers[roots[0]] ?? 0, numbers[roots[1]] ?? 0)
            return result
        }
    }
}

/// Joins edges that continue each other: triangulation cuts one edge of a wall into many.
enum EdgeChains {
    /// In the order of each chain's first edge.
    static func joined(_ edges: [EdgeFinder.Edge]) -> [EdgeFinder.Edge] {
        let atCorner = incidence(edges)
        var isUsed = [Bool](repeating: false, count: edges.count)
        var chains: [EdgeFinder.Edge] = []
        for seed in edges.indices where !isUsed[seed] {
            isUsed[seed] = true
            let wedge = edges[seed].wedge
            var corners = edges[seed].corners
            var reach = (from: 0.0, to: wedge.length)
            for isForward in [true, false] {
                var corner = isForward ? corners.y : corners.x
                // Compared with the first, so that a polygon with many sides does not become one line.
                while let next = atCorner[Int(corner)].first(where: {
                    !isUsed[Int($0)] && wedge.isParallel(to: edges[Int($0)].wedge)
                }) {
                    isUsed[Int(next)] = true
                    let edge = edges[Int(next)]
                    corner = edge.corners.x == corner ? edge.corners.y : edge.corners.x
                    for end in [edge.wedge.start, edge.wedge.end] {
                        let place = (end - wedge.start).dot(wedge.direction)
                        reach = (min(reach.from, place), max(reach.to, place))
                    }
                }
                if isForward { corners.y = corner } else { corners.x = corner }
            }
            let whole = Wedge(
                start: wedge.start + wedge.direction * reach.from, direction: wedge.direction,
                length: reach.to - reach.from,
                along: wedge.along, across: wedge.across, openness: wedge.openness, faces: wedge.faces)
            chains.append(EdgeFinder.Edge(wedge: whole, corners: corners))
        }
        return chains
    }

    /// The edges at each welded vertex.
    private static func incidence(_ edges: [EdgeFinder.Edge]) -> [[Int32]] {
        var result = [[Int32]](repeating: [], count: Int((edges.map { $0.corners.max() }.max() ?? -1) + 1))
        for (index, edge) in edges.enumerated() {
            result[Int(edge.corners.x)].append(Int32(index))
            result[Int(edge.corners.y)].append(Int32(index))
        }
        return result
    }
}
