import OssicleAcoustics
import OssicleCore

/// The paths of sound between every source and listener that belong together, traced anew while something moves. Under
/// the engine's lock.
///
///     poses ──▶ position histories ──▶ poses at the moment of sending ──▶ rays ──▶ heard paths
package final class ScenePaths {
    /// A source and a listener, by number.
    package struct Key: Hashable, Comparable {
        package let source: UInt64
        package let listener: UInt64

        package init(source: UInt64, listener: UInt64) {
            self.source = source
            self.listener = listener
        }

        package static func < (a: Key, b: Key) -> Bool { (a.source, a.listener) < (b.source, b.listener) }
    }

    package struct Pair {
        let source: SceneSnapshot.Source
        let listener: SceneSnapshot.Listener

        package init(source: SceneSnapshot.Source, listener: SceneSnapshot.Listener) {
            self.source = source
            self.listener = listener
        }

        var key: Key { Key(source: source.number, listener: listener.number) }
    }

    /// The moment of an update.
    package struct Moment {
        let position: Int64
        /// Frames until the next update is expected: paths are those at that time, and are interpolated until then.
        let ahead: Int
        let pace: PositionHistory.Pace
        let medium: Medium
        /// Whether sound takes time to travel; if not, it is a million times as fast.
        let delays: Bool

        /// - Parameters:
        ///   - stepFrames: what a client's first step takes. - slack: frames by which updates may come late.
        package init(
            position: Int64, ahead: Int, sampleRate: Double, stepFrames: Int, slack: Int, medium: Medium, delays: Bool
        ) {
            self.position = position
            self.ahead = ahead
            self.medium = medium
            self.delays = delays
            pace = PositionHistory.Pace(sampleRate: sampleRate, unknown: stepFrames, slack: slack)
        }

        /// Of sound, in metres per frame.
        var speed: Double { medium.speedOfSound / pace.sampleRate }
        var hearing: PathReception {
            PathReception(
                time: Double(position) + Double(ahead), speed: delays ? speed : 1e6 * speed, longest: pace.sampleRate)
        }
    }

    private var traced: [Key: ReceivedPath] = [:]
    private var histories: [UInt64: PositionHistory] = [:]
    private var scene = AcousticScene()
    /// Of the present scene; made when it is first needed.
    private var madeSolver: SceneSolver?
    /// Of the scene before: it knows geometries that are still there.
    private var outdatedSolver: SceneSolver?
    /// Changes with the scene.
    package private(set) var sceneVersion: UInt32 = 0
    /// Of the paths that are known; nil for direct ones only.
    private var quality: AcousticQuality?
    /// Sampled surfaces by source: they depend on the shapes, not on where the source is.
    private var geometries: [UInt64: SourceShape] = [:]
    /// Of direct sound, in metres per frame.
    package private(set) var speed = 1.0
    /// Of all other sound: the detour takes time even where direct sound does not.
    private var speedOfDetours = 1.0
    private var mediaBefore: UInt32 = 0
    /// Nothing is on its way any more; sound may be long after the last move.
    private var isAtRest = true

    package init() {}

    package func heard(_ source: UInt64, _ listener: UInt64) -> ReceivedPath? {
        traced[Key(source: source, listener: listener)]
    }

    /// In order of source and listener.
    package var receivedPaths: [(key: Key, path: ReceivedPath)] {
        traced.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Frames that sound takes for a path of `length` metres, where the direct one has `direct`.
    package func delay(of length: Double, besides direct: Double) -> Double {
        speed == speedOfDetours ? length / speed : direct / speed + max(length - direct, 0) / speedOfDetours
    }

    /// Traces what has to be traced: pairs that are new or have moved, or all of them.
    /// - Parameters:
    ///   - isStale: whether anything may have moved. - sceneIsStale: or obstruct. - occluders: evaluated only in that
    ///     case.
    ///   - quality: of reflections and diffraction; nil for direct paths only.
    ///   - candidates: rows of surfaces that may reflect a source's sound.
    package func trace(
        _ pairs: @autoclosure () -> [Pair], at moment: Moment, isStale: Bool, sceneIsStale: Bool,
        quality: AcousticQuality?, seed: UInt64, candidates: (Key) -> ReflectionCandidates?,
        occluders: () -> [Occluder]
    ) {
        guard isStale || !isAtRest || quality != self.quality else { return }
        let pairs = pairs()
        let allAreStale = sceneIsStale || quality != self.quality
        self.quality = quality
        if sceneIsStale {
            scene = AcousticScene(occluders: occluders(), medium: moment.medium)
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
        var found = pairs.map { hear($0, moment) }
        let wanted = found.indices.filter { index in
            guard let last = traced[pairs[index].key] else { return true }
            found[index].acoustics = last.acoustics
            return allAreStale || last.body != found[index].body || last.head.position != found[index].head.position
        }
        let queries = wanted.map { index in
            DirectPathQuery(
                source: pairs[index].source.geometry(at: found[index].body, cache: &geometries),
                listener: found[index].head.position)
        }
        let solved = wanted.isEmpty ? [] : solve(queries, wanted.map { candidates(pairs[$0].key) }, seed)
        for (index, acoustics) in zip(wanted, solved) { found[index].acoustics = acoustics }
        traced = Dictionary(zip(pairs.map(\.key), found), uniquingKeysWith: { _, last in last })
        isAtRest = found.allSatisfy(\.isAtRest)
    }

    /// For the scene as of the last update.
    package func solver(_ quality: AcousticQuality, seed: UInt64) -> SceneSolver {
        if let madeSolver, madeSolver.seed == seed { return madeSolver.with(quality) }
        let new = SceneSolver(scene: scene, quality: quality, seed: seed, reusing: madeSolver ?? outdatedSolver)
        (madeSolver, outdatedSolver) = (new, nil)
        return new
    }

    private func solve(
        _ queries: [DirectPathQuery], _ candidates: [ReflectionCandidates?], _ seed: UInt64
    ) -> [SourceAcoustics] {
        guard let quality else {
            return DirectPathSolver(scene: scene).solveAll(queries).map { SourceAcoustics(direct: $0) }
        }
        let solver = solver(quality, seed: seed)
        return WorkerPool.shared.map(count: queries.count) { solver.paths(queries[$0], trying: candidates[$0]) }
    }

    /// Notes the present poses. An object that belongs to no pair any more has no past when it comes back.
    private func follow(_ pairs: [Pair], at moment: Moment) {
        var next: [UInt64: PositionHistory] = [:]
        next.reserveCapacity(histories.count)
        func follow(_ number: UInt64, _ pose: Pose) {
            guard next[number] == nil else { return }
            // Taken out, not copied: a history in two places copies its legs before it adds one.
            var history = histories.removeValue(forKey: number) ?? PositionHistory(pose, at: moment.position)
            history.follow(pose, at: moment.position, moment.pace)
            next[number] = history
        }
        for pair in pairs {
            follow(pair.source.number, pair.source.pose)
            follow(pair.listener.number, pair.listener.head)
        }
        histories = next
    }

    /// What is heard, without the rays: at the time of the next update, but not later than it is known where the two
    /// will be.
    private func hear(_ pair: Pair, _ moment: Moment) -> ReceivedPath {
        let source = histories[pair.source.number] ?? PositionHistory(pair.source.pose, at: 0)
        let listener = histories[pair.listener.number] ?? PositionHistory(pair.listener.head, at: 0)
        var hearing = moment.hearing
        let position = Double(moment.position)
        var found = hearing.moments(source, listener)
        var known = hearing.time
        if source.isKnownUntil > position {
            known = min(known, hearing.time - max(found.sent - source.isKnownUntil, 0))
        }
        if listener.isKnownUntil > position { known = min(known, listener.isKnownUntil) }
        if known < hearing.time {
            hearing.time = max(known.rounded(), position + 1)
            found = hearing.moments(source, listener)
        }
        return ReceivedPath(
            acoustics: SourceAcoustics(direct: .silent), body: found.source.pose, head: found.listener.pose,
            sender: source.moment(at: hearing.time).pose, drift: hearing.drift(found.source, found.listener),
            leaps: source.leaps &+ listener.leaps &+ mediaBefore, frames: Int(hearing.time - position),
            isAtRest: found.sent >= source.restsFrom && hearing.time >= listener.restsFrom)
    }

    /// Forgets the scene and everything in it.
    package func forget() {
        traced = [:]
        histories = [:]
        geometries = [:]
        scene = AcousticScene()
        (madeSolver, outdatedSolver) = (nil, nil)
        isAtRest = true
    }
}
