import OssicleCore

/// The corners of two parallel prisms, as the other one sees them.
struct PrismCorners {
    let near: [Prism.Planar]
    let far: [Prism.Planar]
    /// Where one of either sees one of the other.
    let views: [View]

    /// A corner of each: the angle about it to the other one, radians, and metres between them.
    struct View {
        let near: (corner: Int, angle: Double)
        let far: (corner: Int, angle: Double)
        let between: Double
    }

    init(_ one: Prism, _ two: Prism) {
        near = one.corners.map { two.planar(one.point($0)) }
        far = two.corners.map { one.planar(two.point($0)) }
        var views: [View] = []
        views.reserveCapacity(16)
        for (second, place) in far.enumerated() {
            for (first, other) in near.enumerated() {
                let out = one.angle(place, at: first)
                guard out <= one.openness[first] * DeterministicMath.pi else { continue }
                let back = two.angle(other, at: second)
                guard back <= two.openness[second] * DeterministicMath.pi else { continue }
                let offset = place - one.corners[first]
                let between = max((offset * offset).sum().squareRoot(), 1e-6)
                views.append(View(near: (first, out), far: (second, back), between: between))
            }
        }
        self.views = views
    }

    /// The same of the far prism and the near one.
    var reversed: PrismCorners { PrismCorners(reversing: self) }

    private init(reversing corners: PrismCorners) {
        (near, far) = (corners.far, corners.near)
        views = corners.views.map { View(near: $0.far, far: $0.near, between: $0.between) }
    }
}
