import OssicleCore

/// Chooses reflections where there are more than can be rendered.
///
/// What earlier sound from about the same direction masks goes first: a reflection more than 20 dB below all that came
/// within the 10 ms before it and within 10° of it. Then reflections less than 1 ms and 5° apart become one, of their
/// joint energy. Of the rest the loudest stay. The energy of all that is left out is shared out in equal parts among
/// those that stay: where one takes another's place nothing jumps, and the loudest change least.
struct ReflectionBudget {
    let limit: Int
    let speedOfSound: Double

    private static let masking = (seconds: 0.010, cosine: 0.984807753012208, share: 0.01)
    private static let merging = (seconds: 0.001, cosine: 0.9961946980917455)

    /// Loudest first, ties by identity.
    /// - Parameter direct: the direct path, which masks as well; asked for only where there are too many.
    func chosen(_ paths: [SoundPath], direct: () -> SoundPath?) -> [SoundPath] {
        guard paths.count > limit else { return paths.loudestFirst() }
        return Array(merged(heard(paths, direct())).loudestFirst().prefix(limit)).sharing(paths.energies)
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

    /// Metres; never 0.
    fileprivate var reach: Double { max(length, 1e-9) }

    /// At the listener re the source's at 1 m.
    fileprivate var energy: OctaveBands {
        let amplitudes = bandGains * Float(1 / reach)
        return amplitudes * amplitudes
    }

    fileprivate var isStraight: Bool { kind == .reflection(order: 0) }

    /// Adds another path's energy at the listener to this one's.
    fileprivate mutating func takeOver(_ other: SoundPath) {
        let ratio = Float(length / other.reach)
        let scaled = other.bandGains * ratio
        bandGains = OctaveBands(lanes: (bandGains.lanes * bandGains.lanes + scaled.lanes * scaled.lanes).squareRoot())
    }
}

extension [SoundPath] {
    /// With this much energy at the listener together, where they have less.
    fileprivate func sharing(_ whole: OctaveBands) -> [SoundPath] {
        let share = (whole + energies * -1).map { Swift.max($0, 0) / Float(Swift.max(count, 1)) }
        return map { path in
            var louder = path
            louder.bandGains = (path.energy + share).map { $0.squareRoot() } * Float(path.reach)
            return louder
        }
    }

    fileprivate var energies: OctaveBands { reduce(.zeros) { $0 + $1.energy } }

    /// By what the ear notices.
    func loudestFirst() -> [SoundPath] { ranked(by: \.loudness) }

    /// The highest rank first, ties by identity. Paths are large: their places are sorted.
    package func ranked(by rank: (SoundPath) -> Double) -> [SoundPath] {
        let keys = indices.map { (place: $0, rank: rank(self[$0]), identity: self[$0].identity) }
        return keys.sorted { ($1.rank, $0.identity) < ($0.rank, $1.identity) }.map { self[$0.place] }
    }

    fileprivate func earliestFirst() -> [SoundPath] { sorted { ($0.length, $0.identity) < ($1.length, $1.identity) } }
}
