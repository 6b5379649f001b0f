import OssicleCore

/// The diffracting edges of a geometry, in its own coordinates.
package final class EdgeSet: Sendable {
    /// In an order that depends on the mesh alone.
    package let wedges: [Wedge]
    /// Those that may go on in other geometries, the longest first.
    let longest: [Int]
    /// In which a search finds places in `order`.
    let tree: BoxTree
    /// Wedges by the flat face they border on, see `Wedge.faces`.
    private let borders: [[Int32]]

    /// The longest are kept where a geometry has more: a mesh cut this finely has no edge that matters alone.
    package static let mostEdges = 4096
    private static let mostLong = 64

    init(_ mesh: TriangleMesh) {
        let joined = EdgeChains.joined(EdgeFinder.edges(of: mesh))
        let kept = joined.indices.sorted { (-joined[$0].wedge.length, $0) < (-joined[$1].wedge.length, $1) }.prefix(EdgeSet.mostEdges).sorted()
        var wedges = kept.map { joined[$0].wedge }
        var borders = [[Int32]](repeating: [], count: Int((wedges.map { $0.faces.max() }.max() ?? -1) + 1))
        for (index, wedge) in wedges.enumerated() {
            borders[Int(wedge.faces.x)].append(Int32(index))
            if wedge.faces.y != wedge.faces.x { borders[Int(wedge.faces.y)].append(Int32(index)) }
        }
        for index in wedges.indices {
            let wedge = wedges[index]
            wedges[index].depths = SIMD2(EdgeSet.depth(of: borders[Int(wedge.faces.x)], wedges, from: wedge.start, towards: wedge.along),
                                         EdgeSet.depth(of: borders[Int(wedge.faces.y)], wedges, from: wedge.start, towards: wedge.farAlong))
        }
        self.wedges = wedges
        self.borders = borders
        longest = Array(wedges.indices.sorted { (-wedges[$0].length, $0) < (-wedges[$1].length, $1) }.prefix(EdgeSet.mostLong))
        tree = BoxTree(wedges.map(\.bounds))
    }

    /// How far a flat face with these borders reaches. Of a rim of very many parts some are enough.
    private static func depth(of borders: [Int32], _ wedges: [Wedge], from start: Vector, towards direction: Vector) -> Double {
        borders.prefix(64).reduce(0) { depth, index in
            let wedge = wedges[Int(index)]
            return max(depth, max((wedge.start - start).dot(direction), (wedge.end - start).dot(direction)))
        }
    }

    /// Wedges that border on one of the flat faces of a wedge, at most `limit` for each of the two.
    func neighbours(of index: Int, limit: Int = 8) -> [Int] {
        let faces = wedges[index].faces
        let near = borders[Int(faces.x)].prefix(limit) + (faces.x == faces.y ? [] : borders[Int(faces.y)].prefix(limit))
        return near.map { Int($0) }.filter { $0 != index }
    }
}
