import OssicleCore

/// All diffracting edges of a scene: each geometry's own tree of edges, one over where the geometries stand, and one of
/// edges that several of them make together.
struct SceneEdges: Sendable {
    struct Placed {
        let id: UInt64
        /// Index in the scene's occluders.
        let occluder: Int32
        let pose: Pose
        let edges: EdgeSet
        let bounds: Bounds
        /// Numbers of the joined edges that its own are parts of.
        var joined: [Int: Int] = [:]
        /// Its edges that are not looked at by themselves: parts of joined ones, and those that others close.
        var covered: Set<Int> = []
    }

    /// Index in the scene's list of placed edges, and in that set; joined edges come behind the last set.
    struct Place: Hashable, Comparable {
        let set: Int
        let index: Int

        static func < (a: Place, b: Place) -> Bool { (a.set, a.index) < (b.set, b.index) }
    }

    struct Candidate {
        /// Metres of the path by this edge alone.
        let length: Double
        let standing: Standing
        let place: Place
    }

    let placed: [Placed]
    private let edgeCount: Int
    private static let fewEdges = 256
    let tree: BoxTree
    let joined: [JoinedEdge]
    let joinedTree: BoxTree
    /// Occluders that are convex bodies by themselves, and a tree over them.
    let bodies: [SceneBody]
    let bodyTree: BoxTree
    /// By occluder.
    let isBody: [Bool]
    /// The slim sides of all convex occluders, by occluder.
    let slimSides: [Int32: [SlimSide]]
    /// Over where the other occluders stand.
    private let otherTree: BoxTree
    /// Of bodies beside others, by index in `bodies`.
    let facing: [Int: [FacingFace]]
    /// Rows of walls with slots between them.
    let screens: [SlottedScreen]

    init(_ scene: AcousticScene) {
        var placed = scene.occluders.enumerated().filter { !$1.bounds.isEmpty }.map {
            Placed(
                id: $1.id, occluder: Int32(clamping: $0), pose: $1.pose, edges: $1.geometry.edges, bounds: $1.bounds)
        }
        tree = BoxTree(placed.map(\.bounds), leafSize: 1)
        let joints = EdgeJoints(placed, tree)
        joined = joints.joined
        for (number, edge) in joined.enumerated() {
            for part in edge.parts { placed[part.set].joined[part.index] = number }
        }
        for place in joints.closed + joined.flatMap(\.parts) { placed[place.set].covered.insert(place.index) }
        self.placed = placed
        edgeCount = placed.reduce(joined.count) { $0 + $1.edges.wedges.count }
        joinedTree = BoxTree(joined.map(\.wedge.bounds))
        bodies = placed.indices.compactMap { SceneBody(placed[$0], set: $0) }
        var isBody = [Bool](repeating: false, count: scene.occluders.count)
        for body in bodies { isBody[Int(body.occluder)] = true }
        self.isBody = isBody
        otherTree = BoxTree(placed.filter { !isBody[Int($0.occluder)] }.map(\.bounds))
        bodyTree = BoxTree(bodies.map(\.bounds))
        slimSides = SlimSide.all(of: placed, bodies)
        facing = FacingFace.all(of: bodies, bodyTree)
        screens = SlottedScreen.all(in: placed, tree)
    }

    /// In the world.
    func wedge(_ place: Place) -> Wedge {
        place.set < placed.count
            ? placed[place.set].edges.wedges[place.index].placed(placed[place.set].pose) : joined[place.index].wedge
    }

    /// The same for the same edge from scene to scene.
    func identity(_ place: Place) -> UInt64 {
        let own = parts(of: place)[0]
        return SoundPath.identity(placed[own.set].id, then: UInt64(own.index))
    }

    /// Edges that share a flat face with this one, in the world.
    func neighbours(_ place: Place) -> [Wedge] {
        var found: [Place] = []
        for part in parts(of: place) {
            for index in placed[part.set].edges.neighbours(of: part.index) {
                let whole =
                    placed[part.set].joined[index].map { Place(set: placed.count, index: $0) }
                    ?? Place(set: part.set, index: index)
                if whole != place, !found.contains(whole) { found.append(whole) }
            }
        }
        return found.map { wedge($0) }
    }

    private func parts(of place: Place) -> [Place] { place.set < placed.count ? [place] : joined[place.index].parts }
}

extension SceneEdges {
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

    /// The `count` edges with the shortest paths between two points, shortest first, ties by place in the scene.
    /// - Parameters: standing: any of these is enough. - longest: metres; longer paths do not count.
    func nearest(
        from start: Vector, to end: Vector, standing: Standing, count: Int, longest: Double = .infinity
    ) -> [Candidate] {
        // In a large scene as many are near, and the rest need not be looked at. A small one is looked at once.
        for detour in edgeCount > Self.fewEdges ? [1.0, 8] : [] {
            let limit = (end - start).magnitude + detour
            guard limit < longest else { break }
            let found = search(start, end, ranking: Ranking(standing: standing, count: count, limit: limit))
            if found.count == count { return found }
        }
        return search(start, end, ranking: Ranking(standing: standing, count: count, limit: longest))
    }

