@testable import OssicleAcoustics
import OssicleCore

/// Asks two tracers the same questions.
struct TracerComparison {
    private(set) var rays = 0
    private(set) var hits = 0
    private(set) var blocked = 0
    private(set) var crossings = 0
    /// Answers that are not equal to the last bit.
    private(set) var differences = 0

    /// Rays in all directions from places around `centre`, each going on for some bounces from where the last one
    /// ended, which the other tracer is told.
    init(
        _ scene: AcousticScene, rays count: Int, around centre: Vector = .zero,
        within extent: Vector = Vector(19, 7, 14)
    ) {
        let (portable, other) = (PortableTracer(scene), SceneTracer(scene))
        let random = CounterRandom(seed: 4, object: 21)
        var (found, foundByOther): ([Crossing], [Crossing]) = ([], [])
        let reach = 2 * extent.magnitude
        let isLeftOut = scene.occluders.indices.map { $0 % 2 == 0 }
        let rest = PortableTracer(
            AcousticScene(occluders: zip(scene.occluders, isLeftOut).filter { !$0.1 }.map(\.0)))
        var start = centre
        var (normal, ground) = (Vector.zero, Ground.unknown)
        for ray in 0..<UInt64(count) {
            func vector(_ index: UInt64) -> Vector {
                let key = 9 * ray + index
                return Vector(random.unit(key), random.unit(key + 1), random.unit(key + 2)) - 0.5
            }
            if ray % 8 == 0 { (start, normal, ground) = (centre + vector(0) * extent, .zero, .unknown) }
            guard let towards = vector(3).direction else { continue }
            let direction = towards.dot(normal) < 0 ? -towards : towards
            rays += 1
            let hit = portable.nearestHit(from: start, towards: direction, within: reach)
            if hit != other.nearestHit(from: start, towards: direction, within: reach, leaving: ground) {
                differences += 1
            }
            let end = start + vector(6) * extent * 2
            portable.findCrossings(from: start, to: end, into: &found)
            other.findCrossings(from: start, to: end, into: &foundByOther)
            if found != foundByOther { differences += 1 }
            let isBlocked = portable.isBlocked(from: start, to: end)
            if isBlocked != other.isBlocked(from: start, to: end, leaving: ground) { differences += 1 }
            let isRestBlocked = rest.isBlocked(from: start, to: end)
            if portable.isBlocked(from: start, to: end, leavingOut: isLeftOut) != isRestBlocked { differences += 1 }
            if other.isBlocked(from: start, to: end, leavingOut: isLeftOut) != isRestBlocked { differences += 1 }
            crossings += found.count
            blocked += isBlocked ? 1 : 0
            if let hit {
                hits += 1
                (start, normal, ground) = (hit.position, hit.normal, hit.ground)
            }
        }
    }
    /// Rays to points of every triangle that lie next to its sides and corners, and on from there steeply and grazing.
    /// - Parameter inset: barycentric distance from the sides.
    init(_ mesh: TriangleMesh, inset: Double) {
        let scene = AcousticScene(Occluder(mesh))
        let (portable, other) = (PortableTracer(scene), SceneTracer(scene))
        let random = CounterRandom(seed: 6, object: 2)
        func vector(_ key: Int) -> Vector {
            Vector(random.unit(UInt64(3 * key)), random.unit(UInt64(3 * key + 1)), random.unit(UInt64(3 * key + 2)))
                - 0.5
        }
        for index in mesh.triangles.indices {
            let (a, b, c) = mesh.corners(index)
            for (place, share) in [inset, 0.3, 1 - 2 * inset].enumerated() {
                let target = a * inset + b * share + c * (1 - inset - share)
                let key = 64 * (3 * index + place)
                let start = vector(key) * Vector(19, 7, 14)
                guard let direction = (target - start).direction else { continue }
                let hit = portable.nearestHit(from: start, towards: direction, within: 100)
                compare(hit, other.nearestHit(from: start, towards: direction, within: 100))
                guard let hit else { continue }
                for turn in 1..<20 {
                    let tilt = turn % 3 == 0 ? 1e-3 : turn % 3 == 1 ? 0.03 : 1
                    guard let along = vector(key + turn).cross(hit.normal).direction,
                        let on = (along + hit.normal * tilt).direction
                    else { continue }
                    compare(
                        portable.nearestHit(from: hit.position, towards: on, within: 100),
                        other.nearestHit(from: hit.position, towards: on, within: 100, leaving: hit.ground))
                    let end = hit.position + on * 5
                    if portable.isBlocked(from: hit.position, to: end)
                        != other.isBlocked(from: hit.position, to: end, leaving: hit.ground)
                    {
                        differences += 1
                    }
                }
            }
        }
    }

    private mutating func compare(_ hit: Hit?, _ other: Hit?) {
        rays += 1
        if hit != nil { hits += 1 }
        if hit != other { differences += 1 }
    }
}
