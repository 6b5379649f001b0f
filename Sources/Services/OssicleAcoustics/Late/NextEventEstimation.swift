import OssicleCore

/// Which targets a surface looks at for its next-event estimates: all of a few; of many about `most`, drawn with known
/// probabilities, and weighing the more.
///
/// Half of the probability is shared out evenly, so that no target is ever left out for long and none weighs more than
/// 2n/`most`-fold. The other half goes by what a target would get if it were in sight, so that what is near is looked
/// at nearly always. The draw is systematic (Madow 1949): one random number for all targets, and hardly a look more or
/// less from surface to surface.
struct NextEventEstimation: BitwiseCopyable {
    /// What each target would get in sight, cos θ/d²; written anew at every surface where there are many.
    private let shares: UnsafeMutablePointer<Float>
    private let targets: UnsafeBufferPointer<RayTarget>

    /// Beyond that many, targets are drawn.
    static let most = 4
    /// A source is no smaller than this radius squared, so that no single surface near it outshines all others.
    private static let leastDistanceSquared = 0.01

    /// - Parameter scratch: room for as many numbers as there are targets, for one thread.
    init(_ targets: UnsafeBufferPointer<RayTarget>, scratch: UnsafeMutablePointer<Float>) {
        (self.targets, shares) = (targets, scratch)
    }

    /// Calls `visit` with targets in front of a surface, and by what factor what they get in sight counts.
    /// - Parameter draw: uniform in 0..<1; asked for where there are many.
    @inline(__always)
    func choose(from hit: Hit, _ draw: @autoclosure () -> Float, _ visit: (_ target: Int, _ share: Float) -> Void) {
        guard targets.count > NextEventEstimation.most else {
            for target in targets.indices {
                let share = share(of: target, from: hit)
                if share > 0 { visit(target, share) }
            }
            return
        }
        let total = weigh(hit)
        guard total > 0 else { return }
        let (even, scale) = (
            0.5 * Float(NextEventEstimation.most) / Float(targets.count), 0.5 * Float(NextEventEstimation.most) / total
        )
        var (sum, next) = (Float(0), draw())
        for target in targets.indices where shares[target] > 0 {
            let probability = min(even + scale * shares[target], 1)
            sum += probability
            guard sum > next else { continue }
            next += 1
            visit(target, shares[target] / probability)
        }
    }

    /// What all targets together would get in sight.
    @inline(__always)
    private func weigh(_ hit: Hit) -> Float {
        var total: Float = 0
        for target in targets.indices {
            shares[target] = share(of: target, from: hit)
            total += shares[target]
        }
        return total
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
    let radius: Double
    /// 1 / volume of what can be seen of the ball from its middle, 1/m³: a wall that cuts the ball takes its part off.
    let density: Double
    /// Reflections from which chains of specular reflections only count here.
    let specularFrom: Int

    private static let probes = 64

    /// The ball grows with the space around it, so that about as many rays cross it in a hall as in a chamber: half the
    /// mean path to what is around,
    /// 0.25…2 m. The more rays cross it the less noise, at one look each; what arrives is its mean over the ball.
    init<Tracer: RayTracer>(_ position: Vector, specularFrom: Int, tracer: Tracer) {
        let fan = RayFan(count: RayTarget.probes, seed: 0)
        let reach = 9.0
        let free = (0..<RayTarget.probes).map {
            tracer.nearestHit(from: position, towards: fan.direction($0), within: reach)?.distance ?? reach
        }
        let radius = min(max(free.reduce(0, +) / Double(RayTarget.probes) / 2, 0.25), 2)
        let cubes = free.reduce(0) { sum, distance in
            let inside = min(distance, radius)
            return sum + inside * inside * inside
        }
        let visible = max(cubes / Double(RayTarget.probes), 0.02 * radius * radius * radius)
        (self.position, self.radius, self.specularFrom) = (position, radius, specularFrom)
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
