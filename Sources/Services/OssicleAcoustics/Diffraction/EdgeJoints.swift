import OssicleCore

/// Finds edges of different occluders that continue or close each other. Asked whenever an occluder has moved, so only the longest edges of each are
/// looked at.
struct EdgeJoints {
    /// Edges that touching occluders leave nothing of.
    private(set) var closed: [SceneEdges.Place] = []
    private var pieces: [(place: SceneEdges.Place, wedge: Wedge)] = []
    private var numbers: [SceneEdges.Place: Int] = [:]
    private var joints: [(Int, Int)] = []

    /// - Parameter tree: over the boxes of `placed`.
    init(_ placed: [SceneEdges.Placed], _ tree: BoxTree) {
        for (one, near) in placed.enumerated() {
            let box = near.bounds.widened(by: JoinedEdge.gap)
            _ = tree.view.search({ box.meets($0, $1) }) { leaf in
                let other = Int(tree.order[leaf])
                if other > one { look(between: (one, near), (other, placed[other])) }
                return false
            }
        }
    }

    private mutating func look(between one: (place: Int, set: SceneEdges.Placed), _ other: (place: Int, set: SceneEdges.Placed)) {
        let mine = one.set.edges(endingIn: other.set.bounds)
        let others = mine.isEmpty ? [] : other.set.edges(endingIn: one.set.bounds)
        for (index, wedge) in mine {
            for (next, second) in others {
                guard let span = wedge.span(of: second, gap: JoinedEdge.gap) else { continue }
                let places = (SceneEdges.Place(set: one.place, index: index), SceneEdges.Place(set: other.place, index: next))
                if wedge.isParallel(to: second) {
                    if span.overlaps(-JoinedEdge.gap...wedge.length + JoinedEdge.gap) { joints.append((number(places.0, wedge), number(places.1, second))) }
                } else if wedge.closes(with: second) {
                    if span.lowerBound < JoinedEdge.gap, span.upperBound > wedge.length - JoinedEdge.gap { closed.append(places.0) }
                    if span.lowerBound > -JoinedEdge.gap, span.upperBound < wedge.length + JoinedEdge.gap { closed.append(places.1) }
                }
            }
        }
    }

    private mutating func number(_ place: SceneEdges.Place, _ wedge: Wedge) -> Int {
        if let known = numbers[place] { return known }
        numbers[place] = pieces.count
        pieces.append((place, wedge))
        return pieces.count - 1
    }

    /// In the order of their first parts.
    var joined: [JoinedEdge] {
        var sets = DisjointSets(count: pieces.count)
        for (one, other) in joints { sets.join(one, other) }
        var groups = [[(place: SceneEdges.Place, wedge: Wedge)]](repeating: [], count: pieces.count)
        for (number, piece) in pieces.enumerated() { groups[sets.root(number)].append(piece) }
        return groups.filter { !$0.isEmpty }.map { $0.sorted { $0.place < $1.place } }.sorted { $0[0].place < $1[0].place }.map { JoinedEdge($0) }
    }
}

extension SceneEdges.Placed {
    /// Of its longest edges those that end in a box, in the world.
    fileprivate func edges(endingIn box: Bounds) -> [(index: Int, wedge: Wedge)] {
        let near = box.widened(by: JoinedEdge.gap)
        return edges.longest.compactMap { index in
            let wedge = edges.wedges[index].placed(pose)
            return near.holds(wedge.start) || near.holds(wedge.end) ? (index, wedge) : nil
        }
    }
}
