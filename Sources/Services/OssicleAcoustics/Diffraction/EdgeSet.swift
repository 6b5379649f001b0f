import OssicleCore
import Synchronization

/// The diffracting edges of a geometry, in its own coordinates.
package final class EdgeSet: Sendable {
    /// In an order that depends on the mesh alone.
    package let wedges: [Wedge]
    /// Those that may go on in other geometries, the longest first.
    let longest: [Int]
    /// What the whole geometry is where it is one convex solid.
    let body: ConvexBody?
    /// In which a search finds places in `order`.
    let tree: BoxTree
    /// Wedges by the flat face they border on, see `Wedge.faces`.
    private let borders: [[Int32]]

    /// The longest are kept where a geometry has more: a mesh cut this finely has no edge that matters alone.
    package static let mostEdges = 4096
    private static let mostLong = 64

    convenience init(_ mesh: TriangleMesh) { self.init(MeshGeometry(mesh)) }

    init(_ geometry: MeshGeometry) {
        let mesh = geometry.mesh
        body = ConvexBody(geometry)
        let joined = EdgeChains.joined(EdgeFinder.edges(of: mesh))
        let kept = joined.indices.sorted { (-joined[$0].wedge.length, $0) < (-joined[$1].wedge.length, $1) }.prefix(
            EdgeSet.mostEdges
        ).sorted()
        var wedges = kept.map { joined[$0].wedge }
        var borders = [[Int32]](repeating: [], count: Int((wedges.map { $0.faces.max() }.max() ?? -1) + 1))
        for (index, wedge) in wedges.enumerated() {
            borders[Int(wedge.faces.x)].append(Int32(index))
            if wedge.faces.y != wedge.faces.x { borders[Int(wedge.faces.y)].append(Int32(index)) }
        }
        for index in wedges.indices {
            let wedge = wedges[index]
            wedges[index].depths = SIMD2(
                EdgeSet.depth(of: borders[Int(wedge.faces.x)], wedges, from: wedge.start, towards: wedge.along),
                EdgeSet.depth(of: borders[Int(wedge.faces.y)], wedges, from: wedge.start, towards: wedge.farAlong))
        }
        self.wedges = wedges
        self.borders = borders
        longest = Array(
            wedges.indices.sorted { (-wedges[$0].length, $0) < (-wedges[$1].length, $1) }.prefix(EdgeSet.mostLong))
        tree = BoxTree(wedges.map(\.bounds))
    }

    /// How far a flat face with these borders reaches. Of a rim of very many parts some are enough.
    private static func depth(
        of borders: [Int32], _ wedges: [Wedge], from start: Vector, towards direction: Vector
    ) -> Double {
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

/// Finds a geometry's edges when somebody first asks, once.
final class EdgeCache: Sendable {
    private let found = Mutex<EdgeSet?>(nil)

    func edges(_ make: () -> EdgeSet) -> EdgeSet {
        found.withLock { known in
            let edges = known ?? make()
            known = edges
            return edges
        }
    }
}

extension MeshGeometry {
    /// Its diffracting edges. The first call takes as long as the mesh is large: some tenths of a second for 200 000
    /// triangles.
    package var edges: EdgeSet { edgeCache.edges { EdgeSet(self) } }
}

/// How sound gets to an edge and on from it where it does not go straight: an image's goes by its reflectors.
struct EdgeAccess {
    /// Whether sound of the start gets to a place beside the edge; nil where it goes straight.
    var arrives: ((Vector) -> Bool)?
    /// Whether sound gets from a place beside the edge to the end.
    var leaves: ((Vector) -> Bool)?
}

/// Tells by rays whether sound gets around edges.
///
/// Rays pass a millimetre outside the edge, so that the wedge itself is not in their way, and are joined there by a
/// short ray across: what touches the edge and closes its open side, the floor a wall stands on or the next piece of
/// the wall, lies between them.
struct EdgeProbe<Tracer: RayTracer>: Sendable {
    let tracer: Tracer

    /// Whether the path by a point of one edge is free.
    func isFree(
        from start: Vector, over wedge: Wedge, at point: Vector, to end: Vector, _ access: EdgeAccess = EdgeAccess()
    ) -> Bool {
        let aside = EdgeProbe.aside(wedge, point)
        guard turnsFreely(start, aside, end: end) else { return false }
        // A ray costs less than a row of reflectors.
        return access.arrives == nil
            ? isOpen(from: start, to: aside, nil) && isOpen(from: end, to: aside, access.leaves)
            : isOpen(from: end, to: aside, access.leaves) && isOpen(from: start, to: aside, access.arrives)
    }

    /// The same for a point on each of two edges.
    func isFree(
        from start: Vector, over first: (wedge: Wedge, point: Vector), second: (wedge: Wedge, point: Vector),
        to end: Vector, _ access: EdgeAccess = EdgeAccess()
    ) -> Bool {
        let (a, b) = (EdgeProbe.aside(first.wedge, first.point), EdgeProbe.aside(second.wedge, second.point))
        return !tracer.isBlocked(from: a, to: b) && isOpen(from: start, to: a, access.arrives)
            && isOpen(from: end, to: b, access.leaves) && turnsFreely(start, a, end: b) && turnsFreely(a, b, end: end)
    }

    private func isOpen(from start: Vector, to aside: Vector, _ reaches: ((Vector) -> Bool)?) -> Bool {
        reaches.map { $0(aside) } ?? !tracer.isBlocked(from: start, to: aside)
    }

    /// Whether nothing closes the open side of an edge at a point of it: rays around it, from face to face.
    func isExposed(_ wedge: Wedge, at point: Vector) -> Bool {
        let radius = EdgeProbe.margin(point)
        func stop(_ share: Double) -> Vector {
            let (s, c) = DeterministicMath.sincos(share * wedge.openness * DeterministicMath.pi)
            return point + (wedge.along * c + wedge.across * s) * radius
        }
        // Shares of the open angle; none where a face continues that of a right angle, because what touches a ray's end
        // is not in its way.
        // What continues a face of a right angle ends in the second part or the third.
        let (second, third) = (stop(0.3), stop(0.63))
        return !tracer.isBlocked(from: second, to: third) && !tracer.isBlocked(from: third, to: stop(0.98))
            && !tracer.isBlocked(from: stop(0.02), to: second)
    }

    /// A millimetre, more where coordinates are so large that single precision blurs it.
    static func margin(_ point: Vector) -> Double {
        1e-3 + 1e-6 * max(point.x.magnitude, max(point.y.magnitude, point.z.magnitude))
    }

    private static func aside(_ wedge: Wedge, _ point: Vector) -> Vector {
        point + wedge.outward * margin(point)
    }

    /// Whether nothing lies between the two sides of a point where a path turns.
    private func turnsFreely(_ start: Vector, _ corner: Vector, end: Vector) -> Bool {
        let step = 0.3 * EdgeProbe.margin(corner)
        guard let back = (start - corner).direction, let ahead = (end - corner).direction else { return true }
        return !tracer.isBlocked(from: corner + back * step, to: corner + ahead * step)
    }
}
