import OssicleCore

/// The acoustics of a scene as a pure function: the same scene, places, quality and seed give the same bytes, whatever
/// the number of workers.
///
///     direct path ── DirectPathSolver ──┐
///     edges ───────── DiffractionSolver ─┼─▶ SourceAcoustics      for every update
///     reflectors ─────── ImageSourceSolver ─┘
///     rays ────────── LateTracer ──────────▶ LateResponses        now and then
package struct GeometrySolver<Tracer: RayTracer>: Sendable {
    package let tracer: Tracer
    package let quality: AcousticQuality
    package let seed: UInt64
    private let straight: DirectPathSolver<Tracer>
    let edges: DiffractionSolver<Tracer>
    private let imageSources: ImageSourceSolver<Tracer>
    /// Rows of reflectors that an exhaustive search tries in some 200 µs.
    private static var mostRows: Int { 16_000 }

    /// - Parameter earlier: for the scene before a change; what it knows about geometries that are still there is used
    ///   again.
    @_specialize(where Tracer == SceneTracer)
    package init(tracer: Tracer, quality: AcousticQuality, seed: UInt64 = 0, reusing earlier: GeometrySolver? = nil) {
        (self.tracer, self.quality, self.seed) = (tracer, quality, seed)
        straight = DirectPathSolver(tracer: tracer)
        edges = DiffractionSolver(tracer: tracer)
        imageSources = ImageSourceSolver(tracer: tracer, reusing: earlier?.imageSources.reflectors)
    }

    private init(_ other: GeometrySolver, quality: AcousticQuality) {
        (tracer, seed, straight, edges, imageSources) = (
            other.tracer, other.seed, other.straight, other.edges, other.imageSources
        )
        self.quality = quality
    }

    /// The same scene at another quality.
    package func with(_ quality: AcousticQuality) -> GeometrySolver { GeometrySolver(self, quality: quality) }

    /// What one source sends straight, around edges and by reflectors: cheap enough for every update.
    /// - Parameter candidates: rows of surfaces that may carry a reflection. Where they are wanted and not given,
    ///   single reflectors alone reflect.
    @_specialize(where Tracer == SceneTracer)
    package func paths(_ given: DirectPathQuery, trying candidates: ReflectionCandidates? = nil) -> SourceAcoustics {
        var query = given
        query.listener = imageSources.reflectors.settled(given.listener, other: given.source.centre)
        if case .point(let position, let radius) = given.source {
            query.source = .point(
                imageSources.reflectors.settled(position, other: given.listener), radius: radius)
        }
        var acoustics = SourceAcoustics(direct: straight.solve(source: query.source, listener: query.listener))
        if quality.edges > 0 { diffract(&acoustics, query.source, listener: query.listener) }
        if quality.reflectionOrder > 0, quality.reflections > 0 {
            acoustics.reflections = reflections(of: query.source.centre, at: query.listener, candidates: candidates)
        }
        return acoustics
    }

    /// Whether `paths` needs candidates to find more than single reflectors: the scene has more of them than can be
    /// combined at every update.
    package var wantsCandidates: Bool {
        guard quality.reflectionOrder > 1 else { return false }
        let count = imageSources.reflectors.reflectors.count
        return (1..<min(quality.reflectionOrder, ImageSource.highestOrder)).reduce(count) { rows, _ in
            min(rows, Self.mostRows) * max(count - 1, 1)
        }
            > Self.mostRows
    }

    /// The highest order, up to the quality's, to which all reflections can be found.
    package func reachableOrder(from source: Vector, to listener: Vector) -> Int {
        imageSources.reachableOrder(quality.reflectionOrder, from: source, to: listener)
    }

    /// Rows of surfaces to try from now on, for `paths`: milliseconds of work, needed again when source or listener has
    /// moved some way.
    /// - Parameter earlier: those of an earlier update, kept as far as there is room.
    package func candidates(
        of source: Vector, at listener: Vector, keeping earlier: ReflectionCandidates? = nil
    ) -> ReflectionCandidates {
        imageSources.candidates(of: source, at: listener, order: quality.reflectionOrder, keeping: earlier)
    }

    private func reflections(of source: Vector, at listener: Vector, candidates: ReflectionCandidates?) -> [SoundPath] {
        let order = wantsCandidates && candidates == nil ? 1 : quality.reflectionOrder
        let tried = wantsCandidates ? candidates : nil
        let diffracted =
            quality.bendsReflections ? DiffractedReflections(imageSources, edges, depth: max(quality.edges, 1)) : nil
        return imageSources.reflections(
            of: source, at: listener, order: order, limit: quality.reflections, trying: tried
        ) { found in
            if let diffracted { return diffracted.paths(found, order: order) }
            return quality.edges > 0 ? SlimReflectors(imageSources, edges).paths(found) : found.plain
        }
    }

    /// Echograms of all that `paths` does not find: tens of milliseconds of work.
    /// - Parameter round: other rays in every round, so that the mean of several has less noise.
    @_specialize(where Tracer == SceneTracer)
    package func lateResponses(
        of sources: [Vector], at listener: Vector, round: Int = 0, workers: WorkerPool = .shared
    ) -> LateResponses {
        lateTracer(round: round).trace(sources: sources, listener: listener, workers: workers)
    }

    func lateTracer(round: Int) -> LateTracer<Tracer> {
        let seed = round == 0 ? seed : CounterRandom(seed: seed, object: UInt64(truncatingIfNeeded: round)).key
        return LateTracer(tracer: tracer, settings: RaySettings(quality), seed: seed)
    }
}

