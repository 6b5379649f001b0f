import OssicleCore

/// What two prisms that are near each other, or one behind the other, do to sound together, re the open field: s₁₂ in
/// 1 + s₁ + s₂ + s₁₂, what meets the one and then the other, and what meets them in the other order.
struct PrismPair {
    private let forth: PrismRow
    private let back: PrismRow

    /// - Parameter inRow: how much the far one is behind the near one, 0…1: wholly so, nothing meets it first.
    /// - Returns: nil where the prisms are not parallel.
    init?(_ near: PrismPlan, _ far: PrismPlan, inRow: Double) {
        guard near.prism.axis.dot(far.prism.axis).magnitude > 1 - 1e-6 else { return nil }
        let corners = PrismCorners(near.prism, far.prism)
        // Of prisms that meet neither is in front.
        let rest = inRow < 1 && near.prism.gap(far.prism) > 0 ? 1 - Silhouette.fade(4 * inRow - 3) : 0
        var (source, receiver) = (PrismCover(), PrismCover())
        if rest > 0 {
            source = PrismCover(near.prism, far.prism, corners, from: (near.source.place, far.source.place))
            receiver = PrismCover(near.prism, far.prism, corners, from: (near.receiver.place, far.receiver.place))
        }
        let isHidden = near.isHidden && far.isHidden
        let reversed = (near.reversed, far.reversed)
        forth = PrismRow(
            near, far, reversed: reversed, corners, hidden: (source.near * rest, receiver.far * rest),
            isHidden: isHidden && source.near == 0)
        back = PrismRow(
            far, near, reversed: (reversed.1, reversed.0), corners.reversed,
            hidden: (1 - (1 - source.far) * rest, receiver.near), isHidden: isHidden && source.near > 0)
    }

    /// What goes by edges of the near prism that the far one hides, and by those of the far one that the near one
    /// hides: `fields` needs it.
    var parts: (near: [PrismSum.Part], far: [PrismSum.Part]) {
        var near = [PrismSum.Part(beginning: .all, ending: forth.hiddenBefore)]
        var far = [PrismSum.Part(beginning: forth.hiddenAfter, ending: .all)]
        if back.isOpen {
            near.append(PrismSum.Part(beginning: back.hiddenAfter, ending: .all))
            far.append(PrismSum.Part(beginning: .all, ending: back.hiddenBefore))
        }
        return (near, far)
    }

    /// s₁₂ of the bands from the first on.
    /// - Parameter hidden: `parts` of the near prism, and of the far one.
    func fields(
        _ first: Int, _ waves: WaveNumbers, hidden: (near: [ArraySlice<Tones>], far: [ArraySlice<Tones>])
    ) -> [Tones] {
        var fields = [Tones](repeating: .zero, count: OctaveBands.count - first)
        var edges = RowEdges(forth.near, first, waves)
        forth.add(to: &edges)
        back.add(to: &edges)
        edges.add(to: &fields, isTurned: forth.near.prism.axis.dot(forth.far.prism.axis) < 0)
        forth.add(first, waves, hidden: (hidden.near[0], hidden.far[0]), to: &fields)
        back.add(first, waves, hidden: back.isOpen ? (hidden.far[1], hidden.near[1]) : ([], []), to: &fields)
        return fields
    }
}

/// How much of either of two prisms the other one hides from a place, 0…1 of the angle that it takes; one of both is 0.
struct PrismCover {
    private(set) var near = 0.0
    private(set) var far = 0.0

    init() {}

    /// - Parameter place: as either prism sees it.
    init(
        _ near: Prism, _ far: Prism, _ corners: PrismCorners, from place: (near: Prism.Planar, far: Prism.Planar)
    ) {
        let middle = corners.far.reduce(.zero, +) / Double(corners.far.count) - place.near
        let ahead = Prism.Planar.zero - place.near
        let turn = Self.angle(ahead, middle)
        let one = Span(near.corners, from: place.near) { Self.angle(ahead, $0) }
        let two = Span(corners.far, from: place.near) { turn + Self.angle(middle, $0) }
        let from = one.from.angle > two.from.angle ? one.from : two.from
        let to = one.to.angle < two.to.angle ? one.to : two.to
        let both = to.angle - from.angle
        guard both > 0 else { return }
        // Between the first and the last direction in which both are, one is in front of the other.
        let beyond = place.near + (from.direction + to.direction) * max(one.most, two.most)
        let isNearFirst =
            near.entry(from: place.near, to: beyond)
            < far.entry(from: place.far, to: far.planar(near.point(beyond)))
        if isNearFirst { self.far = both / two.width } else { self.near = both / one.width }
    }

    private static func angle(_ a: Prism.Planar, _ b: Prism.Planar) -> Double {
        DeterministicMath.atan2(a.x * b.y - a.y * b.x, (a * b).sum())
    }

    /// The directions in which a prism is.
    private struct Span {
        typealias Edge = (angle: Double, direction: Prism.Planar)

        private(set) var from = Edge(.infinity, .zero)
        private(set) var to = Edge(-.infinity, .zero)
        /// Metres to the farthest corner.
        private(set) var most = 0.0

        init(_ corners: [Prism.Planar], from place: Prism.Planar, _ angle: (_ offset: Prism.Planar) -> Double) {
            for corner in corners {
                let offset = corner - place
                let (angle, distance) = (angle(offset), (offset * offset).sum().squareRoot())
                if angle < from.angle { from = (angle, offset / distance) }
                if angle > to.angle { to = (angle, offset / distance) }
                most = max(most, distance)
            }
        }

        var width: Double { to.angle - from.angle }
    }
}
