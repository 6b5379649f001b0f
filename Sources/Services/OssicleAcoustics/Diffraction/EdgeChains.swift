import OssicleCore

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
                while let next = atCorner[Int(corner)].first(where: { !isUsed[Int($0)] && wedge.isParallel(to: edges[Int($0)].wedge) }) {
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
            let whole = Wedge(start: wedge.start + wedge.direction * reach.from, direction: wedge.direction, length: reach.to - reach.from,
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