extension GeometrySolver {
    /// The same of bodies, each of which sounds from some places alike; without the responses of parts of the rays.
    package func lateResponses(
        ofBodies bodies: [[Vector]], at listener: Vector, round: Int = 0, workers: WorkerPool = .shared
    ) -> LateResponses {
        let found = lateResponses(of: bodies.flatMap { $0 }, at: listener, round: round, workers: workers)
        return bodies.allSatisfy { $0.count == 1 } ? found : found.joined(bodies.map(\.count))
    }
}

extension GeometrySolver where Tracer == SceneTracer {
    package init(
        scene: AcousticScene, quality: AcousticQuality, seed: UInt64 = 0, reusing earlier: GeometrySolver? = nil
    ) {
        self.init(tracer: SceneTracer(scene), quality: quality, seed: seed, reusing: earlier)
    }
}

/// The solver with whatever traces rays best here.
package typealias SceneSolver = GeometrySolver<SceneTracer>

extension GeometrySolver {
    /// Joins the direct path and the diffraction paths, so that nothing jumps where a source passes behind something.
    /// What comes through walls is another wave and adds as energy.
    func diffract(_ acoustics: inout SourceAcoustics, _ source: SourceGeometry, listener: Vector) {
        let visible = acoustics.direct.visibleShare
        guard visible >= 0, visible <= 1, acoustics.direct.centreDistance.isFinite, listener.isFinite else { return }
        let through = acoustics.direct.bandGains.map { max($0 * $0 - Float(visible), 0) }
        let seen: OctaveBands
        if case .shape(let shape, _) = source, !shape.points.isEmpty {
            seen = bendBody(&acoustics, source, listener: listener)
        } else {
            seen = bendPoint(&acoustics, source.centre, listener: listener)
        }
        acoustics.direct.bandGains = (seen + through).map { $0.squareRoot() }
    }

    /// The sound of a point is one wave: L straight where its centre is in sight, D around the edges where it is not,
    /// both half at the boundary.
    ///
    /// The visible share v of its ball only moves that wave from the edge to the source: in sight v L stays with the
    /// direct path and (1 − v) L goes by the nearest edge, out of sight v D and (1 − v) D of the shortest path around,
    /// amplitudes, which add to L or D again. So whatever plays a path around an edge begins and ends in silence.
    /// Partly behind something that has no edges, as a column, it has √v.
    /// - Returns: energies of the direct path.
    private func bendPoint(_ acoustics: inout SourceAcoustics, _ source: Vector, listener: Vector) -> OctaveBands {
        let visible = Float(acoustics.direct.visibleShare)
        guard tracer.isBlocked(from: source, to: listener), !edges.isTouching(from: source, to: listener) else {
            let lit = edges.lit(from: source, to: listener)
            guard visible < 1, let brink = edges.brink(from: source, to: listener) else {
                return lit.map { min($0 * $0, visible) }
            }
            acoustics.diffractions = [
                brink.scaled(by: (1 - visible) * Float(brink.length / (listener - source).magnitude)).coloured(lit)
            ]
            return lit * lit * (visible * visible)
        }
        let hidden = edges.around(from: source, to: listener, edges: quality.edges, limit: Self.mostAround)
        let around = hidden.paths
        guard let main = around.indices.min(by: { around[$0].length < around[$1].length }) else {
            return (hidden.straight * hidden.straight).map { max($0, visible) }
        }
        acoustics.diffractions = around.indices.map { $0 == main ? around[$0].scaled(by: 1 - visible) : around[$0] }
        let diffracted = around[main].bandGains * (visible * Float((listener - source).magnitude / around[main].length))
        let straight = diffracted + hidden.straight
        return straight * straight
    }

