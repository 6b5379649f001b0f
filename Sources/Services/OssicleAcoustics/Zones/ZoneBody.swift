import OssicleCore

/// A volume at its place: what a reverb zone is made of.
package struct ZoneBody: Sendable {
    package enum Form: Sendable {
        /// Metres along each axis from the middle to a side.
        case box(Vector)
        case ball(radius: Double)
        /// What the mesh encloses. A mesh with an open piece encloses nothing for sure; its box along its own axes stands in for it.
        case mesh(MeshGeometry)
    }

    package let form: Form
    package let pose: Pose

    package init(_ form: Form, at pose: Pose = .identity) { (self.form, self.pose) = (form, pose) }

    /// Whether a box stands in for an open mesh.
    package var isStandIn: Bool {
        if case .mesh(let geometry) = form { !geometry.isClosed && !geometry.bounds.isEmpty } else { false }
    }

    /// Metres from a point to the border, negative within. +∞ where there is no telling: a body without size, a place that is none.
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
