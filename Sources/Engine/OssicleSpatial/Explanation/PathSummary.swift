import OssicleAcoustics
import OssicleCore

/// A path as it is drawn: where it goes, and how loud it arrives.
package struct PathSummary {
    /// The numbers are those of the live view.
    package enum Kind: Int { case direct, reflection, diffraction, both }

    package let kind: Kind
    package let source, listener: UInt64
    /// dB at 1 kHz, re the source at 1 m.
    package let level: Double
    /// From the source to the listener, both ends among them.
    package let points: [Vector]
}

extension SpatialEngine {
    /// The loudest paths that are received, as of the last update. Under the engine's lock; changes nothing.
    /// - Returns: at most `limit`, and how many there are.
    package func pathSummaries(limit: Int) -> (paths: [PathSummary], count: Int) {
        var all: [PathSummary] = []
        for (key, received) in paths.receivedPaths {
            let (from, to) = (received.body.position, received.head.position)
            func add(_ kind: PathSummary.Kind, _ gain: Float, _ length: Double, _ corners: [Vector]) {
                all.append(
                    PathSummary(
                        kind: kind, source: key.source, listener: key.listener,
                        level: Decibels.of(amplitude: max(Double(gain) / max(length, 0.1), 1e-10)),
                        points: [from] + corners + [to]))
            }
            let direct = received.direct
            add(.direct, direct.bandGains[5], direct.centreDistance, [])
            for path in received.acoustics.diffractions + received.acoustics.reflections {
                let kind: PathSummary.Kind =
                    switch path.kind {
                    case .reflection: .reflection
                    case .diffraction: .diffraction
                    case .diffractedReflection: .both
                    }
                add(kind, path.bandGains[5], path.length, path.corners)
            }
        }
        guard all.count > limit else { return (all, all.count) }
        let loudest = all.indices.sorted { (all[$1].level, $0) < (all[$0].level, $1) }.prefix(limit).sorted()
        return (loudest.map { all[$0] }, all.count)
    }
}
