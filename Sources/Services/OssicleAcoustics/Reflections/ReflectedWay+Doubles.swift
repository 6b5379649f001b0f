import OssicleCore

extension [ReflectedWay] {
    /// Sound that comes from one direction after one time has come one way: two mirrors that share an edge may both have found it there.
    func withoutDoubles() -> [ReflectedWay] {
        let ranked = map { (way: $0, length: $0.length, arrival: $0.arrival) }.sorted { ($0.length, $0.way.rank) < ($1.length, $1.way.rank) }
        var kept: [(way: ReflectedWay, length: Double, arrival: Vector)] = []
        for candidate in ranked {
            let near = kept.reversed().prefix { candidate.length - $0.length <= 1e-6 }
            if !near.contains(where: { ($0.arrival - candidate.arrival).magnitude <= 1e-6 }) { kept.append(candidate) }
        }
        return kept.map(\.way)
    }
}

extension ReflectedWay {
    /// A fixed order among ways of one length.
    fileprivate var rank: UInt64 {
        (0..<order).reduce(UInt64(order)) { $0 << 16 | UInt64(UInt16(truncatingIfNeeded: image.reflectors[$1])) }
    }
}
