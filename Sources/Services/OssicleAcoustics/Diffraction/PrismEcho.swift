import OssicleCore

/// What goes to and fro between two prisms once, re the open field: a side of one mirrors it back to the other, past
/// which it goes on.
///
/// It goes by edges of that other prism, or is mirrored by one of its sides in turn, to the end or to edges of the
/// first. As with M of `PrismRow`, what is mirrored well within the rims is a reflection path of the scene and left
/// out. Where a beam to an edge leaves a mirror, or a prism comes before it, it fades out before, because what goes by
/// the edges there is left out as well. Where the straight path passes aslant through the gap between columns of 0.6
/// or 0.8 m it is up to half of the sound.
struct PrismEcho {
    /// Of the bands from the first on.
    private(set) var fields: [Tones]
    private let first: Int
    private let waves: WaveNumbers

    /// - Parameters: near, far: as of `PrismRow`, parallel. - first: the first band.
    init(_ near: PrismPlan, _ far: PrismPlan, _ first: Int, _ waves: WaveNumbers) {
        (self.first, self.waves) = (first, waves)
        fields = Array(repeating: .zero, count: OctaveBands.count - first)
        add(near, far, isOnce: true)
        add(far.reversed, near.reversed, isOnce: false)
    }

    /// What sides of the far prism mirror.
    /// - Parameter isOnce: whether to add what is mirrored twice to the end, which is the same from either.
    private mutating func add(_ near: PrismPlan, _ far: PrismPlan, isOnce: Bool) {
        let corners = near.prism.corners.map { far.prism.planar(near.prism.point($0)) }
        for side in far.prism.corners.indices {
            guard let mirror = PrismMirror(far, side),
                corners.contains(where: { far.prism.height($0, over: side) > 1e-5 })
            else { continue }
            let image = far.prism.mirrored(far.start, in: side)
            let plan = PrismPlan(near.prism, from: image, to: near.end, straight: near.straight)
            for (corner, place) in corners.enumerated() where plan.source.sees(corner) {
                guard let met = mirror.meets(place) else { continue }
                let point = near.prism.point(near.prism.corners[corner])
                let beam = Beam(met: met, image: far.prism.mirrored(point, in: side))
                let shares = shares(beam, near, far, [mirror.path(to: place).depth])
                addChains(plan, from: corner, past: far, corners, shares)
            }
            for other in near.prism.corners.indices {
                if let second = PrismMirror(plan, other) {
                    addTwice(near, far, plan, (side, mirror), (other, second), isOnce: isOnce)
                }
            }
        }
    }

    /// Where the far prism mirrors it, as seen by that, and what it goes straight to from the source.
    private struct Beam {
        let met: Prism.Planar
        let image: Vector
    }

    /// How much of a beam to an edge counts, by band; nil where nothing does.
    /// - Parameter depths: metres by rims re the mirrored path, of each mirror.
    private func shares(_ beam: Beam, _ near: PrismPlan, _ far: PrismPlan, _ depths: [Double]) -> [Double]? {
        let place = near.prism.planar(far.prism.point(beam.met))
        guard !near.prism.hides(near.source.place, place) else { return nil }
        let clearance = clearance(near.prism, near.source, near.prism.planar(beam.image))
        let rims = depths.map { 2 * $0.squareRoot() }
        return fields.indices.map { band in
            let root = waves.wavelengths[first + band].squareRoot()
            return rims.reduce(mirrored(depths, band) * Self.fade(clearance, root)) { $0 * Self.fade($1, root) }
        }
    }

    /// What is no reflection path of the scene.
    private func mirrored(_ depths: [Double], _ band: Int) -> Double {
        1 - depths.reduce(1) { $0 * Silhouette.fade(4 * $1 / waves.wavelengths[first + band]) }
    }

    /// - Parameters: clearance: ν√λ. - root: √λ.
    private static func fade(_ clearance: Double, _ root: Double) -> Double { Silhouette.fade(2 * clearance / root) }

