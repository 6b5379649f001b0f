import OssicleCore

/// All diffracting edges of a scene: each geometry's own tree of edges, and one over where the geometries stand.
struct SceneEdges: Sendable {
    private struct Placed {
        let id: UInt64
        let pose: Pose
        let edges: EdgeSet
    }

    private let placed: [Placed]
    private let tree: BoxTree

    /// How an edge stands to two points.
    struct Standing: OptionSet {
        let rawValue: UInt8
        /// Both are in the open and see each other past it.
        static let sees = Standing(rawValue: 1)
        /// Both are in the open, and it is between them.
        static let parts = Standing(rawValue: 2)
        /// The first is in the open, and does not see the second past it.
        static let hidesLast = Standing(rawValue: 4)
        /// The last is in the open, and does not see the first past it.
        static let hidesFirst = Standing(rawValue: 8)
    }

    struct Candidate {
        /// Metres of the way by this edge alone.
        let length: Double
        let standing: Standing
        /// Index in the scene's list of placed edges, and in that set.
        let place: Int
        let index: Int
    }

    init(_ scene: AcousticScene) {
        var placed: [Placed] = []
        var boxes: [Bounds] = []
        for occluder in scene.occluders where !occluder.bounds.isEmpty {
            placed.append(Placed(id: occluder.id, pose: occluder.pose, edges: occluder.geometry.edges))
            boxes.append(occluder.bounds)
        }
        self.placed = placed
        tree = BoxTree(boxes, leafSize: 1)
    }

    /// In the world.
    func wedge(_ candidate: Candidate) -> Wedge { wedge(candidate.place, candidate.index) }
    private func wedge(_ place: Int, _ index: Int) -> Wedge { placed[place].edges.wedges[index].placed(placed[place].pose) }

    /// The same for the same edge from scene to scene.
    func identity(_ candidate: Candidate) -> UInt64 { SoundPath.identity(placed[candidate.place].id, then: UInt64(candidate.index)) }

    /// Edges that share a flat face with this one, in the world.
    func neighbours(_ candidate: Candidate) -> [Wedge] {
        placed[candidate.place].edges.neighbours(of: candidate.index).map { wedge(candidate.place, $0) }
    }

    /// The `count` edges with the shortest ways between two points, shortest first, ties by place in the scene.
    /// - Parameters: standing: any of these is enough. - longest: metres; longer ways do not count.
    func nearest(from start: Vector, to end: Vector, _ standing: Standing, count: Int, longest: Double = .infinity) -> [Candidate] {
        var found: [Candidate] = []
        found.reserveCapacity(count + 1)
        var limit = longest
        _ = tree.view.search({ SceneEdges.shortest(start, end, $0, $1) <= limit }) { leaf in
            let place = Int(tree.order[leaf])
            let (pose, edges) = (placed[place].pose, placed[place].edges)
            let (a, b, scale) = (pose.toLocal(start), pose.toLocal(end), pose.scale.magnitude)
            return edges.tree.view.search({ SceneEdges.shortest(a, b, $0, $1) * scale <= limit }) { leaf in
                let index = Int(edges.tree.order[leaf])
                let wedge = edges.wedges[index]
                let point = wedge.point(at: wedge.shortestPlace(a, b))
                let length = ((a - point).magnitude + (point - b).magnitude) * scale
                guard length <= limit else { return false }
                let stands = SceneEdges.standing(wedge, a, b)
                guard !stands.isDisjoint(with: standing) else { return false }
                let candidate = Candidate(length: length, standing: stands, place: place, index: index)
                var rank = found.count
                while rank > 0, SceneEdges.isBefore(candidate, found[rank - 1]) { rank -= 1 }
                guard rank < count else { return false }
                found.insert(candidate, at: rank)
                if found.count > count { found.removeLast() }
                if found.count == count { limit = min(limit, found[count - 1].length) }
                return false
            }
        }
        return found
    }

    private static func isBefore(_ a: Candidate, _ b: Candidate) -> Bool { (a.length, a.place, a.index) < (b.length, b.place, b.index) }

    /// No way between two points by way of a box is shorter than this.
    @inline(__always) private static func shortest(_ a: Vector, _ b: Vector, _ lower: Vector, _ upper: Vector) -> Double {
        distance(a, lower, upper) + distance(b, lower, upper)
    }

    @inline(__always) private static func distance(_ p: Vector, _ lower: Vector, _ upper: Vector) -> Double {
        let x = max(max(lower.x - p.x, p.x - upper.x), 0)
        let y = max(max(lower.y - p.y, p.y - upper.y), 0)
        let z = max(max(lower.z - p.z, p.z - upper.z), 0)
        return (x * x + y * y + z * z).squareRoot()
    }

    @inline(__always) private static func standing(_ wedge: Wedge, _ a: Vector, _ b: Vector) -> Standing {
        let (p, q) = (wedge.planar(a), wedge.planar(b))
        let (seesA, seesB) = (wedge.isOpen(p), wedge.isOpen(q))
        if seesA && seesB { return wedge.clearance(p, q) > 0 ? .sees : [.parts, .hidesLast, .hidesFirst] }
        return seesA ? .hidesLast : (seesB ? .hidesFirst : [])
    }
}
