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

    /// Rays in all directions from places around `centre`, each going on for some bounces from where the last one ended.
    init(_ scene: AcousticScene, rays count: Int, around centre: Vector = .zero, within extent: Vector = Vector(19, 7, 14)) {
        let (portable, other) = (PortableTracer(scene), SceneTracer(scene))
        let random = CounterRandom(seed: 4, object: 21)
        var (found, foundByOther): ([Crossing], [Crossing]) = ([], [])
        let reach = 2 * extent.magnitude
        var start = centre
        var normal = Vector.zero
        for ray in 0..<UInt64(count) {
            func vector(_ index: UInt64) -> Vector {
                let key = 9 * ray + index
                return Vector(random.unit(key), random.unit(key + 1), random.unit(key + 2)) - 0.5
            }
            if ray % 8 == 0 { (start, normal) = (centre + vector(0) * extent, .zero) }
            guard let towards = vector(3).direction else { continue }
            let direction = towards.dot(normal) < 0 ? -towards : towards
            rays += 1
            let hit = portable.nearestHit(from: start, towards: direction, within: reach)
            if hit != other.nearestHit(from: start, towards: direction, within: reach) { differences += 1 }
            let end = start + vector(6) * extent * 2
            portable.findCrossings(from: start, to: end, into: &found)
            other.findCrossings(from: start, to: end, into: &foundByOther)
            if found != foundByOther { differences += 1 }
            let isBlocked = portable.isBlocked(from: start, to: end)
            if isBlocked != other.isBlocked(from: start, to: end) { differences += 1 }
            crossings += found.count
            blocked += isBlocked ? 1 : 0
            if let hit {
                hits += 1
                (start, normal) = (hit.position, hit.normal)
            }
        }
    }
}
