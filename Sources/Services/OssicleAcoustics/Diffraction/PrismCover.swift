import OssicleCore

/// How much of either of two prisms the other one hides from a place, 0…1 of the angle that it takes; one of both is 0.
struct PrismCover {
    private(set) var near = 0.0
    private(set) var far = 0.0

    init() {}

    /// - Parameter place: as either prism sees it.
    init(
        _ near: Prism, _ far: Prism, _ corners: PrismPair.Corners, from place: (near: Prism.Planar, far: Prism.Planar)
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
