import OssicleCore

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

    /// The `count` edges with the shortest ways between two points, shortest first, ties by place in the scene.
    /// - Parameters: standing: any of these is enough. - longest: metres; longer ways do not count.
    func nearest(from start: Vector, to end: Vector, _ standing: Standing, count: Int, longest: Double = .infinity) -> [Candidate] {
        // In a large scene as many are near, and the rest need not be looked at.
        for detour in [1.0, 8] {
            let limit = (end - start).magnitude + detour
            guard limit < longest else { break }
            let found = search(start, end, Ranking(standing: standing, count: count, limit: limit))
            if found.count == count { return found }
        }
        return search(start, end, Ranking(standing: standing, count: count, limit: longest))
    }

    private func search(_ start: Vector, _ end: Vector, _ ranking: Ranking) -> [Candidate] {
        var found = ranking
        _ = tree.view.search({ SceneEdges.shortest(start, end, $0, $1) <= found.limit }) { leaf in
            let set = Int(tree.order[leaf])
            let (pose, edges, covered) = (placed[set].pose, placed[set].edges, placed[set].covered)
            let (a, b, scale) = (pose.toLocal(start), pose.toLocal(end), pose.scale.magnitude)
            return edges.tree.view.search({ SceneEdges.shortest(a, b, $0, $1) * scale <= found.limit }) { leaf in
                let index = Int(edges.tree.order[leaf])
                if covered.isEmpty || !covered.contains(index) { found.consider(edges.wedges[index], a, b, scale, Place(set: set, index: index)) }
                return false
            }
        }
        _ = joinedTree.view.search({ SceneEdges.shortest(start, end, $0, $1) <= found.limit }) { leaf in
            let index = Int(joinedTree.order[leaf])
            found.consider(joined[index].wedge, start, end, 1, Place(set: placed.count, index: index))
            return false
        }
        return found.candidates
    }

    /// The best edges so far.
    private struct Ranking {
        let standing: Standing
        let count: Int
        /// Metres; no longer way is looked for.
        private(set) var limit: Double
        private(set) var candidates: [Candidate] = []

        init(standing: Standing, count: Int, limit: Double) {
            (self.standing, self.count, self.limit) = (standing, count, limit)
            candidates.reserveCapacity(count + 1)
        }

        /// - Parameter scale: metres per unit of the wedge and the points.
        @inline(__always) mutating func consider(_ wedge: Wedge, _ a: Vector, _ b: Vector, _ scale: Double, _ place: Place) {
            // First what takes no root: of a body's edges few stand between two places.
            let stands = SceneEdges.standing(wedge, a, b)
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
