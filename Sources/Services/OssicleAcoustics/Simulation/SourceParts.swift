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

    init<Tracer: RayTracer>(_ body: SourceGeometry, visibleShare: Double, from place: Vector, tracer: Tracer) {
        let probe = SourceProbe(body, seenFrom: place, in: tracer.scene)
        let count = probe.points.count
        let isSeen =
            switch visibleShare {
            case ...0: [Bool](repeating: false, count: count)
            case 1...: [Bool](repeating: true, count: count)
            default: tracer.areBlocked(from: place, to: probe.points, within: probe.beam(from: place)).map { !$0 }
            }
        for piece in 0..<SourceParts.pieces {
            let points = piece * count / SourceParts.pieces..<(piece + 1) * count / SourceParts.pieces
            let (visible, others) = (points.filter { isSeen[$0] }, points.filter { !isSeen[$0] })
            if let part = SourceParts.part(visible, of: probe, { !tracer.isBlocked(from: place, to: $0) }) {
                seen.append(part)
            }
            if let part = SourceParts.part(others, of: probe, { tracer.isBlocked(from: place, to: $0) }) {
                hidden.append(part)
            }
        }
        SourceParts.toShares(&seen)
        SourceParts.toShares(&hidden)
    }

    /// At the mean of its points, or at the point nearest to it where the mean is not of their kind.
    private static func part(_ points: [Int], of probe: SourceProbe, _ isSuch: (Vector) -> Bool) -> Part? {
        let weight = points.reduce(0) { $0 + probe.weights[$1] }
        guard weight > 0 else { return nil }
        let mean = points.reduce(Vector.zero) { $0 + probe.points[$1] * probe.weights[$1] } / weight
        let nearest =
            isSuch(mean)
            ? nil : points.min { (probe.points[$0] - mean).lengthSquared < (probe.points[$1] - mean).lengthSquared }
        return Part(place: nearest.map { probe.points[$0] } ?? mean, share: weight)
    }

    private static func toShares(_ parts: inout [Part]) {
        let total = parts.reduce(0) { $0 + $1.share }
        for index in parts.indices { parts[index].share /= total }
    }
}

extension SoundPath {
    func scaled(by factor: Float) -> SoundPath { coloured(OctaveBands(repeating: factor)) }

    func coloured(_ gains: OctaveBands) -> SoundPath {
        var path = self
        path.bandGains = path.bandGains * gains
        return path
    }
}

extension [SoundPath] {
    /// Those of one identity made one, of their joint energy and at the mean of their places by loudness; loudest
    /// first, ties by identity.
    func joinedByIdentity() -> [SoundPath] {
        var joined: [SoundPath] = []
        var start = 0
        let ordered = sorted { ($0.identity, $1.loudness) < ($1.identity, $0.loudness) }
        while start < ordered.count {
            let end =
                ordered[start...].firstIndex {
                    $0.identity != ordered[start].identity || $0.kind != ordered[start].kind
                } ?? ordered.count
            joined.append(ordered[start..<end].mean(ordered[start]))
            start = end
        }
        return joined.loudestFirst()
    }
}

extension ArraySlice<SoundPath> {
    fileprivate func mean(_ loudest: SoundPath) -> SoundPath {
        let total = reduce(0) { $0 + $1.loudness }
        guard count > 1, total > 0 else { return loudest }
        var path = loudest
        (path.length, path.arrival, path.departure) = (0, .zero, .zero)
        path.corners = path.corners.map { _ in .zero }
        var energy = OctaveBands.zeros
        for part in self {
            let share = part.loudness / total
            path.length += part.length * share
            path.arrival += part.arrival * share
            path.departure += part.departure * share
            for (index, corner) in part.corners.enumerated() where index < path.corners.count {
                path.corners[index] += corner * share
            }
            let gains = part.bandGains * Float(1 / part.length)
            energy = energy + gains * gains
        }
        path.arrival = path.arrival.direction ?? loudest.arrival
        path.departure = path.departure.direction ?? loudest.departure
        path.bandGains = energy.map { $0.squareRoot() } * Float(path.length)
        return path
    }
}
