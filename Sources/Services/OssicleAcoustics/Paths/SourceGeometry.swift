import OssicleCore

/// What sounds, and where.
package enum SourceGeometry: Sendable {
    /// A point, tested as a ball of `radius` metres so that it does not vanish at once behind an edge.
    case point(Vector, radius: Double = 0.1)
    /// A body that sounds all over its surface.
    case shape(SourceShape, Pose)

    /// The place its distance and direction are measured to where nothing else decides.
    package var centre: Vector {
        switch self {
        case .point(let position, _): position
        case .shape(let shape, let pose): pose.toWorld(shape.centroid)
        }
    }
}
