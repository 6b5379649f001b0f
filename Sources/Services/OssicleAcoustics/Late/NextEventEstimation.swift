import OssicleCore

/// Which targets a surface looks at for its next-event estimates: all of a few. Of many one is drawn, with known
/// probability, and weighs the more, so that a crowd costs little more than one source; that of the room, which all its
/// sources share, is always looked at.
///
/// The draw has two steps: four candidates evenly spaced in the list from a random place, and one of them by what it
/// would get if it were in sight (resampled importance sampling, Talbot et al. 2005). What is near a surface is looked
/// at more often, at a cost that does not grow with the number of targets.
struct NextEventEstimation: BitwiseCopyable {
    private let targets: UnsafeBufferPointer<RayTarget>
    /// Targets ahead of this place are drawn, the others always looked at.
    let drawn: Int

    /// Beyond that many, targets are drawn.
    static let most = 4
    /// A source is no smaller than this radius squared, so that no single surface near it outshines all others.
    private static let leastDistanceSquared = 0.01

    /// - Parameter hearsRoom: whether the last target stands for the room.
    init(_ targets: UnsafeBufferPointer<RayTarget>, hearsRoom: Bool) {
        self.targets = targets
        drawn = targets.count > NextEventEstimation.most ? targets.count - (hearsRoom ? 1 : 0) : 0
    }

    /// Calls `visit` with targets in front of a surface, and by what factor what they get in sight counts.
    /// - Parameter draw: random bits; requested where there are many targets.
    @inline(__always)
    func choose(from hit: Hit, _ draw: @autoclosure () -> UInt64, _ visit: (_ target: Int, _ share: Float) -> Void) {
        for target in drawn..<targets.count {
            let share = share(of: target, from: hit)
            if share > 0 { visit(target, share) }
        }
        if drawn > 0 { drawOne(from: hit, draw(), visit) }
    }

    @inline(__always)
    private func drawOne(from hit: Hit, _ bits: UInt64, _ visit: (_ target: Int, _ share: Float) -> Void) {
        let step = Float(drawn) / 4
        let first = Float(bits >> 40) * 0x1p-24 * step
        func candidate(_ number: Int) -> Int { min(Int(first + Float(number) * step), drawn - 1) }
        var sums = SIMD4<Float>.zero, total: Float = 0
        for number in 0..<4 {
            total += share(of: candidate(number), from: hit)
            sums[number] = total
        }
        guard total > 0 else { return }
        let place = Float(bits & 0xFF_FFFF) * 0x1p-24 * total
        visit(candidate(place < sums[1] ? (place < sums[0] ? 0 : 1) : (place < sums[2] ? 2 : 3)), total * step)
    }

    /// What a target would get in sight. What lies behind the surface gets nothing, nor does what is nowhere.
    @inline(__always)
    private func share(of target: Int, from hit: Hit) -> Float {
        let offset = targets[target].position - hit.position
        let square = offset.lengthSquared
        let share = Float(
            offset.dot(hit.normal) / (square.squareRoot() * max(square, NextEventEstimation.leastDistanceSquared)))
        return share > 0 ? share : 0
    }
}

/// A place rays look for: a point for next-event estimates, a ball around it for what arrives by specular reflection.
struct RayTarget: BitwiseCopyable, Sendable {
    let position: Vector
    /// Reflections from which chains of specular reflections only count here.
    let specularFrom: Int
    private let near, wide: RayBall
    /// Metres flown from which on the wide ball counts.
    private let wideFrom: Double

    private static let probes = 256

    /// The ball grows with the space around it, so that about as many rays cross it in a hall as in a chamber: half the
    /// mean path to what is around, 0.25…2 m. The more rays cross it the less noise, at one look each; what arrives is
    /// its mean over the ball. Rays that have flown ten times that path count in a ball of twice the radius, which four
    /// times as many cross: by then the place no longer matters, and what is left is carried by few directions.
    init<Tracer: RayTracer>(_ position: Vector, specularFrom: Int, tracer: Tracer) {
        let fan = RayFan(count: RayTarget.probes, seed: 0)
        let reach = 9.0
        let free = (0..<RayTarget.probes).map {
            tracer.nearestHit(from: position, towards: fan.direction($0), within: reach)?.distance ?? reach
        }
        let mean = free.reduce(0, +) / Double(RayTarget.probes)
        let radius = min(max(mean / 2, 0.25), 2)
        (self.position, self.specularFrom) = (position, specularFrom)
        near = RayBall(position, radius: radius, free: free)
        wide = RayBall(position, radius: 2 * radius, free: free)
        wideFrom = 10 * mean
    }

    @inline(__always)
    func ball(after length: Double) -> RayBall { length < wideFrom ? near : wide }
}

/// A ball that rays cross.
struct RayBall: BitwiseCopyable, Sendable {
    let position: Vector
    let radius: Double
    /// 1 / volume of what can be seen of the ball from its middle, 1/m³: a wall that cuts the ball takes its part off.
    let density: Double

    /// - Parameter free: metres to what is around, in evenly spread directions.
    init(_ position: Vector, radius: Double, free: [Double]) {
        let cubes = free.reduce(0) { sum, distance in
            let inside = min(distance, radius)
            return sum + inside * inside * inside
        }
        let visible = max(cubes / Double(free.count), 0.02 * radius * radius * radius)
        (self.position, self.radius) = (position, radius)
        density = 3 / (4 * DeterministicMath.pi * visible)
    }

    /// The part of a ray inside the ball, as metres from the ray's start; nil where it passes by.
    @inline(__always)
    func chord(from start: Vector, towards direction: Vector, length: Double) -> (from: Double, to: Double)? {
        let towards = position - start
        let nearest = towards.dot(direction)
        let half2 = radius * radius - (towards.lengthSquared - nearest * nearest)
        guard half2 > 0 else { return nil }
        let half = half2.squareRoot()
        let (from, to) = (max(nearest - half, 0), min(nearest + half, length))
        return from < to ? (from, to) : nil
    }
}
