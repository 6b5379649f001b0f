import OssicleCore

/// A ray between two surfaces, or many that have come the same way so far.
struct Ray {
    var position: Vector
    var direction: Vector
    var ground = Ground.unknown
    var odds: RayOdds
    var random: CounterRandom
    /// Of the direction it left the listener in, as in `LateField`.
    let octant: Int
    /// How many it stands for; they part where they go different ways. None at the end of its way.
    var copies = 1
    /// What each copy counts for in the survey, of a ray that left the listener.
    var share = 1.0
    /// Metres flown.
    var length = 0.0
    /// What the surfaces left of each copy, by band and by the odds of having come this way.
    var energy = OctaveBands.ones.lanes
    /// Surfaces met.
    var bounces = 0
    var mirrorings = 0
    /// Whether nothing diffuse has happened yet.
    var isPure = true
    /// Whether the last thing met was a mirror, or nothing yet, or a wall that let the ray through.
    var isMirrored = true
    /// The solid it is inside of, whose way out costs nothing more.
    var solid: HollowPieces.Piece?

    /// Random numbers set aside for each surface; Marsaglia's method needs more than 14 pairs once in 10⁹.
    static let draws: UInt64 = 16

    init(position: Vector, direction: Vector, odds: RayOdds, random: CounterRandom) {
        (self.position, self.direction, self.odds, self.random) = (position, direction, odds, random)
        octant = (direction.x >= 0 ? 1 : 0) + (direction.y >= 0 ? 2 : 0) + (direction.z >= 0 ? 4 : 0)
    }

    /// How many times its energy counts.
    var weight: Float { Float(copies) }
    /// What it counts for in the survey, in rays that left the listener.
    var rays: Double { share * Double(copies) }

    /// The first of the random numbers set aside for the surface it is at.
    var draw: UInt64 { UInt64(truncatingIfNeeded: bounces) &* Ray.draws }

    /// Some of its copies by themselves, with random numbers of their own.
    func parting(_ copies: Int, number: Int) -> Ray {
        var part = self
        part.copies = copies
        part.random = CounterRandom(seed: random.key, object: draw &+ UInt64(truncatingIfNeeded: number) &* 0x1_0000_0000)
        return part
    }
}
