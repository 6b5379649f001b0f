import OssicleCore

/// A place rays look for: a point for next-event estimates, a ball around it for what arrives from mirrors.
struct RayTarget: BitwiseCopyable, Sendable {
    let place: Vector
    let radius: Double
    /// 1 / volume of what can be seen of the ball from its middle, 1/m³: a wall that cuts the ball takes its part off.
    let density: Double
    /// Mirrorings from which chains of nothing but mirrors count here.
    let specularFrom: Int

    private static let probes = 64

    /// The ball grows with the space around it, so that about as many rays cross it in a hall as in a chamber: half the mean way to what is around,
    /// 0.25…2 m. The more rays cross it the less noise, at one look each; what arrives is its mean over the ball.
    init<Tracer: RayTracer>(_ place: Vector, specularFrom: Int, tracer: Tracer) {
        let fan = RayFan(count: RayTarget.probes, seed: 0)
        let reach = 9.0
        let free = (0..<RayTarget.probes).map { tracer.nearestHit(from: place, towards: fan.direction($0), within: reach)?.distance ?? reach }
        let radius = min(max(free.reduce(0, +) / Double(RayTarget.probes) / 2, 0.25), 2)
        let cubes = free.reduce(0) { sum, distance in
            let inside = min(distance, radius)
            return sum + inside * inside * inside
        }
        let visible = max(cubes / Double(RayTarget.probes), 0.02 * radius * radius * radius)
        (self.place, self.radius, self.specularFrom) = (place, radius, specularFrom)
        density = 3 / (4 * DeterministicMath.pi * visible)
    }

    /// The part of a ray inside the ball, as metres from the ray's start; nil where it passes by.
    @inline(__always)
    func chord(from start: Vector, towards direction: Vector, length: Double) -> (from: Double, to: Double)? {
        let towards = place - start
        let nearest = towards.dot(direction)
        let half2 = radius * radius - (towards.lengthSquared - nearest * nearest)
        guard half2 > 0 else { return nil }
        let half = half2.squareRoot()
        let (from, to) = (max(nearest - half, 0), min(nearest + half, length))
        return from < to ? (from, to) : nil
    }
}