    /// ν√λ of the nearest corner, from an end to a place that the prism does not hide.
    private func clearance(_ prism: Prism, _ end: PrismPlan.End, _ place: Prism.Planar) -> Double {
        func distance(_ to: Prism.Planar) -> Double { ((place - to) * (place - to)).sum().squareRoot() }
        let straight = distance(end.place)
        let detour = prism.corners.indices.reduce(Double.infinity) {
            min($0, end.distances[$1] + distance(prism.corners[$1]) - straight)
        }
        return 2 * max(detour, 0).squareRoot()
    }

    /// Chains from one corner on, past the far prism to the end.
    private mutating func addChains(
        _ plan: PrismPlan, from corner: Int, past far: PrismPlan, _ corners: [Prism.Planar], _ shares: [Double]?
    ) {
        guard let shares else { return }
        for (last, place) in corners.enumerated() where plan.receiver.sees(last) {
            guard !far.prism.hides(place, far.receiver.place) else { continue }
            let clearance = clearance(far.prism, far.receiver, place)
            var sum = sum(plan)
            plan.addChains(to: &sum, beginning: CornerSet(corner), ending: CornerSet(last))
            let seen = fields.indices.map { band in
                shares[band] * Self.fade(clearance, waves.wavelengths[first + band].squareRoot())
            }
            add(sum, seen)
        }
    }

    /// What a side of the near prism mirrors in turn.
    private mutating func addTwice(
        _ near: PrismPlan, _ far: PrismPlan, _ plan: PrismPlan, _ one: (side: Int, mirror: PrismMirror),
        _ two: (side: Int, mirror: PrismMirror), isOnce: Bool
    ) {
        /// Where both mirror it on the way to a place; as seen by the far prism, and by the near one.
        func meets(_ place: Prism.Planar) -> (first: Prism.Planar, second: Prism.Planar)? {
            guard let second = two.mirror.meets(place),
                let first = one.mirror.meets(far.prism.planar(near.prism.point(second))),
                near.prism.height(near.prism.planar(far.prism.point(first)), over: two.side) > 0
            else { return nil }
            return (first, second)
        }
        /// Of what gets to a place so.
        func depths(_ mirrored: Vector, _ place: Prism.Planar) -> [Double] {
            [one.mirror.path(to: far.prism.planar(mirrored)).depth, two.mirror.path(to: place).depth]
        }
        if isOnce, let met = meets(plan.receiver.place),
            !far.prism.hides(far.prism.planar(near.prism.point(met.second)), far.receiver.place),
            !near.prism.hides(near.source.place, near.prism.planar(far.prism.point(met.first)))
        {
            let depths = depths(near.prism.mirrored(near.end, in: two.side), plan.receiver.place)
            var sum = sum(plan)
            two.mirror.add(to: &sum, isWhole: true)
            add(sum, fields.indices.map { mirrored(depths, $0) })
        }
        var path: PrismPlan?
        for (corner, other) in far.prism.corners.enumerated() {
            let point = far.prism.point(other)
            let place = near.prism.planar(point)
            guard let met = meets(place) else { continue }
            let mirrored = near.prism.mirrored(point, in: two.side)
            let beam = Beam(met: met.first, image: far.prism.mirrored(mirrored, in: one.side))
            guard let shares = shares(beam, near, far, depths(mirrored, place)) else { continue }
            let image = near.prism.mirrored(plan.start, in: two.side)
            let further = path ?? PrismPlan(far.prism, from: image, to: near.end, straight: near.straight)
            path = further
            var sum = sum(further)
            further.addChains(to: &sum, beginning: CornerSet(corner))
            add(sum, shares)
        }
    }

    private func sum(_ plan: PrismPlan) -> PrismSum {
        PrismSum(first, waves, isHidden: false, width: 2 * plan.prism.halfWidth)
    }

    private mutating func add(_ sum: PrismSum, _ shares: [Double]) {
        for band in fields.indices { fields[band] += sum.fields[band] * shares[band] }
    }
}
