import OssicleCore

/// An edge of several occluders: straight edges that continue each other, as those of a wall made of boxes in line. In pieces it would have ends
/// where sound meets none, and take a place among the ways around edges for each piece.
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
        var whole = Wedge(start: first.start + first.direction * reach.from, direction: first.direction, length: reach.to - reach.from,
                          along: first.along, across: first.across, openness: first.openness, faces: first.faces)
        whole.depths = depths
        (wedge, parts) = (whole, pieces.map(\.place))
    }
}
