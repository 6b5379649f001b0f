import OssicleCore

/// A ray between two surfaces, or many that have taken the same path so far.
struct Ray {
    var position: Vector
    var direction: Vector
    var ground = Ground.unknown
    var importance: BandImportance
    var random: CounterRandom
    /// Of the direction it left the listener in, as in `LateField`.
    let octant: Int
    /// cos θ of that direction to the axis through the ears.
    let side: Float
    /// How many it stands for; they part where they take different paths. None at its end.
    var copies = 1
    /// What each copy counts for in the survey, of a ray that left the listener.
    var share = 1.0
    /// Metres flown.
    var length = 0.0
    /// What the surfaces left of each copy, by band and by the probability of this path.
    var energy = OctaveBands.ones.lanes
    /// Surfaces met.
    var bounces = 0
    var specularBounces = 0
    /// Whether nothing diffuse has happened yet.
    var isPure = true
    /// Whether the last thing met was specular, or nothing yet, or a wall that let the ray through.
    var isSpecular = true
    /// The solid it is inside of, whose way out costs nothing more.
    var solid: HollowPieces.Piece?

    /// Random numbers set aside for each surface; Marsaglia's method needs more than 14 pairs once in 10⁹.
    static let draws: UInt64 = 16

    /// - Parameter ears: the axis through the ears, unit; zero where sides do not matter.
    init(
        position: Vector, direction: Vector, ears: Vector = .zero, importance: BandImportance, random: CounterRandom
    ) {
        (self.position, self.direction, self.importance, self.random) = (position, direction, importance, random)
        side = Float(direction.dot(ears))
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
        part.random = CounterRandom(
            seed: random.key, object: draw &+ UInt64(truncatingIfNeeded: number) &* 0x1_0000_0000)
        return part
    }
}

/// How rays look for the late part.
package struct RaySettings: Sendable, Hashable {
    /// Rays that leave the listener, 1…2²⁴.
    package var rays: Int
    /// Surfaces a ray meets at most, 1…65 536.
    package var bounces: Int
    /// Reflections from which chains of specular reflections only count; 0 with the direct sound.
    ///
    /// A caller that computes early reflections to order n by other means passes n + 1, so that none is counted twice.
    package var specularFrom: Int
    /// Seconds of one bin, 0.5…50 ms.
    package var binWidth: Double
    /// Seconds from emission after which nothing is looked for, one bin…60 s.
    package var duration: Double
    /// Whether the air of the scene takes its share.
    package var includesAir: Bool
    /// Whether to answer for a source at the listener's place too.
    package var hearsRoom: Bool
    /// Into how many shares of the rays, each spread over all directions, the answer is to be divided besides; 0 for
    /// none.
    package var parts = 0
    /// What of `RayWalk`'s least energy a ray that has passed a wall may have left.
    var passedEnergy: Float = 1
    /// The axis through the listener's ears, unit, for energies by their angle to it; nil for none.
    package var ears: Vector?

    /// Seconds: short beside what an ear tells apart in a decay, long enough for some rays in each.
    package static let defaultBinWidth = 0.004

    /// Values out of range are moved to the nearest end.
    package init(
        rays: Int, bounces: Int, specularFrom: Int = 1, binWidth: Double = defaultBinWidth, duration: Double = 4,
        includesAir: Bool = true,
        hearsRoom: Bool = true
    ) {
        (self.rays, self.bounces, self.specularFrom) = (
            min(max(rays, 1), 1 << 24), min(max(bounces, 1), 1 << 16), max(specularFrom, 0)
        )
        let width = binWidth.isNaN ? RaySettings.defaultBinWidth : min(max(binWidth, 0.0005), 0.05)
        self.binWidth = width
        self.duration = duration.isNaN ? 4 : min(max(duration, width), 60)
        (self.includesAir, self.hearsRoom) = (includesAir, hearsRoom)
    }

    package init(_ quality: AcousticQuality) {
        self.init(rays: quality.rays, bounces: quality.bounces, specularFrom: quality.reflectionOrder + 1)
    }

    var binCount: Int { Int((duration / binWidth).rounded(.up)) }

    /// Pieces of work; how many depends on nothing but the rays, so that sums are the same on any number of workers.
    var chunkCount: Int {
        let size = max(256, (rays + 31) / 32)
        return (rays + size - 1) / size
    }
}
