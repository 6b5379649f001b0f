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
    package init(
        id: UInt64, bodies: [ZoneBody], borderWidth: Double = 1, priority: Int = 0, level: Double = 0, field: LateField?
    ) {
        (self.id, self.bodies, self.priority) = (id, bodies, priority)
        self.borderWidth = borderWidth.isNaN ? 1 : min(max(borderWidth, 0.01), 100)
        let gain = Float(Decibels.energy(level.isNaN ? 0 : min(max(level, -60), 20)))
        self.field = field.map { field in
            var louder = field
            louder.energy = field.energy * gain
            return louder
        }
    }

    /// Metres from a point to the border of the zone, negative within; +∞ for a zone of nothing or a place that is
    /// none.
    /// - Parameter reach: what is further may count as this far.
    package func signedDistance(to point: Vector, within reach: Double = .infinity) -> Double {
        bodies.map { $0.signedDistance(to: point, within: reach) }.min() ?? .infinity
    }

    /// How far a point belongs to the zone: 0 beyond the border's width, a half on the border, 1 within it by its
    /// width. Two zones with a border in common add up to 1 across it.
    package func membership(of point: Vector) -> Double {
        // A hair beyond the border, so that rounding leaves no trace of a zone that is out of reach.
        let distance = signedDistance(to: point, within: 1.01 * borderWidth)
        let share = min(max((1 - distance / borderWidth) / 2, 0), 1)
        return share < 0.5 ? ReverbZone.eased(share) : 1 - ReverbZone.eased(1 - share)
    }

    /// A straight line from 0, begun as a parabola over an eighth of the path, through (½, ½): straight, because the
    /// steepest place is what one hears.
    private static func eased(_ share: Double) -> Double {
        let start = 0.125
        return share < start ? share * share / (2 * start * (1 - start)) : (share - start / 2) / (1 - start)
    }

    /// A place well inside, from where rays find what the zone sounds like: the deepest of a grid over each body. Nil
    /// where nothing is.
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

/// A volume at its place: what a reverb zone is made of.
package struct ZoneBody: Sendable {
    package enum Form: Sendable {
        /// Metres along each axis from the middle to a side.
        case box(Vector)
        case ball(radius: Double)
        /// What the mesh encloses. A mesh with an open piece encloses nothing for sure; its box along its own axes
        /// stands in for it.
        case mesh(MeshGeometry)
    }

    package let form: Form
    package let pose: Pose

    package init(_ form: Form, at pose: Pose = .identity) { (self.form, self.pose) = (form, pose) }

    /// Whether a box stands in for an open mesh.
    package var isStandIn: Bool {
        if case .mesh(let geometry) = form { !geometry.isClosed && !geometry.bounds.isEmpty } else { false }
    }

    /// Metres from a point to the border, negative within. +∞ where there is no telling: a body without size, a place
    /// that is none.
    /// - Parameter reach: what is further may count as this far, which saves looking for it.
    package func signedDistance(to point: Vector, within reach: Double = .infinity) -> Double {
        let local = pose.toLocal(point)
        guard local.isFinite, pose.scale.isFinite else { return .infinity }
        let distance = localDistance(local, within: reach / pose.scale.magnitude) * pose.scale.magnitude
        return distance.isNaN ? .infinity : distance
    }

    /// Metres across, in the body's own coordinates; empty for a body without size.
    var bounds: Bounds {
        switch form {
        case .box(let half): Bounds(lower: -half, upper: half)
        case .ball(let radius): Bounds(lower: Vector(repeating: -radius), upper: Vector(repeating: radius))
        case .mesh(let geometry): geometry.bounds
        }
    }

    private func localDistance(_ point: Vector, within reach: Double) -> Double {
        let bounds = bounds
        guard !bounds.isEmpty else { return .infinity }
        return switch form {
        case .ball(let radius): point.magnitude - radius
        case .mesh(let geometry) where geometry.isClosed: geometry.signedDistance(to: point, within: reach)
        case .box, .mesh: bounds.signedDistance(to: point)
        }
    }
}

extension Bounds {
    /// Distance from a point to the surface of the box, negative within.
    func signedDistance(to point: Vector) -> Double {
        let outside = squaredDistance(to: point)
        guard outside == 0 else { return outside.squareRoot() }
        let room = pointwiseMin(point - lower, upper - point)
        return -min(room.x, room.y, room.z)
    }
}
