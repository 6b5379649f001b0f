import OssicleAcoustics
import OssicleCore

/// The paths of sound between every source and listener that belong together, traced anew while something moves. Under
/// the engine's lock.
///
///     poses ──▶ position histories ──▶ poses at the moment of sending ──▶ rays ──▶ heard paths
///
/// Pairs and their objects stand in arrays, at places that hold until `arrange` is called again; an update looks at
/// what has moved, or still has sound on its way, and at nothing else, and needs no check against overlapping accesses
/// for it.
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

    /// What paths are traced for besides the scene.
    package struct Request {
        /// Whether anything may have moved, or obstruct.
        let isStale: Bool
        let sceneIsStale: Bool
        /// Of reflections and diffraction; nil for direct paths only.
        let quality: AcousticQuality?
        let seed: UInt64

        package init(isStale: Bool, sceneIsStale: Bool, quality: AcousticQuality?, seed: UInt64) {
            self.isStale = isStale
            self.sceneIsStale = sceneIsStale
            self.quality = quality
            self.seed = seed
        }
    }

    @exclusivity(unchecked) private var pairs = PathPairs()
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
    @exclusivity(unchecked) package private(set) var speed = 1.0
    /// Of all other sound: the detour takes time even where direct sound does not.
    private var speedOfDetours = 1.0
    private var mediaBefore: UInt32 = 0
    /// Nothing is on its way any more; sound may be long after the last move.
    private var isAtRest = true
    private var lastPosition: Int64 = 0
    /// Pairs whose rays have to be followed; kept for its memory.
    @exclusivity(unchecked) private var wanted: [Int] = []

    package init() {}

    // MARK: Pairs

    /// Changes whenever pairs get other places.
    var arrangement: UInt64 { pairs.arrangement }

    /// Pairs have come or gone, or the poses of many have changed.
    package func arrange(_ new: [Pair]) {
        pairs.arrange(new)
        isAtRest = false
    }

    /// What has moved since the last update.
    func move(_ scene: SceneSnapshot) {
        for place in scene.moved.sources {
            pairs.move(scene.sources[place].number, sourceAt: place, to: scene.sources[place].pose)
        }
        for place in scene.moved.listeners {
            pairs.move(scene.listeners[place].number, to: scene.listeners[place].head)
        }
    }

    func place(of source: UInt64, _ listener: UInt64) -> Int? {
        pairs.places[Key(source: source, listener: listener)]
    }

    /// The path at a place of the present arrangement, where it lies: it is large.
    func withPath(_ place: Int, _ body: (UnsafePointer<ReceivedPath>) -> Void) {
        pairs.heard.withUnsafeBufferPointer { heard in if let base = heard.baseAddress { body(base + place) } }
    }

    /// Whether paths that nothing has attended to are received every fourth time only, each in its turn.
    @exclusivity(unchecked) var skipsUnattended = false
    /// Something that plays needs the path at a place of the present arrangement, or is about to.
    func attend(_ place: Int) { pairs.attend(place) }
    /// Whether it is the path's turn in any case.
    func isDue(_ place: Int) -> Bool { pairs.isDue(place) }
    /// Whether it is the path of now.
    func isFresh(_ place: Int) -> Bool { pairs.isFresh(place) }

    /// Engine time since which the path at a place is the same; nil while it is not.
    func restsSince(_ place: Int) -> Int64? { pairs.links[place].restsSince }

    package func heard(_ source: UInt64, _ listener: UInt64) -> ReceivedPath? {
        guard let place = place(of: source, listener), pairs.links[place].isTraced else { return nil }
        return pairs.heard[place]
    }

    /// In order of source and listener.
    package var receivedPaths: [(key: Key, path: ReceivedPath)] {
        pairs.keys.indices.filter { pairs.links[$0].isTraced }.sorted { pairs.keys[$0] < pairs.keys[$1] }
            .map { (pairs.keys[$0], pairs.heard[$0]) }
    }

    /// The received paths where they lie, as they are large, in order of source and listener.
    func forEachReceived(_ body: (Key, UnsafePointer<ReceivedPath>) -> Void) {
        let places = pairs.keys.indices.filter { pairs.links[$0].isTraced }.sorted { pairs.keys[$0] < pairs.keys[$1] }
        for place in places { withPath(place) { body(pairs.keys[place], $0) } }
    }

    /// Frames that sound takes for a path of `length` metres, where the direct one has `direct`.
    package func delay(of length: Double, besides direct: Double) -> Double {
        speed == speedOfDetours ? length / speed : direct / speed + max(length - direct, 0) / speedOfDetours
    }

    // MARK: Tracing

    /// Traces what has to be traced: pairs that are new or have moved, or all of them.
    /// - Parameters:
    ///   - candidates: rows of surfaces that may reflect a source's sound. - occluders: evaluated only if the scene is
    ///     stale.
    package func trace(
        _ request: Request, at moment: Moment, candidates: (Key) -> ReflectionCandidates?, occluders: () -> [Occluder]
    ) {
        guard request.isStale || !isAtRest || request.quality != quality else { return }
        let allAreStale = request.sceneIsStale || request.quality != quality
        quality = request.quality
        if request.sceneIsStale {
            scene = AcousticScene(occluders: occluders(), medium: moment.medium)
            sceneVersion &+= 1
            outdatedSolver = madeSolver ?? outdatedSolver
            madeSolver = nil
            geometries = geometries.filter { number, _ in pairs.bodies[number] != nil }
        }
        // After a change of the medium, or of engine time itself, nothing is as it was.
        var anythingGoes = allAreStale || moment.position < lastPosition
        lastPosition = moment.position
        let hearing = moment.hearing
        if hearing.speed != speed {
            speed = hearing.speed
            mediaBefore &+= 1
            anythingGoes = true
        }
        speedOfDetours = moment.speed
        pairs.follow(at: moment)
        isAtRest = hear(hearing, moment, anythingGoes: anythingGoes, allAreStale: allAreStale)
        pairs.settle()
        if !wanted.isEmpty { solve(candidates, request.seed) }
    }

    /// Finds what is heard, and the direct paths that need no rays; `wanted` are the others.
    /// - Returns: whether all is at rest.
    private func hear(
        _ hearing: PathReception, _ moment: Moment, anythingGoes: Bool, allAreStale: Bool
    ) -> Bool {
        wanted.removeAll(keepingCapacity: true)
        let solver = DirectPathSolver(scene: scene)
        var allRest = true
        pairs.beginTurn()
        for place in pairs.links.indices {
            if !anythingGoes {
                if pairs.rests(place, at: moment) { continue }
                if skipsUnattended, pairs.waits(place) {
                    allRest = false
                    continue
                }
            }
            let (rests, isElsewhere) = pairs.hear(place, hearing, moment, media: mediaBefore)
            if !rests { allRest = false }
            if !isElsewhere && !allAreStale { continue }
            let (source, ear) = (pairs.heard[place].body.position, pairs.heard[place].head.position)
            if quality == nil, !pairs.links[place].isBody, solver.isOpen(from: source, to: ear) {
                pairs.heard[place].acoustics.open(from: source, to: ear)
            } else {
                wanted.append(place)
            }
        }
        return allRest
    }

    /// For the scene as of the last update.
    package func solver(_ quality: AcousticQuality, seed: UInt64) -> SceneSolver {
        if let madeSolver, madeSolver.seed == seed { return madeSolver.with(quality) }
        let new = SceneSolver(scene: scene, quality: quality, seed: seed, reusing: madeSolver ?? outdatedSolver)
        (madeSolver, outdatedSolver) = (new, nil)
        return new
    }

    private func solve(_ candidates: (Key) -> ReflectionCandidates?, _ seed: UInt64) {
        let queries = wanted.map { place in
            DirectPathQuery(source: geometry(place), listener: pairs.heard[place].head.position)
        }
        let solved: [SourceAcoustics]
        if let quality {
            let solver = solver(quality, seed: seed)
            let rows = wanted.map { candidates(pairs.keys[$0]) }
            solved = WorkerPool.shared.map(count: queries.count) { solver.paths(queries[$0], trying: rows[$0]) }
        } else {
            solved = DirectPathSolver(scene: scene).solveAll(queries).map { SourceAcoustics(direct: $0) }
        }
        for (place, acoustics) in zip(wanted, solved) { pairs.heard[place].acoustics = acoustics }
    }

    /// What rays meet of a source where it was when it sent what is heard.
    private func geometry(_ place: Int) -> SourceGeometry {
        let body = pairs.heard[place].body
        guard let source = pairs.bodies[pairs.keys[place].source] else { return .point(body.position) }
        return source.geometry(at: body, cache: &geometries)
    }

    /// Where a body radiates into a late field. Nil for points, and for bodies within half a metre of their position,
    /// which are as good as one.
    func radiatingPlaces(of source: UInt64, at body: Pose) -> [Vector]? {
        guard pairs.bodies[source] != nil, let places = geometries[source]?.latePoints.map({ body.toWorld($0) }),
            places.contains(where: { ($0 - body.position).magnitude > 0.5 })
        else { return nil }
        return places
    }

    /// Forgets the scene and everything in it.
    package func forget() {
        pairs.forget()
        geometries = [:]
        scene = AcousticScene()
        (madeSolver, outdatedSolver) = (nil, nil)
        isAtRest = true
    }
}
