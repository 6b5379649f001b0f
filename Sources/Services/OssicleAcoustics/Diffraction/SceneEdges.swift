import OssicleCore

/// All diffracting edges of a scene: each geometry's own tree of edges, one over where the geometries stand, and one of edges that several of them
/// make together.
struct SceneEdges: Sendable {
    struct Placed {
        let id: UInt64
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
        /// Metres of the way by this edge alone.
        let length: Double
        let standing: Standing
        let place: Place
    }

    let placed: [Placed]
    let tree: BoxTree
    let joined: [JoinedEdge]
    let joinedTree: BoxTree

    init(_ scene: AcousticScene) {
        var placed = scene.occluders.filter { !$0.bounds.isEmpty }.map {
            Placed(id: $0.id, pose: $0.pose, edges: $0.geometry.edges, bounds: $0.bounds)
        }
        tree = BoxTree(placed.map(\.bounds), leafSize: 1)
        let joints = EdgeJoints(placed, tree)
        joined = joints.joined
        for (number, edge) in joined.enumerated() {
            for part in edge.parts { placed[part.set].joined[part.index] = number }
        }
        for place in joints.closed + joined.flatMap(\.parts) { placed[place.set].covered.insert(place.index) }
        self.placed = placed
        joinedTree = BoxTree(joined.map(\.wedge.bounds))
    }

    /// In the world.
    func wedge(_ place: Place) -> Wedge {
        place.set < placed.count ? placed[place.set].edges.wedges[place.index].placed(placed[place.set].pose) : joined[place.index].wedge
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
                let whole = placed[part.set].joined[index].map { Place(set: placed.count, index: $0) } ?? Place(set: part.set, index: index)
                if whole != place, !found.contains(whole) { found.append(whole) }
            }
        }
        return found.map { wedge($0) }
    }

    private func parts(of place: Place) -> [Place] { place.set < placed.count ? [place] : joined[place.index].parts }
}
