import OssicleAcoustics
import OssicleCore

/// The direct path of every source and listener that belong together, traced anew while something moves.
///
///     poses ──▶ trails ──▶ who was where when it was sent ──▶ rays ──▶ heard paths
final class DirectPaths {
    struct Key: Hashable {
        let source: UInt64
        let listener: UInt64
    }

    struct Pair {
        let source: PHASESource
        let listener: PHASEListener
        var key: Key { Key(source: source.number, listener: listener.number) }
    }

    /// The moment of an update.
    struct Moment {
        let position: Int64
        /// Frames until the next update is expected: paths are those at that time, and are flown to until then.
        let ahead: Int
        let pace: Trail.Pace
        let medium: Medium

        var hearing: Hearing { Hearing(time: Double(position) + Double(ahead), speed: medium.speedOfSound / pace.sampleRate, longest: pace.sampleRate) }
    }

    private var traced: [Key: (pair: Pair, heard: HeardPath)] = [:]
    private var trails: [UInt64: Trail] = [:]
    private var scene = AcousticScene()
    /// Sampled surfaces by source: they depend on the shapes, not on where the source is.
    private var geometries: [UInt64: SourceShape] = [:]
    /// Of sound, in metres per frame.
    private(set) var speed = 1.0
    private var mediaBefore: UInt32 = 0
    /// Nothing is on its way any more; sound may be long after the last move.
    private var isAtRest = true

    func path(_ source: PHASESource, _ listener: PHASEListener) -> DirectPath? { heard(source, listener)?.path }

    func heard(_ source: PHASESource, _ listener: PHASEListener) -> HeardPath? {
        traced[Key(source: source.number, listener: listener.number)]?.heard
    }

    /// Traces what has to be traced: pairs that are new or have moved, or all of them.
    /// - Parameters:
    ///   - isStale: whether anything may have moved. - sceneIsStale: or stand in the way. - occluders: asked only in that case.
    func trace(_ pairs: @autoclosure () -> [Pair], at moment: Moment, isStale: Bool, sceneIsStale: Bool, occluders: () -> [PHASEOccluder]) {
        guard isStale || !isAtRest else { return }
        let pairs = pairs()
        if sceneIsStale {
            scene = AcousticScene(occluders: occluders().flatMap(\.acousticOccluders))
            geometries = geometries.filter { number, _ in pairs.contains { $0.source.number == number } }
        }
        if moment.hearing.speed != speed {
            speed = moment.hearing.speed
            mediaBefore &+= 1
        }
        follow(pairs, at: moment)
        let found = pairs.map { hear($0, moment) }
        let wanted = found.indices.filter { index in
            guard !sceneIsStale, let last = traced[pairs[index].key]?.heard else { return true }
            return last.body != found[index].body || last.head.position != found[index].head.position
        }
        let requests = wanted.map { index in
            DirectPathQuery(source: pairs[index].source.acousticGeometry(found[index].body, cache: &geometries), listener: found[index].head.position)
        }
        let solved = wanted.isEmpty ? [] : DirectPathSolver(scene: scene).solveAll(requests)
        var next: [Key: (pair: Pair, heard: HeardPath)] = [:]
        for (pair, var heard) in zip(pairs, found) {
            if let last = traced[pair.key]?.heard { heard.path = last.path }
            next[pair.key] = (pair, heard)
        }
        for (index, path) in zip(wanted, solved) { next[pairs[index].key]?.heard.path = path }
        traced = next
        isAtRest = found.allSatisfy(\.isAtRest)
    }

    /// Takes up where everything is. Who belongs to no pair any more has no past when it comes back.
    private func follow(_ pairs: [Pair], at moment: Moment) {
        var next: [UInt64: Trail] = [:]
        func follow(_ number: UInt64, _ pose: Pose) {
            guard next[number] == nil else { return }
            var trail = trails[number] ?? Trail(pose, at: moment.position)
            trail.follow(pose, at: moment.position, moment.pace)
            next[number] = trail
        }
        for pair in pairs {
            follow(pair.key.source, pair.source.worldPose)
            follow(pair.key.listener, pair.listener.headPose)
        }
        trails = next
    }

    /// What is heard, without the rays: at the time of the next update, but not later than it is known where the two will be.
    private func hear(_ pair: Pair, _ moment: Moment) -> HeardPath {
        let source = trails[pair.key.source] ?? Trail(pair.source.worldPose, at: 0)
        let listener = trails[pair.key.listener] ?? Trail(pair.listener.headPose, at: 0)
        var hearing = moment.hearing
        let position = Double(moment.position)
        var found = hearing.moments(source, listener)
        var known = hearing.time
        if source.isKnownUntil > position { known = min(known, hearing.time - max(found.sent - source.isKnownUntil, 0)) }
        if listener.isKnownUntil > position { known = min(known, listener.isKnownUntil) }
        if known < hearing.time {
            hearing.time = max(known.rounded(), position + 1)
            found = hearing.moments(source, listener)
        }
        return HeardPath(path: .silent, body: found.source.pose, head: found.listener.pose,
                         sender: source.moment(at: hearing.time).pose, drift: hearing.drift(found.source, found.listener),
                         leaps: source.leaps &+ listener.leaps &+ mediaBefore,
                         frames: Int(hearing.time - position), isAtRest: found.sent >= source.restsFrom && hearing.time >= listener.restsFrom)
    }

    /// Lets go of the scene and everything in it.
    func forget() {
        traced = [:]
        trails = [:]
        geometries = [:]
        scene = AcousticScene()
        isAtRest = true
    }

    /// In order of source and listener.
    var reports: [PHASEDirectPathReport] {
        traced.values.sorted { ($0.pair.key.source, $0.pair.key.listener) < ($1.pair.key.source, $1.pair.key.listener) }.map { entry in
            let path = entry.heard.path
            return PHASEDirectPathReport(
                source: entry.pair.source.name, listener: entry.pair.listener.name, distance: path.centreDistance,
                visibleShare: path.visibleShare, bandGains: path.bandGains.values.map(Double.init),
                occluders: path.obstacles.map { met in
                    PHASEDirectPathReport.Occluder(name: met.name, loss: met.loss.values.map(Double.init), share: met.share)
                })
        }
    }
}
