import OssicleAcoustics
import OssicleCore

/// The ways of sound between every source and listener that belong together, traced anew while something moves.
///
///     poses ──▶ trails ──▶ who was where when it was sent ──▶ rays ──▶ heard paths
final class ScenePaths {
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
        /// Whether sound takes its time; if not, it is so fast that nobody could tell.
        let delays: Bool

        var speed: Double { medium.speedOfSound / pace.sampleRate }
        var hearing: Hearing { Hearing(time: Double(position) + Double(ahead), speed: delays ? speed : 1e6 * speed, longest: pace.sampleRate) }
    }

    private var traced: [Key: (pair: Pair, heard: HeardPath)] = [:]
    private var trails: [UInt64: Trail] = [:]
    private var scene = AcousticScene()
    /// Of the scene as it is; made when somebody asks.
    private var madeSolver: SceneSolver?
    /// Of the scene before: it knows geometries that are still there.
    private var outdatedSolver: SceneSolver?
    /// Changes with the scene.
    private(set) var sceneVersion: UInt32 = 0
    /// Of the ways that are known; nil for straight ones only.
    private var quality: AcousticQuality?
    /// Sampled surfaces by source: they depend on the shapes, not on where the source is.
    private var geometries: [UInt64: SourceShape] = [:]
    /// Of direct sound, in metres per frame.
    private(set) var speed = 1.0
    /// Of sound that goes another way: what that is longer by it takes time for in any case.
    private var speedOfDetours = 1.0
    private var mediaBefore: UInt32 = 0
    /// Nothing is on its way any more; sound may be long after the last move.
    private var isAtRest = true

    func path(_ source: PHASESource, _ listener: PHASEListener) -> DirectPath? { heard(source, listener)?.path }

    func heard(_ source: PHASESource, _ listener: PHASEListener) -> HeardPath? {
        traced[Key(source: source.number, listener: listener.number)]?.heard
    }

    /// Frames that sound takes for a way of `length` metres, where the straight one has `direct`.
    func delay(of length: Double, besides direct: Double) -> Double {
        speed == speedOfDetours ? length / speed : direct / speed + max(length - direct, 0) / speedOfDetours
    }

    /// Traces what has to be traced: pairs that are new or have moved, or all of them.
    /// - Parameters:
    ///   - isStale: whether anything may have moved. - sceneIsStale: or stand in the way. - occluders: asked only in that case.
    ///   - quality: of reflections and of ways around edges; nil for straight ways only.
    ///   - candidates: rows of surfaces that may mirror a source's sound.
    func trace(_ pairs: @autoclosure () -> [Pair], at moment: Moment, isStale: Bool, sceneIsStale: Bool, quality: AcousticQuality? = nil, seed: UInt64 = 0,
               candidates: (Key) -> ReflectionCandidates? = { _ in nil }, occluders: () -> [PHASEOccluder]) {
        guard isStale || !isAtRest || quality != self.quality else { return }
        let pairs = pairs()
        let allAreStale = sceneIsStale || quality != self.quality
        self.quality = quality
        if sceneIsStale {
            scene = AcousticScene(occluders: occluders().flatMap(\.acousticOccluders), medium: moment.medium)
            sceneVersion &+= 1
            outdatedSolver = madeSolver ?? outdatedSolver
            madeSolver = nil
            geometries = geometries.filter { number, _ in pairs.contains { $0.source.number == number } }
        }
        if moment.hearing.speed != speed {
            speed = moment.hearing.speed
            mediaBefore &+= 1
        }
        speedOfDetours = moment.speed
        follow(pairs, at: moment)
        let found = pairs.map { hear($0, moment) }
        let wanted = found.indices.filter { index in
            guard !allAreStale, let last = traced[pairs[index].key]?.heard else { return true }
            return last.body != found[index].body || last.head.position != found[index].head.position
        }
        let requests = wanted.map { index in
            DirectPathQuery(source: pairs[index].source.acousticGeometry(found[index].body, cache: &geometries), listener: found[index].head.position)
        }
        let solved = wanted.isEmpty ? [] : solve(requests, wanted.map { candidates(pairs[$0].key) }, seed)
        var next: [Key: (pair: Pair, heard: HeardPath)] = [:]
        for (pair, var heard) in zip(pairs, found) {
            if let last = traced[pair.key]?.heard { heard.acoustics = last.acoustics }
            next[pair.key] = (pair, heard)
        }
        for (index, acoustics) in zip(wanted, solved) { next[pairs[index].key]?.heard.acoustics = acoustics }
        traced = next
        isAtRest = found.allSatisfy(\.isAtRest)
    }

    /// For the scene as of the last update.
    func solver(_ quality: AcousticQuality, seed: UInt64) -> SceneSolver {
        if let madeSolver, madeSolver.seed == seed { return madeSolver.with(quality) }
        let new = SceneSolver(scene: scene, quality: quality, seed: seed, reusing: madeSolver ?? outdatedSolver)
        (madeSolver, outdatedSolver) = (new, nil)
        return new
    }

    private func solve(_ requests: [DirectPathQuery], _ candidates: [ReflectionCandidates?], _ seed: UInt64) -> [SourceAcoustics] {
        guard let quality else { return DirectPathSolver(scene: scene).solveAll(requests).map { SourceAcoustics(direct: $0) } }
        let solver = solver(quality, seed: seed)
        return WorkerPool.shared.map(count: requests.count) { solver.paths(requests[$0], trying: candidates[$0]) }
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
        return HeardPath(acoustics: SourceAcoustics(direct: .silent), body: found.source.pose, head: found.listener.pose,
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
        (madeSolver, outdatedSolver) = (nil, nil)
        isAtRest = true
    }

    /// In order of source and listener.
    private var ordered: [(pair: Pair, heard: HeardPath)] {
        traced.values.sorted { ($0.pair.key.source, $0.pair.key.listener) < ($1.pair.key.source, $1.pair.key.listener) }
    }

    var heardPaths: [(key: Key, path: HeardPath)] { ordered.map { ($0.pair.key, $0.heard) } }

    var reports: [PHASEDirectPathReport] {
        ordered.map { entry in
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
