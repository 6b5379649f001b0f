import OssicleCore

/// A ray between two surfaces.
struct Ray {
    var position: Vector
    var direction: Vector
    var ground = Ground.unknown
    var odds: RayOdds
    /// Metres flown.
    var length = 0.0
    /// What the surfaces left, by band.
    var kept = OctaveBands.ones.lanes
    /// That, by the odds of having come this way.
    var energy = OctaveBands.ones.lanes
    var mirrorings = 0
    /// Whether nothing diffuse has happened yet.
    var isPure = true
    /// Whether the last thing met was a mirror, or nothing yet, or a wall that let the ray through.
    var isMirrored = true
    /// The solid it is inside of, whose way out costs nothing more.
    var solid: HollowPieces.Piece?

    /// Random numbers set aside for each surface; Marsaglia's method needs more than 15 pairs once in 10¹⁰.
    static let draws: UInt64 = 16

    init(position: Vector, direction: Vector, odds: RayOdds) {
        (self.position, self.direction, self.odds) = (position, direction, odds)
    }
}