    /// The points of a body sound each for themselves, so that shares of it are shares of energy: v L² straight, with
    /// the mean of L² over the pieces in sight, and (1 − v) D² around the edges, with that of D² over the others. At
    /// high frequencies half a body is half its energy.
    /// - Returns: energies of the direct path.
    private func bendBody(
        _ acoustics: inout SourceAcoustics, _ source: SourceGeometry, listener: Vector
    ) -> OctaveBands {
        let visible = acoustics.direct.visibleShare
        let parts = SourceParts(source, visibleShare: visible, from: listener, tracer: tracer)
        var straight = OctaveBands.zeros
        let around = parts.hidden.flatMap { part in
            let share = (1 - visible) * part.share
            let hidden = edges.around(from: part.place, to: listener, edges: quality.edges, limit: Self.mostAround)
            straight = straight + hidden.straight * hidden.straight * Float(share)
            return hidden.paths.map { $0.scaled(by: Float(share.squareRoot())) }
        }
        acoustics.diffractions = Array(around.joinedByIdentity().prefix(Self.mostAround))
        return parts.seen.reduce(straight) { energy, part in
            let lit = edges.lit(from: part.place, to: listener)
            return energy + lit * lit * Float(visible * part.share)
        }
    }

    /// Diffraction paths at most.
    private static var mostAround: Int { 4 }
}

/// What a scene does to the sound of one source on its way to one listener.
package struct SourceAcoustics: Sendable, Hashable {
    /// The direct path.
    package var direct: DirectPath
    /// Diffraction paths, loudest first, at most four. Each sounds from its last edge.
    package var diffractions: [SoundPath]
    /// Early reflections, loudest first.
    package var reflections: [SoundPath]

    package init(direct: DirectPath, diffractions: [SoundPath] = [], reflections: [SoundPath] = []) {
        (self.direct, self.diffractions, self.reflections) = (direct, diffractions, reflections)
    }
}

extension GeometrySolver {
    /// The room-acoustic quantities from a source to a listener, their standard errors, and the share of the rays that
    /// left for good.
    /// - Parameters:
    ///   - ears: the axis through the listener's ears, unit, for lateral quantities.
    ///   - speech: for a speech transmission index with levels.
    package func roomMetrics(
        of source: SourceGeometry, at listener: Vector, ears: Vector? = nil, speech: SpeechConditions? = nil,
        workers: WorkerPool = .shared
    ) -> (metrics: RoomMetrics, errors: RoomMetrics?, escapedShare: Double) {
        let acoustics = paths(
            DirectPathQuery(source: source, listener: listener),
            trying: wantsCandidates ? candidates(of: source.centre, at: listener) : nil)
        var settings = RaySettings(quality)
        (settings.hearsRoom, settings.parts, settings.ears) = (false, RoomMetrics.errorParts, ears)
        let late = LateTracer(tracer: tracer, settings: settings, seed: seed).trace(
            sources: [source.centre], listener: listener, workers: workers)
        let (medium, escaped) = (tracer.scene.medium, late.survey.escapedShare)
        let response: @Sendable (EnergyResponse) -> SquaredResponse = {
            SquaredResponse(
                direct: acoustics.direct, paths: acoustics.diffractions + acoustics.reflections, late: $0,
                medium: medium, continues: escaped <= 0.6, ears: ears)
        }
        let found = late.sources.first ?? EnergyResponse(binWidth: RaySettings.defaultBinWidth, binCount: 0)
        let errors = RoomMetrics.standardErrors(
            late: found, parts: late.parts.first ?? [], speech: speech, workers: workers, response: response)
        return (RoomMetrics(response(found), speech: speech), errors, escaped)
    }
}
