import OssicleCore

extension SoundPath {
    func scaled(by factor: Float) -> SoundPath { coloured(OctaveBands(repeating: factor)) }

    func coloured(_ gains: OctaveBands) -> SoundPath {
        var path = self
        path.bandGains = path.bandGains * gains
        return path
    }
}

extension [SoundPath] {
    /// Those of one identity made one, of their joint energy and at the mean of their places by loudness; loudest first, ties by identity.
    func joinedByIdentity() -> [SoundPath] {
        var joined: [SoundPath] = []
        var start = 0
        let ordered = sorted { ($0.identity, $1.loudness) < ($1.identity, $0.loudness) }
        while start < ordered.count {
            let end = ordered[start...].firstIndex { $0.identity != ordered[start].identity || $0.kind != ordered[start].kind } ?? ordered.count
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
            for (index, corner) in part.corners.enumerated() where index < path.corners.count { path.corners[index] += corner * share }
            let gains = part.bandGains * Float(1 / part.length)
            energy = energy + gains * gains
        }
        path.arrival = path.arrival.direction ?? loudest.arrival
        path.departure = path.departure.direction ?? loudest.departure
        path.bandGains = energy.map { $0.squareRoot() } * Float(path.length)
        return path
    }
}
