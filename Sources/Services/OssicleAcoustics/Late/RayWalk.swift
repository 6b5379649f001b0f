import OssicleCore

/// Rays on their way from the listener through the scene. The inner loop of the late part.
///
/// With W a band's energy so far, this surface included, s its scattered share and N rays, relative to the direct sound
/// at 1 m:
///
///     next-event estimate at a surface, target in sight at d₂ under θ:   (4π/N) · W s (cos θ/π) / d₂²
///     ray through the ball around a target, of volume v, chord ℓ:        (4π/N) · W ℓ / v
///
/// The first stands for every path whose last reflection is diffuse. The second counts only where the last reflection
/// was specular, or a wall was passed since, and chains of specular reflections only from `specularFrom` on: each
/// path counts once. Next-event estimates are made at a share of the surfaces that scatter little, and weigh the more.
struct RayWalk<Tracer: RayTracer> {
    let tracer: Tracer
    let surfaces: RaySurfaces.View
    let targets: UnsafeBufferPointer<RayTarget>
    /// Those of which one is drawn (`NextEventEstimation.drawn`).
    let crowd: UnsafeBufferPointer<RayBallGroup>
    /// Of the first targets; the others send the same all around.
    let emissions: [SourceEmission]
    let nextEvents: NextEventEstimation
    let histogram: RayHistogram.View
    let hollows: HollowPieces
    let fan: RayFan
    let ears: Vector
    let seed: UInt64
    let bounces: Int
    /// Of `RaySettings`.
    let passedEnergy: Float
    /// Metres within which anything can matter.
    let reach: Double
    let secondsPerMetre: Double
    /// 4/N.
    let partOfAll: Float

    /// Walks rays of the fan to their ends, all together from stage to stage. Returns the energy of the middle band
    /// that left for good.
    @inline(__always)
    func walk(_ indices: StrideTo<Int>, from listener: Vector) -> Double {
        let random = CounterRandom(seed: seed, object: CounterRandom.number(of: "ray crowd"))
        var rays = indices.map { start($0, from: listener) }
        var population = RayPopulation(
            count: rays.count,
            random: CounterRandom(
                seed: random.key, object: UInt64(truncatingIfNeeded: indices.first { _ in true } ?? 0)))
        var others: [Ray] = []
        var (length, escaped) = (0.0, 0.0)
        while !rays.isEmpty {
            length += RayPopulation.stageLength / secondsPerMetre
            var next = 0
            while next < rays.count {
                if !advance(&rays[next], to: length, others: &others, escaped: &escaped) { rays[next].copies = 0 }
                next += 1
                if !others.isEmpty { rays.take(&others) }
            }
            population.balance(&rays, end: end)
        }
        return escaped
    }

    func start(_ index: Int, from listener: Vector) -> Ray {
        Ray(
            position: listener, direction: fan.direction(index), ears: ears, importance: BandImportance(ray: index),
            random: CounterRandom(seed: seed, object: UInt64(truncatingIfNeeded: index)))
    }

    /// Walks a ray until it has flown `length` metres. False where it has come to its end.
    /// - Parameter others: gets those that part from it.
    @inline(__always)
    private func advance(_ ray: inout Ray, to length: Double, others: inout [Ray], escaped: inout Double) -> Bool {
        while ray.length < length {
            guard ray.bounces < bounces else {
                if let bin = bin(of: ray) { histogram.countCut(bin, ray.rays) }
                return false
            }
            let hit = tracer.nearestHit(from: ray.position, towards: ray.direction, within: reach, leaving: ray.ground)
            if ray.isSpecular { withUnsafePointer(to: &ray) { cross($0, hit?.distance ?? reach) } }
            guard let hit else {
                end(ray, ray.copies)
                escaped += Double(ray.energy[BandImportance.middle] * ray.weight)
                return false
            }
            ray.length += hit.distance
            (ray.position, ray.ground) = (hit.position, hit.ground)
            guard meet(&ray, hit, others: &others) else { return false }
        }
        return true
    }

    /// What happens at a surface. False where the ray comes to its end there.
    @inline(__always)
    func meet(_ ray: inout Ray, _ hit: Hit, others: inout [Ray]) -> Bool {
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
        if Float(bits & 0xFF_FFFF) * 0x1p-24 < estimating {
            estimate(ray, hit, share: surface.pointee.scattered, weight: ray.weight / estimating)
        }
        return turn(&ray, surface, hit: hit, draw: Float(bits >> 40) * 0x1p-24, others: &others)
    }

