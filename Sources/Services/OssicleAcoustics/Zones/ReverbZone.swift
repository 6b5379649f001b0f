import OssicleCore

/// A part of the scene with a reverb of its own.
package struct ReverbZone: Sendable {
    /// The same number for the same zone from update to update.
    package let id: UInt64
    /// Several count as one volume.
    package let bodies: [ZoneBody]
    /// Metres on each side of the border over which the zone and what surrounds it pass into one another, 0.01…100.
    package let borderWidth: Double
    /// Where zones overlap, the higher goes first.
    package let priority: Int
    /// The sound of the zone. Nil for one that is to be computed and is not yet: the zone counts as not there.
    package let field: LateField?

    /// - Parameters:
    ///   - borderWidth: moved into its range; no number counts as 1.
    ///   - level: dB added to the energy of the field, −60…20; no number counts as 0.
    package init(id: UInt64, bodies: [ZoneBody], borderWidth: Double = 1, priority: Int = 0, level: Double = 0, field: LateField?) {
        (self.id, self.bodies, self.priority) = (id, bodies, priority)
        self.borderWidth = borderWidth.isNaN ? 1 : min(max(borderWidth, 0.01), 100)
        let gain = Float(Decibels.energy(level.isNaN ? 0 : min(max(level, -60), 20)))
        self.field = field.map { field in
            var louder = field
            louder.energy = field.energy * gain
            return louder
        }
    }

    /// Metres from a point to the border of the zone, negative within; +∞ for a zone of nothing or a place that is none.
    /// - Parameter reach: what is further may count as this far.
    package func signedDistance(to point: Vector, within reach: Double = .infinity) -> Double {
        bodies.map { $0.signedDistance(to: point, within: reach) }.min() ?? .infinity
    }

    /// How far a point belongs to the zone: 0 beyond the border's width, a half on the border, 1 within it by its width. Two zones with a border in
    /// common add up to 1 across it.
    package func membership(of point: Vector) -> Double {
        // A hair beyond the border, so that rounding leaves no trace of a zone that is out of reach.
        let distance = signedDistance(to: point, within: 1.01 * borderWidth)
        let way = min(max((1 - distance / borderWidth) / 2, 0), 1)
        return way < 0.5 ? ReverbZone.eased(way) : 1 - ReverbZone.eased(1 - way)
    }

    /// A straight line from 0, begun as a parabola over an eighth of the way, through (½, ½): straight, because the steepest place is what one hears.
    private static func eased(_ way: Double) -> Double {
        let bend = 0.125
        return way < bend ? way * way / (2 * bend * (1 - bend)) : (way - bend / 2) / (1 - bend)
    }

    /// A place well inside, from where rays find what the zone sounds like: the deepest of a grid over each body. Nil where nothing is.
    package var innerPoint: Vector? {
        let candidates = bodies.flatMap { body in
            (0..<343).map { cell -> Vector in
                let share = Vector(Double(cell % 7) + 1, Double(cell / 7 % 7) + 1, Double(cell / 49) + 1) / 8
                return body.pose.toWorld(body.bounds.lower + body.bounds.extent * share)
            }
        }
        let depths = candidates.map { -signedDistance(to: $0) }
        guard let deepest = depths.max(), deepest > 0 else { return nil }
        return depths.firstIndex(of: deepest).map { candidates[$0] }
    }
}
