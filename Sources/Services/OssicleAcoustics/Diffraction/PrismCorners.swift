import OssicleCore

/// The corners of two parallel prisms, as the other one sees them.
struct PrismCorners {
    let near: [Prism.Planar]
    let far: [Prism.Planar]
    /// Where one of either sees one of the other, and metres between them.
    let sights: [(near: View, far: View, between: Double)]

    /// A corner, and the other prism's corner as seen from there.
    struct View {
        let corner: Int
        /// About the corner, radians.
        let angle: Double
        /// From there along the sides of the corner, the first to the next one and the second to the last.
        let along: (first: GrazingUTD, second: GrazingUTD)

        fileprivate init(_ prism: Prism, _ corner: Int, _ angle: Double) {
            (self.corner, self.angle) = (corner, angle)
            along = GrazingUTD.alongFaces(openness: prism.openness[corner], angle: angle)
        }
    }

    init(_ one: Prism, _ two: Prism) {
        near = one.corners.map { two.planar(one.point($0)) }
        far = two.corners.map { one.planar(two.point($0)) }
        var sights: [(near: View, far: View, between: Double)] = []
        sights.reserveCapacity(16)
        for (second, place) in far.enumerated() {
            for (first, other) in near.enumerated() {
                let out = one.angle(place, at: first)
                guard out <= one.openness[first] * DeterministicMath.pi else { continue }
                let back = two.angle(other, at: second)
                guard back <= two.openness[second] * DeterministicMath.pi else { continue }
                let offset = place - one.corners[first]
                let between = max((offset * offset).sum().squareRoot(), 1e-6)
                sights.append((View(one, first, out), View(two, second, back), between))
            }
        }
        self.sights = sights
    }

    /// The same of the far prism and the near one.
    var reversed: PrismCorners { PrismCorners(reversing: self) }

    private init(reversing corners: PrismCorners) {
        (near, far) = (corners.far, corners.near)
        sights = corners.sights.map { ($0.far, $0.near, $0.between) }
    }
}