    @inline(__always)
    private func bin(of ray: Ray) -> Int? { histogram.bin(at: ray.length * secondsPerMetre) }

    /// Takes note of copies that came to their end.
    func end(_ ray: Ray, _ copies: Int) {
        if let bin = bin(of: ray) { histogram.countEnd(bin, ray.share * Double(copies)) }
    }

    /// The next-event estimate to targets in sight.
    @inline(__always)
    private func estimate(_ ray: Ray, _ hit: Hit, share: SIMD16<Float>, weight: Float) {
        let scattered = ray.energy * share
        nextEvents.choose(from: hit, ray.random.bits(ray.draw &+ 1)) { target, share in
            let place = targets[target].position
            let length = ray.length + (place - hit.position).magnitude
            guard let bin = histogram.bin(at: length * secondsPerMetre),
                !tracer.isBlocked(from: hit.position, to: place, leaving: hit.ground)
            else { return }
            histogram.add(
                emitted(scattered * (partOfAll * weight * share), by: target, towards: hit.position - place),
                target: target, bin: bin, ray: ray)
        }
    }

    /// What a ray that follows a specular reflection leaves in the balls it crosses.
    /// - Parameter ray: not copied: reading back 300 bytes that have just been written holds up a processor.
    @inline(__always)
    private func cross(_ ray: UnsafePointer<Ray>, _ length: Double) {
        for index in nextEvents.drawn..<targets.count {
            if let crossing = crossing(ray, index, length) { leave(ray, in: crossing) }
        }
        if let crossing = crowdCrossing(ray, length) { leave(ray, in: crossing) }
    }

    /// Of many sources' one is drawn by what it would get, and stands for all.
    @inline(__always)
    private func crowdCrossing(_ ray: UnsafePointer<Ray>, _ length: Double) -> Crossing? {
        guard !crowd.isEmpty, !ray.pointee.isPure || ray.pointee.specularBounces >= targets[0].specularFrom else {
            return nil
        }
        var chosen: (target: Int, middle: Double)?
        var (total, draw) = (0.0, Double.nan)
        for number in crowd.indices {
            guard
                let found = crowd[number].crossings(
                    from: ray.pointee.position, towards: ray.pointee.direction, length: length,
                    flown: ray.pointee.length)
            else { continue }
            // Chao 1982: a new group takes the place with the probability of its share, and what is left of the draw is
            // uniform again.
            let sum = found.weights.sum()
            guard sum > 0 else { continue }
            if draw.isNaN { draw = Double(ray.pointee.random.bits(ray.pointee.draw &+ 1) >> 11) * 0x1p-53 }
            total += sum
            let share = sum / total
            guard draw < share else {
                draw = (draw - share) / (1 - share)
                continue
            }
            var (lane, place) = (0, draw / share * sum)
            while lane < RayBallGroup.count - 1, place >= found.weights[lane] {
                place -= found.weights[lane]
                lane += 1
            }
            guard found.weights[lane] > 0 else { continue }
            chosen = (number * RayBallGroup.count + lane, found.middles[lane])
            draw = min(place / found.weights[lane], 0x1.fffffffffffffp-1)
        }
        return chosen.map { Crossing(target: $0.target, middle: $0.middle, weight: DeterministicMath.pi * total) }
    }

    /// The part of a ray inside a target's ball.
    private struct Crossing {
        let target: Int
        /// Metres from the ray's start to the middle of the part.
        let middle: Double
        /// ℓ/v of all it stands for, times π.
        let weight: Double
    }

    @inline(__always)
    private func crossing(_ ray: UnsafePointer<Ray>, _ index: Int, _ length: Double) -> Crossing? {
        let target = targets[index]
        guard !ray.pointee.isPure || ray.pointee.specularBounces >= target.specularFrom,
            case let ball = target.ball(after: ray.pointee.length),
            let (from, to) = ball.chord(from: ray.pointee.position, towards: ray.pointee.direction, length: length)
        else { return nil }
        return Crossing(
            target: index, middle: (from + to) / 2, weight: DeterministicMath.pi * (to - from) * ball.density)
    }

