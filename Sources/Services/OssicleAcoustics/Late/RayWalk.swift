import OssicleCore

/// Rays on their way from the listener through the scene. The inner loop of the late part.
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
    let looks: RayLooks
    let histogram: RayHistogram.View
    let hollows: HollowPieces
    let fan: RayFan
    let seed: UInt64
    let bounces: Int
    /// Metres within which anything can matter.
    let reach: Double
    let secondsPerMetre: Double
    /// 4/N.
    let partOfAll: Float

    /// Walks rays of the fan to their ends, all together from stage to stage. Returns the energy of the middle band that left for good.
    @inline(__always)
    func walk(_ indices: Range<Int>, from listener: Vector) -> Double {
        let random = CounterRandom(seed: seed, object: CounterRandom.number(of: "ray crowd"))
        var crowd = RayCrowd(count: indices.count, random: CounterRandom(seed: random.key, object: UInt64(truncatingIfNeeded: indices.lowerBound)))
        var rays = indices.map { start($0, from: listener) }
        var others: [Ray] = []
        var (length, escaped) = (0.0, 0.0)
        while !rays.isEmpty {
            length += RayCrowd.stageLength / secondsPerMetre
            var next = 0
            while next < rays.count {
                if !advance(&rays[next], to: length, &others, &escaped) { rays[next].copies = 0 }
                next += 1
                if !others.isEmpty { rays.take(&others) }
            }
            crowd.balance(&rays, end: end)
        }
        return escaped
    }

    private func start(_ index: Int, from listener: Vector) -> Ray {
        Ray(position: listener, direction: fan.direction(index), odds: RayOdds(ray: index),
            random: CounterRandom(seed: seed, object: UInt64(truncatingIfNeeded: index)))
    }

    /// Walks a ray until it has flown `length` metres. False where it has come to its end.
    /// - Parameter others: gets those that part from it.
    @inline(__always)
    private func advance(_ ray: inout Ray, to length: Double, _ others: inout [Ray], _ escaped: inout Double) -> Bool {
        while ray.length < length {
            guard ray.bounces < bounces else {
                if let bin = bin(of: ray) { histogram.countCut(bin, ray.rays) }
                return false
            }
            let hit = tracer.nearestHit(from: ray.position, towards: ray.direction, within: reach, leaving: ray.ground)
            if ray.isMirrored { cross(ray, hit?.distance ?? reach) }
            guard let hit else {
                end(ray, ray.copies)
                escaped += Double(ray.energy[RayOdds.middle] * ray.weight)
                return false
            }
            ray.length += hit.distance
            (ray.position, ray.ground) = (hit.position, hit.ground)
            guard meet(&ray, hit, &others) else { return false }
        }
        return true
    }

    /// What happens at a surface. False where the ray comes to its end there.
    @inline(__always)
    private func meet(_ ray: inout Ray, _ hit: Hit, _ others: inout [Ray]) -> Bool {
        guard let bin = bin(of: ray) else { return false }
        if let solid = ray.solid, solid == hollows.piece(of: hit, in: tracer.scene) {
            ray.solid = nil
            ray.bounces &+= 1
            return true
        }
        histogram.countMet(bin, ray.rays)
        let surface = surfaces.surface(of: hit)
        let bits = ray.random.bits(ray.draw)
        // The low bits tell whether to look for the targets, the high bits where to go on.
        let estimating = min(surface.pointee.estimating * ray.weight, 1)
        if Float(bits & 0xFF_FFFF) * 0x1p-24 < estimating { estimate(ray, hit, surface.pointee.scattered, ray.weight / estimating) }
        return turn(&ray, surface, hit, Float(bits >> 40) * 0x1p-24, &others)
    }

    @inline(__always)
    private func bin(of ray: Ray) -> Int? { histogram.bin(at: ray.length * secondsPerMetre) }

    /// Takes note of copies that came to their end.
    func end(_ ray: Ray, _ copies: Int) {
        if let bin = bin(of: ray) { histogram.countEnd(bin, ray.share * Double(copies)) }
    }

    /// The next-event estimate to targets in sight.
    @inline(__always)
    private func estimate(_ ray: Ray, _ hit: Hit, _ share: SIMD16<Float>, _ weight: Float) {
        let scattered = ray.energy * share
        looks.choose(from: hit, Float(ray.random.bits(ray.draw &+ 1) >> 40) * 0x1p-24) { target, share in
            let place = targets[target].place
            let length = ray.length + (place - hit.position).magnitude
            guard let bin = histogram.bin(at: length * secondsPerMetre), !tracer.isBlocked(from: hit.position, to: place, leaving: hit.ground) else { return }
            histogram.add(scattered * (partOfAll * weight * share), target: target, bin: bin, octant: ray.octant)
        }
    }

    /// What a ray that comes from a mirror leaves in the balls it crosses.
    @inline(__always)
    private func cross(_ ray: Ray, _ length: Double) {
        for index in targets.indices {
            let target = targets[index]
            guard !ray.isPure || ray.mirrorings >= target.specularFrom,
                  let (from, to) = target.chord(from: ray.position, towards: ray.direction, length: length) else { continue }
            let middle = (from + to) / 2
            guard let bin = histogram.bin(at: (ray.length + middle) * secondsPerMetre),
                  !tracer.isBlocked(from: ray.position + ray.direction * middle, to: target.place) else { continue }
            let share = Float(DeterministicMath.pi * (to - from) * target.density)
            histogram.add(ray.energy * (partOfAll * ray.weight * share), target: index, bin: bin, octant: ray.octant)
        }
    }
}
