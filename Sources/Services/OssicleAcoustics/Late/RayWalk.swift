import OssicleCore

/// One ray after the other on its way from the listener through the scene. The inner loop of the late part: nothing in it allocates.
///
/// With W a band's energy so far, this surface included, s its scattered share and N rays, relative to the direct sound at 1 m:
///
///     next-event estimate at a surface, target in sight at d₂ under θ:   (4π/N) · W s (cos θ/π) / d₂²
///     ray through the ball around a target, of volume v, chord ℓ:        (4π/N) · W ℓ / v
///
/// The first stands for every way whose last reflection is diffuse. The second counts only where the last reflection was a mirror, or a
/// wall was passed since, and chains of nothing but mirrors only from `specularFrom` on: each way counts once. Next-event estimates are made
/// at a share of the surfaces that scatter little, and weigh the more.
struct RayWalk<Tracer: RayTracer> {
    let tracer: Tracer
    let surfaces: RaySurfaces.View
    let targets: UnsafeBufferPointer<RayTarget>
    let histogram: RayHistogram.View
    let hollows: HollowPieces
    let fan: RayFan
    let seed: UInt64
    let bounces: Int
    /// Metres within which anything can matter.
    let reach: Double
    let secondsPerMetre: Double

    /// −60 dB of what a ray started with, ten bands together.
    private static var leastEnergy: Float { 1e-5 }
    /// A source is no smaller than this radius squared, so that no single surface near it outshines all others.
    private static var leastDistanceSquared: Double { 0.01 }

    /// Walks ray `index` to its end. Returns the energy of the middle band that left for good.
    @inline(__always)
    func walk(_ index: Int, from listener: Vector) -> Double {
        let random = CounterRandom(seed: seed, object: UInt64(truncatingIfNeeded: index))
        var ray = Ray(position: listener, direction: fan.direction(index), odds: RayOdds(ray: index))
        let octant = (ray.direction.x >= 0 ? 1 : 0) + (ray.direction.y >= 0 ? 2 : 0) + (ray.direction.z >= 0 ? 4 : 0)
        for bounce in 0..<bounces {
            let hit = tracer.nearestHit(from: ray.position, towards: ray.direction, within: reach, leaving: ray.ground)
            if ray.isMirrored { cross(ray, hit?.distance ?? reach, octant) }
            let bin = histogram.bin(at: ray.length * secondsPerMetre)
            guard let hit else {
                if let bin { histogram.countEnd(bin) }
                return Double(ray.energy[RayOdds.middle])
            }
            ray.length += hit.distance
            (ray.position, ray.ground) = (hit.position, hit.ground)
            guard let bin = histogram.bin(at: ray.length * secondsPerMetre) else { return 0 }
            if let solid = ray.solid, solid == hollows.piece(of: hit, in: tracer.scene) {
                ray.solid = nil
                continue
            }
            histogram.countMet(bin)
            let surface = surfaces.surface(of: hit)
            let draws = UInt64(truncatingIfNeeded: bounce) &* Ray.draws
            let bits = random.bits(draws)
            // The low bits tell whether to look for the targets, the high bits where to go on.
            if Float(bits & 0xFF_FFFF) * 0x1p-24 < surface.pointee.estimating {
                let scattered = ray.energy * surface.pointee.scattered
                estimate(ray, hit, surface.pointee.estimating < 1 ? scattered / surface.pointee.estimating : scattered, octant)
            }
            guard turn(&ray, surface, hit, Float(bits >> 40) * 0x1p-24, random, draws) else {
                histogram.countEnd(bin)
                return 0
            }
        }
        if let bin = histogram.bin(at: ray.length * secondsPerMetre) { histogram.countCut(bin) }
        return 0
    }

    /// The next-event estimate to every target in sight.
    @inline(__always)
    private func estimate(_ ray: Ray, _ hit: Hit, _ scattered: SIMD16<Float>, _ octant: Int) {
        guard scattered.total > 0 else { return }
        for index in targets.indices {
            let way = targets[index].place - hit.position
            let cosine = way.dot(hit.normal)
            guard cosine > 0 else { continue }
            let square = way.lengthSquared
            let distance = square.squareRoot()
            guard let bin = histogram.bin(at: (ray.length + distance) * secondsPerMetre),
                  !tracer.isBlocked(from: hit.position, to: targets[index].place, leaving: hit.ground) else { continue }
            let share = 4 / Double(fan.count) * cosine / (distance * max(square, RayWalk.leastDistanceSquared))
            histogram.add(scattered * Float(share), target: index, bin: bin, octant: octant)
        }
    }

    /// What a ray that comes from a mirror leaves in the balls it crosses.
    @inline(__always)
    private func cross(_ ray: Ray, _ length: Double, _ octant: Int) {
        for index in targets.indices {
            let target = targets[index]
            guard !ray.isPure || ray.mirrorings >= target.specularFrom,
                  let (from, to) = target.chord(from: ray.position, towards: ray.direction, length: length) else { continue }
            let middle = (from + to) / 2
            guard let bin = histogram.bin(at: (ray.length + middle) * secondsPerMetre),
                  !tracer.isBlocked(from: ray.position + ray.direction * middle, to: target.place) else { continue }
            let share = 4 * DeterministicMath.pi / Double(fan.count) * (to - from) * target.density
            histogram.add(ray.energy * Float(share), target: index, bin: bin, octant: octant)
        }
    }

    /// On from a surface. False where it is not worth while.
    /// - Parameter draw: uniform in 0..<1.
    @inline(__always)
    private func turn(_ ray: inout Ray, _ surface: UnsafePointer<RaySurface>, _ hit: Hit, _ draw: Float, _ random: CounterRandom,
                      _ draws: UInt64) -> Bool {
        guard let way = ray.odds.choose(surface, draw) else { return false }
        ray.kept *= surface.pointee.kept
        ray.energy = ray.kept * ray.odds.weights
        guard ray.energy.total > RayWalk.leastEnergy else { return false }
        switch way {
        case .diffuse:
            ray.direction = RayWalk.lambert(hit.normal, random, draws)
            (ray.isMirrored, ray.isPure) = (false, false)
        case .mirrored:
            ray.direction -= hit.normal * (2 * ray.direction.dot(hit.normal))
            ray.isMirrored = true
            ray.mirrorings &+= 1
        case .passed:
            ray.solid = hollows.solid(entered: hit, in: tracer.scene)
            ray.isMirrored = true
        }
        return true
    }

    /// By the cosine around the normal: a point on the unit sphere (Marsaglia 1972) that stands on the surface.
    @inline(__always)
    private static func lambert(_ normal: Vector, _ random: CounterRandom, _ draws: UInt64) -> Vector {
        for attempt in 1..<Ray.draws {
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
