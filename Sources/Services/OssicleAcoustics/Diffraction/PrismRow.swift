import OssicleCore

/// What two prisms of which one hides the other do to sound one after the other, re the open field: what goes by edges
/// of the first and then by edges of the second, s₁₂ in 1 + s₁ + s₂ + s₁₂.
///
///     s₁₂ = Σ D₁D₂X e^(−jkδ) − Σ D₁ − Σ D₂ + 1 + M
///
/// with the true distances and angles: by each edge of the first to each edge of the second that sees it, sound that
/// comes and leaves through the open or along a side, coupled as `CoupledEdges` has it. What the second prism hides of
/// an edge of the first is taken away, and what lies in the first one's shadow; 1 is where both hide the path. M is
/// what a side of one reflects to edges of the other, less what of it the other hides, as much of it as counts in s.
/// What goes to and fro is `PrismEcho`.
struct PrismRow {
    let near: PrismPlan
    let far: PrismPlan
    /// Of the far prism as seen by the near one, and the other way round.
    private let farCorners: [Prism.Planar]
    private let nearCorners: [Prism.Planar]
    /// The near one's corners that the far one hides from the receiver, and the far one's that the near one hides from
    /// the source.
    let hiddenBefore: CornerSet
    let hiddenAfter: CornerSet

    /// - Parameter near: the prism that is nearer to the source.
    /// - Returns: nil where the prisms are not parallel.
    init?(_ near: PrismPlan, _ far: PrismPlan) {
        guard near.prism.axis.dot(far.prism.axis).magnitude > 1 - 1e-6 else { return nil }
        (self.near, self.far) = (near, far)
        let farCorners = far.prism.corners.map { near.prism.planar(far.prism.point($0)) }
        let nearCorners = near.prism.corners.map { far.prism.planar(near.prism.point($0)) }
        hiddenBefore = CornerSet(nearCorners.indices) { far.prism.hides(nearCorners[$0], far.receiver.place) }
        hiddenAfter = CornerSet(farCorners.indices) { near.prism.hides(near.source.place, farCorners[$0]) }
        (self.farCorners, self.nearCorners) = (farCorners, nearCorners)
    }

    /// s₁₂ of the bands from the first on.
    /// - Parameter hidden: what goes by the hidden edges of the near prism, and by those of the far one.
    func fields(_ first: Int, _ waves: WaveNumbers, hidden: (ArraySlice<Tones>, ArraySlice<Tones>)) -> [Tones] {
        let whole = Tones(real: SIMD4(repeating: near.isHidden && far.isHidden ? 1 : 0), imaginary: .zero)
        var fields = zip(hidden.0, hidden.1).map { whole - ($0 + $1) }
        addPairs(first, waves, to: &fields)
        var reflected = RowReflections(first, waves, fields)
        reflected.add(near, far, farCorners)
        let (back, on) = (far.reversed, near.reversed)
        reflected.add(back, on, nearCorners)
        var echo = PrismEcho(first, waves, reflected.fields)
        echo.add(near, farCorners, isTurned: isTurned)
        return echo.fields
    }

    /// Whether the axes of the prisms run against each other.
    private var isTurned: Bool { near.prism.axis.dot(far.prism.axis) < 0 }

    /// What goes by an edge of each.
    private func addPairs(_ first: Int, _ waves: WaveNumbers, to fields: inout [Tones]) {
        var edges = RowEdges(near, first, waves)
        var (arrivals, departures): ([EdgeArrival], [EdgeArrival]) = ([], [])
        for (two, place) in farCorners.enumerated() {
            for (one, other) in nearCorners.enumerated() {
                let (out, back) = (near.prism.angle(place, at: one), far.prism.angle(other, at: two))
                guard out <= near.prism.openness[one] * DeterministicMath.pi,
                    back <= far.prism.openness[two] * DeterministicMath.pi
                else { continue }
                near.findArrivals(
                    from: near.source, at: one, angle: out, isHidden: hiddenAfter.contains(two), into: &arrivals)
                far.findArrivals(
                    from: far.receiver, at: two, angle: back, isHidden: hiddenBefore.contains(one), into: &departures)
                let offset = place - near.prism.corners[one]
                edges.add(arrivals, departures, between: max((offset * offset).sum().squareRoot(), 1e-6))
            }
        }
        edges.add(to: &fields, isTurned: isTurned)
    }
}

/// What sides of one prism of a row reflect to edges of the other, M of `PrismRow`.
private struct RowReflections {
    private(set) var fields: [Tones]
    private let first: Int
    private let waves: WaveNumbers

    init(_ first: Int, _ waves: WaveNumbers, _ fields: [Tones]) {
        (self.first, self.waves, self.fields) = (first, waves, fields)
    }

    /// From the end that the sides look at.
    /// - Parameter corners: of the other prism, as seen by the first.
    mutating func add(_ plan: PrismPlan, _ other: PrismPlan, _ corners: [Prism.Planar]) {
        let prism = plan.prism
        for side in prism.corners.indices {
            guard let reflection = PrismReflection(prism, side, from: plan.source.place, rise: plan.rise)
            else { continue }
            if let met = reflection.meets(plan.receiver.place),
                other.prism.hides(other.prism.planar(prism.point(met)), other.receiver.place)
            {
                var sum = PrismSum(first, waves, isHidden: false, width: 2 * prism.halfWidth)
                reflection.add(plan, to: &sum)
                for band in fields.indices { fields[band] += sum.fields[band] * -1 }
            }
            let lit = CornerSet(corners.indices) { reflection.meets(corners[$0]) != nil }
            guard !lit.isEmpty else { continue }
            let path = PrismPlan(other, fromImage: prism.image(of: plan.start, in: side))
            var sum = PrismSum(first, waves, isHidden: false, width: 2 * other.prism.halfWidth)
            let rest = reflection.path(to: plan.receiver.place).depth
            for corner in corners.indices where lit.contains(corner) {
                sum.clear()
                path.addChains(to: &sum, beginning: CornerSet(corner))
                let depth = reflection.path(to: corners[corner]).depth
                for band in fields.indices {
                    let wavelength = waves.wavelengths[first + band]
                    let lost = Silhouette.fade(4 * rest / wavelength) * Silhouette.fade(4 * depth / wavelength)
                    guard lost < 1 else { break }
                    fields[band] += sum.fields[band] * (1 - lost)
                }
            }
        }
    }
}
