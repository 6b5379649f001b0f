import OssicleCore

/// A body in pieces, each divided into what is in sight of a place and what is not: where edges look from.
struct SourceParts {
    struct Part {
        /// The mean of its points.
        let place: Vector
        /// Of all that is in sight, or of all that is not.
        var share: Double
    }

    private(set) var seen: [Part] = []
    private(set) var hidden: [Part] = []

    /// Neighbours in a shape's list of points are neighbours on its surface.
    private static let pieces = 8

    init<Tracer: RayTracer>(_ body: SourceGeometry, visibleShare: Double, from place: Vector, _ tracer: Tracer) {
        let probe = SourceProbe(body, seenFrom: place, in: tracer.scene)
        let count = probe.points.count
        let isSeen = switch visibleShare {
        case ...0: [Bool](repeating: false, count: count)
        case 1...: [Bool](repeating: true, count: count)
        default: probe.points.map { !tracer.isBlocked(from: place, to: $0) }
        }
        for piece in 0..<SourceParts.pieces {
            let points = piece * count / SourceParts.pieces..<(piece + 1) * count / SourceParts.pieces
            let (visible, others) = (points.filter { isSeen[$0] }, points.filter { !isSeen[$0] })
            if let part = SourceParts.part(visible, of: probe, { !tracer.isBlocked(from: place, to: $0) }) { seen.append(part) }
            if let part = SourceParts.part(others, of: probe, { tracer.isBlocked(from: place, to: $0) }) { hidden.append(part) }
        }
        SourceParts.toShares(&seen)
        SourceParts.toShares(&hidden)
    }

    /// At the mean of its points, or at the point nearest to it where the mean is not of their kind.
    private static func part(_ points: [Int], of probe: SourceProbe, _ isSuch: (Vector) -> Bool) -> Part? {
        let weight = points.reduce(0) { $0 + probe.weights[$1] }
        guard weight > 0 else { return nil }
        let mean = points.reduce(Vector.zero) { $0 + probe.points[$1] * probe.weights[$1] } / weight
        let nearest = isSuch(mean) ? nil : points.min { (probe.points[$0] - mean).lengthSquared < (probe.points[$1] - mean).lengthSquared }
        return Part(place: nearest.map { probe.points[$0] } ?? mean, share: weight)
    }

    private static func toShares(_ parts: inout [Part]) {
        let total = parts.reduce(0) { $0 + $1.share }
        for index in parts.indices { parts[index].share /= total }
    }
}
