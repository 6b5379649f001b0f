import OssicleCore

/// A side of a prism that reflects what comes from a place.
struct PrismReflection {
    private let prism: Prism
    private let side: Int
    /// Seen along the axis.
    private let place: Prism.Planar
    /// Metres of the place before the side, and of the whole path along the axis.
    private let height: Double
    private let rise: Double

    /// Nil where the place is behind it.
    init?(_ prism: Prism, _ side: Int, from place: Prism.Planar, rise: Double) {
        height = prism.height(place, over: side)
        guard height > 0 else { return nil }
        (self.prism, self.side, self.place, self.rise) = (prism, side, place, rise)
    }

    /// Where on the side another place is reflected; nil where it is not.
    func meets(_ other: Prism.Planar) -> Prism.Planar? {
        let above = prism.height(other, over: side)
        guard above > 0 else { return nil }
        let direction = prism.sides[side]
        let (from, to) = (along(place), along(other))
        let met = from + (to - from) * height / (height + above)
        let rim = min(met, prism.widths[side] - met)
        guard rim > Self.near || rim > -Self.near && isWithin(other) else { return nil }
        return prism.corners[side] + direction * met
    }

    /// Metres from a rim within which angles decide, so that the side ends where `UTD` has its boundary.
    private static let near = 1e-4

    private func isWithin(_ other: Prism.Planar) -> Bool {
        let next = (side + 1) % prism.corners.count
        let limit = DeterministicMath.pi - PrismPlan.hair
        return prism.angle(place, at: side) + prism.angle(other, at: side) < limit
            && 2 * prism.openness[next] * DeterministicMath.pi - prism.angle(place, at: next)
                - prism.angle(other, at: next) < limit
    }

    private func along(_ place: Prism.Planar) -> Double { ((place - prism.corners[side]) * prism.sides[side]).sum() }

    /// Metres to a place in front of it, reflected; and more by the nearer rim.
    func path(to other: Prism.Planar) -> (length: Double, depth: Double) {
        func length(_ planar: Double) -> Double { (planar * planar + rise * rise).squareRoot() }
        func distance(_ a: Prism.Planar, _ b: Prism.Planar) -> Double {
            max(((a - b) * (a - b)).sum().squareRoot(), 1e-6)
        }
        func rim(_ corner: Int) -> Double {
            length(distance(place, prism.corners[corner]) + distance(other, prism.corners[corner]))
        }
        let aside = ((other - place) * prism.sides[side]).sum()
        let above = height + prism.height(other, over: side)
        let reflected = length((aside * aside + above * above).squareRoot())
        return (reflected, max(min(rim(side), rim((side + 1) % prism.corners.count)) - reflected, 0))
    }

    /// Metres by the nearer rim re the reflected path; 0 where another place is not reflected.
    func depth(to other: Prism.Planar) -> Double { meets(other) == nil ? 0 : path(to: other).depth }

    /// Whether a place is in front of the side.
    func isBefore(_ other: Prism.Planar) -> Bool { prism.height(other, over: side) > 0 }

    /// Adds what gets to the receiver of a plan; nothing of it where it is a reflection path of the scene.
    func add(_ plan: PrismPlan, to sum: inout PrismSum) {
        let (reflected, depth) = path(to: plan.receiver.place)
        sum.addReflection(detour: max(reflected - plan.straight, 0), spread: plan.straight / reflected, depth: depth)
    }
}
