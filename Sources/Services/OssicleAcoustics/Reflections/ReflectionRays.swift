import OssicleCore

/// Finds sequences of surfaces by following rays from mirror to mirror.
enum ReflectionRays {
    /// Spread evenly: a beam of a few degrees is not missed.
    static let count = 4096

    /// Fibonacci's sphere: steps of the golden angle around an axis at even heights.
    static let directions: [Vector] = (0..<count).map { index in
        let height = 1 - (2 * Double(index) + 1) / Double(count)
        let radius = max(1 - height * height, 0).squareRoot()
        let (s, c) = DeterministicMath.sincos(2.399963229728653 * Double(index))
        return Vector(radius * c, height, radius * s)
    }

    /// Enters the surfaces each ray meets, up to `order` in a row, and the shorter rows it begins with.
    /// - Parameter isSource: whether the rays start at the source, whose side comes first in a sequence.
    static func find<Tracer: RayTracer>(from start: Vector, isSource: Bool, order: Int, _ tracer: Tracer, _ set: ReflectorSet,
                                        into candidates: inout ReflectionCandidates) {
        guard start.isFinite else { return }
        for ray in directions {
            var (place, direction) = (start, ray)
            var sequence = SIMD4<UInt64>.zero
            for bounce in 0..<min(order, MirroredSource.highestOrder) {
                guard let hit = tracer.nearestHit(from: place, towards: direction, within: ImageSourceSolver<Tracer>.reach),
                      let face = set.face(ofOccluder: hit.occluder, triangle: hit.triangle) else { break }
                if isSource {
                    sequence[bounce] = face
                } else {
                    sequence = SIMD4(face, sequence.x, sequence.y, 0)
                }
                if candidates.count < ReflectionCandidates.most { candidates.insert(sequence) }
                place = hit.position
                direction -= hit.normal * (2 * hit.normal.dot(direction))
            }
        }
    }
}