    @inline(__always)
    private func leave(_ ray: UnsafePointer<Ray>, in crossing: Crossing) {
        guard let bin = histogram.bin(at: (ray.pointee.length + crossing.middle) * secondsPerMetre),
            !tracer.isBlocked(
                from: ray.pointee.position + ray.pointee.direction * crossing.middle,
                to: targets[crossing.target].position)
        else { return }
        histogram.add(
            emitted(
                ray.pointee.energy * (partOfAll * ray.pointee.weight * Float(crossing.weight)), by: crossing.target,
                towards: -ray.pointee.direction),
            target: crossing.target, bin: bin, ray: ray.pointee)
    }

    /// What is left of an energy where a source sends it into a direction: rays find paths backwards.
    @inline(__always)
    private func emitted(_ energy: SIMD16<Float>, by target: Int, towards direction: Vector) -> SIMD16<Float> {
        guard target < emissions.count else { return energy }
        let gains = emissions[target].gains(towards: direction).lanes
        return energy * gains * gains
    }
}

extension RayWalk {
    /// −60 dB of what a ray started with, ten bands together.
    private static var leastEnergy: Float { 1e-5 }

    /// On from a surface, copies that go another way by themselves. False where it is not worth while.
    /// - Parameter draw: uniform in 0..<1.
    @inline(__always)
    func turn(
        _ ray: inout Ray, _ surface: UnsafePointer<RaySurface>, hit: Hit, draw: Float, others: inout [Ray]
    ) -> Bool {
        let counts = ray.importance.choose(surface, copies: ray.copies, draw: draw)
        if ray.copies > 1 { part(&ray, counts, surface: surface, hit: hit, others: &others) }
        return turn(
            &ray, counts.specular > 0 ? .specular : counts.transmitted > 0 ? .transmitted : .diffuse, surface: surface,
            hit: hit)
    }

    /// Leaves to the ray the copies that go one way: those that are reflected specularly, if any are, or else those
    /// that pass; of the scattered ones each goes its own.
    private func part(
        _ ray: inout Ray, _ counts: (diffuse: Int, specular: Int, transmitted: Int),
        surface: UnsafePointer<RaySurface>,
        hit: Hit,
        others: inout [Ray]
    ) {
        let stays = max(counts.specular > 0 ? counts.specular : counts.transmitted, 1)
        let scattered = counts.specular + counts.transmitted > 0 ? counts.diffuse : counts.diffuse - 1
        for number in 0..<scattered {
            var other = ray.parting(1, number: number + 1)
            if turn(&other, .diffuse, surface: surface, hit: hit) { others.append(other) }
        }
        if counts.specular > 0, counts.transmitted > 0 {
            var other = ray.parting(counts.transmitted, number: 0)
            if turn(&other, .transmitted, surface: surface, hit: hit) { others.append(other) }
        }
        ray.copies = stays
    }

    @inline(__always)
    private func turn(
        _ ray: inout Ray, _ continuation: BandImportance.Continuation, surface: UnsafePointer<RaySurface>, hit: Hit
    ) -> Bool {
        guard var factor = ray.importance.take(continuation, surface) else {
            end(ray, ray.copies)
            return false
        }
        if continuation == .specular, surface.pointee.isReacting, let reaction = surface.pointee.reaction {
            factor *= reaction.factor(cosine: Float(-ray.direction.dot(hit.normal)))
        }
        guard keep(&ray, factor * surface.pointee.kept) else {
            end(ray, ray.copies)
            return false
        }
        switch continuation {
        case .diffuse:
            ray.direction = RayWalk.lambert(hit.normal, ray.random, draws: ray.draw)
            (ray.isSpecular, ray.isPure) = (false, false)
        case .specular:
            ray.direction -= hit.normal * (2 * ray.direction.dot(hit.normal))
            ray.isSpecular = true
            ray.specularBounces &+= 1
        case .transmitted:
            ray.solid = hollows.solid(entered: hit, in: tracer.scene)
            ray.isSpecular = true
        }
        ray.bounces &+= 1
        return true
    }

    /// Leaves a share of each band. False where hardly anything is left.
    @inline(__always)
    private func keep(_ ray: inout Ray, _ share: SIMD16<Float>) -> Bool {
        ray.energy *= share
        return ray.energy.total > RayWalk.leastEnergy * (ray.importance.hasPassed ? passedEnergy : 1)
    }

    /// By the cosine around the normal: a point on the unit sphere (Marsaglia 1972) that stands on the surface.
    @inline(__always)
    private static func lambert(_ normal: Vector, _ random: CounterRandom, draws: UInt64) -> Vector {
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
