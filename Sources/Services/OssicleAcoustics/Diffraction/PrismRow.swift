import OssicleCore

/// What two prisms of which one hides the other do to sound one after the other, re the open field: what goes by edges
/// of the first and then by edges of the second, s₁₂ in 1 + s₁ + s₂ + s₁₂.
///
///     s₁₂ = Σ D₁D₂X e^(−jkδ) − Σ D₁ − Σ D₂ + 1 + M
///
/// with the true distances and angles: by each edge of the first to each edge of the second that sees it, sound that
/// comes and leaves through the open or along a side, coupled as `CoupledEdges` has it. What the second prism hides of an
/// edge of the first is taken away, and what lies in the first one's shadow; 1 is where both hide the path. M is what a
/// side of one mirrors to edges of the other, less what of it the other hides, as much of it as counts in s. What goes
/// to and fro once is `PrismEcho`; more often, it is left out.
struct PrismRow {
    /// s₁₂ of the bands from the first on.
    private(set) var fields: [Tones]
    private let near: PrismPlan
    private let far: PrismPlan
    private let first: Int
    private let waves: WaveNumbers
    /// Of the far prism as seen by the near one, and the other way round.
    private let farCorners: [Prism.Planar]
    private let nearCorners: [Prism.Planar]

    /// - Parameters:
    ///   - near: the prism that is nearer to the source. - first: the first band.
    /// - Returns: nil where the prisms are not parallel.
    init?(_ near: PrismPlan, _ far: PrismPlan, _ first: Int, _ waves: WaveNumbers) {
        guard near.prism.axis.dot(far.prism.axis).magnitude > 1 - 1e-6 else { return nil }
        (self.near, self.far, self.first, self.waves) = (near, far, first, waves)
        farCorners = far.prism.corners.map { near.prism.planar(far.prism.point($0)) }
        nearCorners = near.prism.corners.map { far.prism.planar(near.prism.point($0)) }
        let whole = near.isHidden && far.isHidden
        fields = Array(
            repeating: Tones(real: SIMD4(repeating: whole ? 1 : 0), imaginary: .zero),
            count: OctaveBands.count - first)
        addPairs()
        addHidden()
        addMirrored(near, far, farCorners)
        addMirrored(far.reversed, near.reversed, nearCorners)
    }

    private func sum(_ plan: PrismPlan) -> PrismSum {
        PrismSum(first, waves, isHidden: false, width: 2 * plan.prism.halfWidth)
    }

    private mutating func add(_ sum: PrismSum, _ factor: Double) {
        for band in fields.indices { fields[band] += sum.fields[band] * factor }
    }

    /// What edges send from one prism into the shadow of the other.
    private mutating func addHidden() {
        let before = CornerSet(nearCorners.indices) { far.prism.hides(nearCorners[$0], far.receiver.place) }
        let after = CornerSet(farCorners.indices) { near.prism.hides(near.source.place, farCorners[$0]) }
        if !before.isEmpty {
            var sum = sum(near)
            near.addChains(to: &sum, ending: before)
            add(sum, -1)
        }
        if !after.isEmpty {
            var sum = sum(far)
            far.addChains(to: &sum, beginning: after)
            add(sum, -1)
        }
    }

    /// What goes by an edge of each.
    private mutating func addPairs() {
        var sum = sum(near)
        let isTurned = near.prism.axis.dot(far.prism.axis) < 0
        for (two, place) in farCorners.enumerated() {
            let isHidden = near.prism.hides(near.source.place, place)
            for (one, other) in nearCorners.enumerated() {
                let arrivals = near.arrivals(from: near.source, at: one, to: place, isHidden: isHidden)
                guard !arrivals.isEmpty else { continue }
                let departures = far.arrivals(
                    from: far.receiver, at: two, to: other,
                    isHidden: far.prism.hides(other, far.receiver.place))
                let offset = place - near.prism.corners[one]
                let between = max((offset * offset).sum().squareRoot(), 1e-6)
                for arrival in arrivals {
                    for departure in departures {
                        add(arrival, departure, between, isTurned: isTurned, to: &sum)
                    }
                }
            }
        }
        add(sum, 1)
    }

    private func add(
        _ arrival: PrismPlan.Arrival, _ departure: PrismPlan.Arrival, _ between: Double, isTurned: Bool,
        to sum: inout PrismSum
    ) {
        let (before, after) = (arrival.before, departure.before)
        let planar = before + between + after
        let length = near.length(planar)
        let sine = planar / length
        let square = before * after / ((before + between) * (between + after))
        sum.begin(4 * near.straight / length * max(1 - square, 0).squareRoot())
        for part in [arrival, departure] {
            guard let last = part.last else { continue }
            let whole = part.before + between
            sum.multiply(last.utd, reach: max(last.before * (whole - last.before) / whole * sine, 1e-6))
        }
        func root(_ outer: Double) -> Double { (outer * between / (outer + between) * sine).squareRoot() }
        sum.multiply(
            CoupledEdges(
                one: arrival.terms, two: departure.terms, roots: (root(before), root(after)),
                correlation: isTurned ? -square.squareRoot() : square.squareRoot()))
        sum.add(detour: max(length - near.straight, 0))
    }

    /// What sides of one prism mirror to edges of the other, from the end that they look at.
    /// - Parameter corners: of the other prism, as seen by the first.
    private mutating func addMirrored(_ plan: PrismPlan, _ other: PrismPlan, _ corners: [Prism.Planar]) {
        let prism = plan.prism
        for side in prism.corners.indices {
            guard let mirror = PrismMirror(plan, side) else { continue }
            if let met = mirror.meets(plan.receiver.place),
                other.prism.hides(other.prism.planar(prism.point(met)), other.receiver.place)
            {
                var sum = sum(plan)
                mirror.add(to: &sum)
                add(sum, -1)
            }
            let lit = CornerSet(corners.indices) { mirror.meets(corners[$0]) != nil }
            guard !lit.isEmpty else { continue }
            let path = PrismPlan(
                other.prism, from: prism.mirrored(plan.start, in: side), to: plan.end, straight: plan.straight)
            let rest = mirror.path(to: plan.receiver.place).depth
            for corner in corners.indices where lit.contains(corner) {
                var sum = sum(other)
                path.addChains(to: &sum, beginning: CornerSet(corner))
                let depth = mirror.path(to: corners[corner]).depth
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