    /// Whether all that comes within a distance of a point of an edge is the one convex solid that the edge belongs to,
    /// which closes no edge of its own.
    func isAlone(_ point: Vector, within distance: Double) -> Bool {
        let near = Bounds(lower: point, upper: point).widened(by: distance)
        var count = 0
        let isClosed = tree.view.search({ near.meets($0, $1) }) { leaf in
            count += 1
            return count > 1 || placed[Int(tree.order[leaf])].edges.body == nil
        }
        return count == 1 && !isClosed
    }

    /// Whether anything but bodies stands where it may come between two points.
    func mayHide(_ a: Vector, from b: Vector) -> Bool {
        var box = Bounds(lower: a, upper: a)
        box.include(b)
        let near = box.widened(by: 1e-3 + 1e-6 * max(a.magnitude, b.magnitude))
        return otherTree.view.search({ near.meets($0, $1) }) { _ in true }
    }

    private func search(_ start: Vector, _ end: Vector, ranking: Ranking) -> [Candidate] {
        var found = ranking
        for (length, set) in sets(start, end, within: ranking.limit) {
            guard length <= found.limit else { break }
            let (pose, edges, covered) = (placed[set].pose, placed[set].edges, placed[set].covered)
            let (a, b, scale) = (pose.toLocal(start), pose.toLocal(end), pose.scale.magnitude)
            let detours = Detours(a, b)
            // What is near first leaves little of the rest to be looked at.
            edges.tree.view.searchInOrder(
                {
                    let length = detours.shortest(by: $0, $1) * scale
                    return length <= found.limit ? length : .infinity
                }, { found.limit }
            ) { leaf in
                let index = Int(edges.tree.order[leaf])
                guard covered.isEmpty || !covered.contains(index) else { return }
                found.consider(edges.wedges[index], a, b: b, scale: scale, place: Place(set: set, index: index))
            }
        }
        let detours = Detours(start, end)
        _ = joinedTree.view.search({ detours.shortest(by: $0, $1) <= found.limit }) { leaf in
            let index = Int(joinedTree.order[leaf])
            found.consider(joined[index].wedge, start, b: end, scale: 1, place: Place(set: placed.count, index: index))
            return false
        }
        return found.candidates
    }

    /// The sets that paths of up to `limit` metres may come by, those first that shorter ones may: their edges leave
    /// little of the rest to be looked at. With the least length of such a path.
    private func sets(_ start: Vector, _ end: Vector, within limit: Double) -> [(length: Double, set: Int)] {
        let detours = Detours(start, end)
        var length = 0.0
        var found: [(length: Double, set: Int)] = []
        found.reserveCapacity(min(placed.count, 32))
        // A leaf is one box, and has just been measured.
        _ = tree.view.search({
            length = detours.shortest(by: $0, $1)
            return length <= limit
        }) { leaf in
            found.append((length, Int(tree.order[leaf])))
            return false
        }
        found.sort { $0.length < $1.length }
        return found
    }

    /// The best edges so far.
    private struct Ranking {
        let standing: Standing
        let count: Int
        /// Metres; no longer path is looked for.
        private(set) var limit: Double
        private(set) var candidates: [Candidate] = []

        init(standing: Standing, count: Int, limit: Double) {
            (self.standing, self.count, self.limit) = (standing, count, limit)
            candidates.reserveCapacity(count + 1)
        }

        /// - Parameter scale: metres per unit of the wedge and the points.
        @inline(__always) mutating func consider(
            _ wedge: Wedge, _ a: Vector, b: Vector, scale: Double, place: Place
        ) {
            // First what takes no root: of a body's edges few stand between two places.
            let stands = SceneEdges.standing(wedge, a, b: b, among: standing)
            guard !stands.isDisjoint(with: standing) else { return }
            let point = wedge.point(at: wedge.shortestPlace(a, b))
            let length = ((a - point).magnitude + (point - b).magnitude) * scale
            guard length <= limit else { return }
            var rank = candidates.count
            while rank > 0, (length, place) < (candidates[rank - 1].length, candidates[rank - 1].place) { rank -= 1 }
            guard rank < count else { return }
            candidates.insert(Candidate(length: length, standing: stands, place: place), at: rank)
            if candidates.count > count { candidates.removeLast() }
            if candidates.count == count { limit = min(limit, candidates[count - 1].length) }
        }
    }

    /// None where it is certain not to be among those asked for.
    @inline(__always) private static func standing(
        _ wedge: Wedge, _ a: Vector, b: Vector, among asked: Standing
    ) -> Standing {
        let p = wedge.planar(a)
        let seesA = wedge.isOpen(p)
        guard seesA || asked.contains(.hidesFirst) else { return [] }
        let q = wedge.planar(b)
        let seesB = wedge.isOpen(q)
        if seesA && seesB { return wedge.clearance(p, q) > 0 ? .sees : [.parts, .hidesLast, .hidesFirst] }
        return seesA ? .hidesLast : (seesB ? .hidesFirst : [])
    }
}
