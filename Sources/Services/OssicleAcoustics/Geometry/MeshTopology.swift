import OssicleCore

/// How a mesh hangs together: its pieces, which of them close around a volume, and which side of them is out.
///
/// Vertices at the same place count as one, whatever the mesh's maker thought: boxes come with three vertices per
/// corner, one for each normal. A piece is what hangs together by edges. It is closed when every edge of it carries an
/// even number of triangles.
struct MeshTopology {
    /// Piece of each triangle; −1 for triangles that are a line or a point.
    private(set) var pieces: [Int32]
    private(set) var isClosed: [Bool] = []
    /// +1 where the normals of a piece look out of the solid, −1 where they look in, 0 where the winding tells nothing.
    private(set) var outward: [Int8] = []

    init(_ mesh: TriangleMesh) {
        let corners = VertexWelding.weld(mesh)
        var sets = DisjointSets(count: mesh.triangles.count)
        var edges = MeshTopology.edges(corners)
        edges.sort { ($0.key, $0.triangle) < ($1.key, $1.triangle) }
        MeshTopology.forEachEdge(edges) { group in
            for edge in group { sets.join(Int(edge.triangle), Int(edges[group.startIndex].triangle)) }
        }
        pieces = [Int32](repeating: -1, count: mesh.triangles.count)
        number(&sets, corners)
        var winds = isClosed
        MeshTopology.forEachEdge(edges) { group in
            let piece = Int(pieces[Int(edges[group.startIndex].triangle)])
            if group.count % 2 != 0 { isClosed[piece] = false }
            if group.reduce(0, { $0 + Int($1.turn) }) != 0 { winds[piece] = false }
        }
        outward = MeshTopology.windings(mesh, pieces, winds: zip(isClosed, winds).map { $0 && $1 })
    }

    private struct Edge {
        /// The welded vertices, the smaller number in the upper half.
        var key: UInt64
        var triangle: Int32
        /// +1 where the triangle runs along it from the smaller to the larger number.
        var turn: Int8
    }

    private static func edges(_ corners: [SIMD3<Int32>]) -> [Edge] {
        var edges: [Edge] = []
        edges.reserveCapacity(corners.count * 3)
        for (index, t) in corners.enumerated() where !isCollapsed(t) {
            for (a, b) in [(t.x, t.y), (t.y, t.z), (t.z, t.x)] {
                let key = UInt64(UInt32(min(a, b))) << 32 | UInt64(UInt32(max(a, b)))
                edges.append(Edge(key: key, triangle: Int32(index), turn: a < b ? 1 : -1))
            }
        }
        return edges
    }

    private static func isCollapsed(_ t: SIMD3<Int32>) -> Bool { t.x == t.y || t.y == t.z || t.z == t.x }

    private static func forEachEdge(_ edges: [Edge], _ visit: (ArraySlice<Edge>) -> Void) {
        var start = 0
        while start < edges.count {
            var end = start + 1
            while end < edges.count, edges[end].key == edges[start].key { end += 1 }
            visit(edges[start..<end])
            start = end
        }
    }

    /// Numbers the pieces in the order of their first triangles.
    private mutating func number(_ sets: inout DisjointSets, _ corners: [SIMD3<Int32>]) {
        var numbers: [Int: Int32] = [:]
        for (index, t) in corners.enumerated() where !MeshTopology.isCollapsed(t) {
            let root = sets.root(index)
            let piece = numbers[root] ?? Int32(numbers.count)
            numbers[root] = piece
            pieces[index] = piece
        }
        isClosed = [Bool](repeating: true, count: numbers.count)
    }

    /// The sign of each piece's volume, turned for cavities: a shell inside a larger one and wound against it bounds
    /// the same solid from within, so its normals too look out of the solid.
    private static func windings(_ mesh: TriangleMesh, _ pieces: [Int32], winds: [Bool]) -> [Int8] {
        var volumes = [Double](repeating: 0, count: winds.count)
        var areas = volumes
        var boxes = [Bounds](repeating: .empty, count: winds.count)
        for (index, piece) in pieces.enumerated() where piece >= 0 && winds[Int(piece)] {
            let (a, b, c) = mesh.corners(index)
            let normal = (b - a).cross(c - a)
            for corner in [a, b, c] { boxes[Int(piece)].include(corner) }
            areas[Int(piece)] += normal.magnitude / 2
        }
        for (index, piece) in pieces.enumerated() where piece >= 0 && winds[Int(piece)] {
            let (a, b, c) = mesh.corners(index)
            // Measured from the piece's own corner: far from the origin the volume would drown in rounding.
            volumes[Int(piece)] += (a - boxes[Int(piece)].lower).dot((b - a).cross(c - a)) / 6
        }
        // A doubled sheet closes around nothing: its volume is rounding.
        let signs = winds.indices.map { piece -> Int8 in
            guard winds[piece], volumes[piece].magnitude > 1e-9 * areas[piece] * areas[piece].squareRoot() else {
                return 0
            }
            return volumes[piece] > 0 ? 1 : -1
        }
        return cavities(signs, boxes).enumerated().map { $1 ? -signs[$0] : signs[$0] }
    }

    /// Which pieces lie within the box of a piece wound the other way.
    private static func cavities(_ signs: [Int8], _ boxes: [Bounds]) -> [Bool] {
        let outer = BoxTree(boxes.indices.map { signs[$0] == 0 ? .empty : boxes[$0] })
        return boxes.indices.map { piece in
            guard signs[piece] != 0 else { return false }
            return outer.view.search(Segment(from: boxes[piece].lower, to: boxes[piece].upper)) { place in
                let other = Int(outer.order[place])
                return signs[other] == -signs[piece] && boxes[other].contains(boxes[piece])
            }
        }
    }
}

/// Finds the vertices that lie at one place.
enum VertexWelding {
    /// The mesh's triangles with welded vertex numbers.
    ///
    /// Two steps, because most copies are exact and hashing bits is cheap: equal coordinates first, then what is left
    /// within a millionth of the mesh's size (the seam of a sphere closes with sin 2π, which is not quite 0).
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
                let number = near((place - bounds.lower) / cell, Int32(index), grid: &grid)
                exact[place] = number
                numbers[index] = number
            }
        }
        return mesh.triangles.map { SIMD3(numbers[Int($0.x)], numbers[Int($0.y)], numbers[Int($0.z)]) }
    }

    /// The number of a vertex in this or the next cell towards it, else its own, which is then entered.
    private static func near(_ place: Vector, _ number: Int32, grid: inout [SIMD3<Int64>: Int32]) -> Int32 {
        let floor = place.rounded(.down)
        let side = (place - floor).replacing(
            with: Vector(repeating: -1), where: (place - floor) .< Vector(repeating: 0.5)
        )
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

/// Sets that grow together (union–find with path halving). The smallest member speaks for its set.
struct DisjointSets {
    private var parents: [Int32]

    init(count: Int) { parents = (0..<Int32(clamping: count)).map { $0 } }

    mutating func root(_ member: Int) -> Int {
        var m = member
        while Int(parents[m]) != m {
            parents[m] = parents[Int(parents[m])]
            m = Int(parents[m])
        }
        return m
    }

    mutating func join(_ a: Int, _ b: Int) {
        let (x, y) = (root(a), root(b))
        if x != y { parents[max(x, y)] = Int32(min(x, y)) }
    }
}
