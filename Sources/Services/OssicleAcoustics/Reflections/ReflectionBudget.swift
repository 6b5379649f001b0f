import OssicleCore

/// Chooses reflections where there are more than can be rendered.
///
/// What earlier sound from about the same direction masks goes first: a reflection more than 20 dB below all that came
/// within the 10 ms before it and within 10° of it. Then reflections less than 1 ms and 5° apart become one, of their
/// joint energy. Of the rest the loudest stay.
struct ReflectionBudget {
    let limit: Int
    let speedOfSound: Double

    private static let masking = (seconds: 0.010, cosine: 0.984807753012208, share: 0.01)
    private static let merging = (seconds: 0.001, cosine: 0.9961946980917455)

    /// Loudest first, ties by identity.
    /// - Parameter direct: the direct path, which masks as well; asked for only where there are too many.
    func chosen(_ paths: [SoundPath], direct: () -> SoundPath?) -> [SoundPath] {
        guard paths.count > limit else { return paths.loudestFirst() }
        return Array(merged(heard(paths, direct())).loudestFirst().prefix(limit))
    }

    /// Those that are not masked, earliest first.
    private func heard(_ paths: [SoundPath], _ direct: SoundPath?) -> [SoundPath] {
        let all = ([direct].compactMap { $0 } + paths).earliestFirst()
        let window = ReflectionBudget.masking.seconds * speedOfSound
        var start = 0
        return all.indices.compactMap { index in
            while all[start].length < all[index].length - window { start += 1 }
            let masker = all[start..<index].reduce(0.0) { sum, earlier in
                earlier.arrival.dot(all[index].arrival) >= ReflectionBudget.masking.cosine
                    ? sum + earlier.loudness : sum
            }
            return all[index].loudness < masker * ReflectionBudget.masking.share || all[index].isStraight
                ? nil : all[index]
        }
    }

    private func merged(_ paths: [SoundPath]) -> [SoundPath] {
        let window = ReflectionBudget.merging.seconds * speedOfSound
        var kept: [SoundPath] = []
        for path in paths.loudestFirst() {
            func isNear(_ other: SoundPath) -> Bool {
                abs(other.length - path.length) < window
                    && other.arrival.dot(path.arrival) > ReflectionBudget.merging.cosine
            }
            if let near = kept.firstIndex(where: isNear) {
                kept[near].takeOver(path)
            } else {
                kept.append(path)
            }
        }
        return kept
    }
}

extension SoundPath {
    /// The direct path without obstacles.
    static func straight(from source: Vector, to listener: Vector) -> SoundPath {
        let offset = source - listener
        return SoundPath(
            kind: .reflection(order: 0), identity: 0, length: offset.magnitude, bandGains: .ones,
            arrival: offset.direction ?? .zero,
            departure: (-offset).direction ?? .zero, corners: [])
    }

    fileprivate var isStraight: Bool { kind == .reflection(order: 0) }

    /// Adds another path's energy at the listener to this one's.
    fileprivate mutating func takeOver(_ other: SoundPath) {
        let ratio = Float(length / max(other.length, 1e-9))
        let scaled = other.bandGains * ratio
        bandGains = OctaveBands(lanes: (bandGains.lanes * bandGains.lanes + scaled.lanes * scaled.lanes).squareRoot())
    }
}

extension [SoundPath] {
    /// By what the ear notices, ties by identity.
    func loudestFirst() -> [SoundPath] {
        let ranked = map { (path: $0, loudness: $0.loudness) }
        return ranked.sorted { ($1.loudness, $0.path.identity) < ($0.loudness, $1.path.identity) }.map(\.path)
    }

    fileprivate func earliestFirst() -> [SoundPath] { sorted { ($0.length, $0.identity) < ($1.length, $1.identity) } }
}
