import OssicleCore

extension RayWalk {
    /// −60 dB of what a ray started with, ten bands together.
    private static var leastEnergy: Float { 1e-5 }

    /// On from a surface, copies that go another way by themselves. False where it is not worth while.
    /// - Parameter draw: uniform in 0..<1.
    @inline(__always)
    func turn(_ ray: inout Ray, _ surface: UnsafePointer<RaySurface>, _ hit: Hit, _ draw: Float, _ others: inout [Ray]) -> Bool {
        let counts = ray.odds.choose(surface, copies: ray.copies, draw)
        if ray.copies > 1 { part(&ray, counts, surface, hit, &others) }
        return turn(&ray, counts.mirrored > 0 ? .mirrored : counts.passed > 0 ? .passed : .diffuse, surface, hit)
    }

    /// Leaves to the ray the copies that go one way: those that are mirrored, if any are, or else those that pass; of the scattered ones each goes its own.
    private func part(_ ray: inout Ray, _ counts: (diffuse: Int, mirrored: Int, passed: Int), _ surface: UnsafePointer<RaySurface>, _ hit: Hit,
                      _ others: inout [Ray]) {
        let stays = max(counts.mirrored > 0 ? counts.mirrored : counts.passed, 1)
        let scattered = counts.mirrored + counts.passed > 0 ? counts.diffuse : counts.diffuse - 1
        for number in 0..<scattered {
            var other = ray.parting(1, number: number + 1)
            if turn(&other, .diffuse, surface, hit) { others.append(other) }
        }
        if counts.mirrored > 0, counts.passed > 0 {
            var other = ray.parting(counts.passed, number: 0)
            if turn(&other, .passed, surface, hit) { others.append(other) }
        }
        ray.copies = stays
    }

    @inline(__always)
    private func turn(_ ray: inout Ray, _ way: RayOdds.Way, _ surface: UnsafePointer<RaySurface>, _ hit: Hit) -> Bool {
        guard let factor = ray.odds.take(way, surface), keep(&ray, factor * surface.pointee.kept) else {
            end(ray, ray.copies)
            return false
        }
        switch way {
        case .diffuse:
            ray.direction = RayWalk.lambert(hit.normal, ray.random, ray.draw)
            (ray.isMirrored, ray.isPure) = (false, false)
        case .mirrored:
            ray.direction -= hit.normal * (2 * ray.direction.dot(hit.normal))
            ray.isMirrored = true
            ray.mirrorings &+= 1
        case .passed:
            ray.solid = hollows.solid(entered: hit, in: tracer.scene)
            ray.isMirrored = true
        }
        ray.bounces &+= 1
        return true
    }

    /// Leaves a share of each band. False where hardly anything is left.
    @inline(__always)
    private func keep(_ ray: inout Ray, _ share: SIMD16<Float>) -> Bool {
        ray.energy *= share
        return ray.energy.total > RayWalk.leastEnergy
    }

    /// By the cosine around the normal: a point on the unit sphere (Marsaglia 1972) that stands on the surface.
    @inline(__always)
    private static func lambert(_ normal: Vector, _ random: CounterRandom, _ draws: UInt64) -> Vector {
        for attempt in 2..<Ray.draws {
            let bits = random.bits(draws &+ attempt)
            let x = Double(bits >> 32) * 0x1p-31 - 1
            let y = Double(bits & 0xFFFF_FFFF) * 0x1p-31 - 1
            let square = x * x + y * y
            guard square < 1 else { continue }
            let width = 2 * (1 - square).squareRoot()
            return (normal + Vector(x * width, y * width, 1 - 2 * square)).direction ?? normal
        }
        return normal
    }
}
