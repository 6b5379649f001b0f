import OssicleCore

/// A place rays look for: a point for next-event estimates, a ball around it for what arrives by specular reflection.
struct RayTarget: BitwiseCopyable, Sendable {
    let position: Vector
    /// Reflections from which chains of specular reflections only count here.
    let specularFrom: Int
    fileprivate let near, wide: RayBall
    /// Metres flown from which on the wide ball counts.
    fileprivate let wideFrom: Double

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

/// What rays look for: sources, and last the place that stands for the room, if it is wanted.
struct RayTargets: Sendable {
    let all: [RayTarget]
    /// The balls of those of which one is drawn (`NextEventEstimation.drawn`).
    let crowd: [RayBallGroup]

    init(_ all: [RayTarget], hearsRoom: Bool) {
        self.all = all
        crowd = RayBallGroup.groups(of: all[..<NextEventEstimation.drawn(of: all.count, hearsRoom: hearsRoom)])
    }
}

/// Eight balls of a crowd's targets side by side.
struct RayBallGroup: BitwiseCopyable, Sendable {
    static let count = 8
    private typealias Lanes = SIMD8<Double>

    private var x = Lanes.zero, y = Lanes.zero, z = Lanes.zero
    private var wideFrom = Lanes.zero
    /// Of the near balls and the wide ones, radius squared and density; places without a target have neither.
    private var squares = (near: Lanes.zero, wide: Lanes.zero)
    private var densities = (near: Lanes.zero, wide: Lanes.zero)

    static func groups(of targets: ArraySlice<RayTarget>) -> [RayBallGroup] {
        stride(from: targets.startIndex, to: targets.endIndex, by: count).map { first in
            var group = RayBallGroup()
            for (lane, target) in targets[first...].prefix(count).enumerated() {
                (group.x[lane], group.y[lane], group.z[lane]) = (
                    target.position.x, target.position.y, target.position.z
                )
                group.wideFrom[lane] = target.wideFrom
                group.squares.near[lane] = target.near.radius * target.near.radius
                group.squares.wide[lane] = target.wide.radius * target.wide.radius
                (group.densities.near[lane], group.densities.wide[lane]) = (target.near.density, target.wide.density)
            }
            return group
        }
    }

    /// What a ray leaves in each ball, ℓ/v, and as metres from the ray's start the middle of its part inside; nil where
    /// it passes all of them by.
    /// - Parameter flown: metres to the start.
    @inline(__always)
    func crossings(
        from start: Vector, towards direction: Vector, length: Double, flown: Double
    ) -> (weights: SIMD8<Double>, middles: SIMD8<Double>)? {
        let isWide = Lanes(repeating: flown) .>= wideFrom
        let square = squares.near.replacing(with: squares.wide, where: isWide)
        let (dx, dy, dz) = (x - start.x, y - start.y, z - start.z)
        let nearest = dx * direction.x + dy * direction.y + dz * direction.z
        let half2 = square - (dx * dx + dy * dy + dz * dz - nearest * nearest)
        let passes = half2 .<= 0
        if all(passes) { return nil }
        let half = half2.replacing(with: 0, where: passes).squareRoot()
        var (from, to) = (nearest - half, nearest + half)
        from.replace(with: 0, where: from .< 0)
        to.replace(with: length, where: to .> length)
        let density = densities.near.replacing(with: densities.wide, where: isWide)
        let weights = ((to - from) * density).replacing(with: 0, where: passes .| (to .<= from))
        return (weights, (from + to) * 0.5)
    }
}
