import OssicleCore

/// Finds edges of different occluders that continue or close each other. Asked whenever an occluder has moved, so only
/// the longest edges of each are looked at.
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

    private mutating func look(
        between one: (place: Int, set: SceneEdges.Placed), _ other: (place: Int, set: SceneEdges.Placed)
    ) {
        let mine = one.set.edges(endingIn: other.set.bounds)
        let others = mine.isEmpty ? [] : other.set.edges(endingIn: one.set.bounds)
        for (index, wedge) in mine {
            for (next, second) in others {
                guard let span = wedge.span(of: second, gap: JoinedEdge.gap) else { continue }
                let places = (
                    SceneEdges.Place(set: one.place, index: index), SceneEdges.Place(set: other.place, index: next)
                )
                if wedge.isParallel(to: second) {
                    if span.overlaps(-JoinedEdge.gap...wedge.length + JoinedEdge.gap) {
                        joints.append((number(places.0, wedge), number(places.1, second)))
                    }
                } else if wedge.closes(with: second) {
                    if span.lowerBound < JoinedEdge.gap, span.upperBound > wedge.length - JoinedEdge.gap {
                        closed.append(places.0)
                    }
                    if span.lowerBound > -JoinedEdge.gap, span.upperBound < wedge.length + JoinedEdge.gap {
                        closed.append(places.1)
                    }
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
        return groups.filter { !$0.isEmpty }.map { $0.sorted { $0.place < $1.place } }.sorted {
            $0[0].place < $1[0].place
        }.map { JoinedEdge($0) }
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

/// An edge of several occluders: straight edges that continue each other, as those of a wall made of boxes in line. In
/// pieces it would have ends where sound meets none, and take a place among the diffraction paths for each piece.
struct JoinedEdge: Sendable {
    /// In the world.
    let wedge: Wedge
    /// At least two, by place in the scene.
    let parts: [SceneEdges.Place]

    /// Metres by which pieces may miss one line, or each other's ends.
    static let gap = 1e-3

    init(_ pieces: [(place: SceneEdges.Place, wedge: Wedge)]) {
        let first = pieces[0].wedge
        var reach = (from: 0.0, to: first.length)
        var depths = first.depths
        for (_, piece) in pieces.dropFirst() {
            for end in [piece.start, piece.end] {
                let place = (end - first.start).dot(first.direction)
                reach = (min(reach.from, place), max(reach.to, place))
            }
            let isTurned = piece.along.dot(first.along) < piece.farAlong.dot(first.along)
            depths = pointwiseMax(depths, isTurned ? SIMD2(piece.depths.y, piece.depths.x) : piece.depths)
        }
        var whole = Wedge(
            start: first.start + first.direction * reach.from, direction: first.direction,
            length: reach.to - reach.from,
            along: first.along, across: first.across, openness: first.openness, faces: first.faces)
        whole.depths = depths
        (wedge, parts) = (whole, pieces.map(\.place))
    }
}

extension Wedge {
    /// Whether another edge runs the same way between faces that lie the same way.
    func isParallel(to other: Wedge) -> Bool {
        isAligned(with: other) && (openness - other.openness).magnitude < 0.01 && outward.dot(other.outward) > 1 - 1e-4
    }

    private func isAligned(with other: Wedge) -> Bool { direction.dot(other.direction).magnitude > 1 - 1e-6 }

    /// From where to where another edge reaches along this one, in metres from the start; nil where it lies in another
    /// line.
    func span(of other: Wedge, gap: Double) -> ClosedRange<Double>? {
        guard isAligned(with: other) else { return nil }
        let ends = [other.start - start, other.end - start]
        let places = ends.map { $0.dot(direction) }
        guard zip(ends, places).allSatisfy({ ($0 - direction * $1).lengthSquared < gap * gap }) else { return nil }
        return min(places[0], places[1])...max(places[0], places[1])
    }

    /// Whether two edges in one line leave no more than half of the space open, as where the faces of one continue
    /// those of the other.
    func closes(with other: Wedge) -> Bool {
        let faces = [along, farAlong, other.along, other.farAlong].map { planar(start + $0) }.sorted {
            $0.angle < $1.angle
        }
        return zip(faces, faces.dropFirst() + faces.prefix(1)).allSatisfy { near, far in
            let gap = far.angle - near.angle
            let width = gap < 0 ? gap + 2 * DeterministicMath.pi : gap
            guard width > DeterministicMath.pi * (1 + EdgeFinder.flatness) else { return true }
            let (s, c) = DeterministicMath.sincos(near.angle + width / 2)
            let middle = along * c + across * s
            return !isOpen(planar(start + middle)) || !other.isOpen(other.planar(other.start + middle))
        }
    }
}
