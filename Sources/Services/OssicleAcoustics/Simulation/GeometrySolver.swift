import OssicleCore

/// The acoustics of a scene as a pure function: the same scene, places, quality and seed give the same bytes, whatever the number of workers.
///
///     straight way ── DirectPathSolver ──┐
///     edges ───────── DiffractionSolver ─┼─▶ SourceAcoustics      for every update
///     mirrors ─────── ImageSourceSolver ─┘
///     rays ────────── LateTracer ──────────▶ LateResponses        now and then
package struct GeometrySolver<Tracer: RayTracer>: Sendable {
    package let tracer: Tracer
    package let quality: AcousticQuality
    package let seed: UInt64
    private let straight: DirectPathSolver<Tracer>
    let edges: DiffractionSolver<Tracer>
    private let mirrors: ImageSourceSolver<Tracer>
    /// Rows of mirrors that an exhaustive search tries in some 200 µs.
    private static var mostRows: Int { 16_000 }

    /// - Parameter earlier: for the scene before a change; what it knows about geometries that are still there is used again.
    @_specialize(where Tracer == SceneTracer)
    package init(tracer: Tracer, quality: AcousticQuality, seed: UInt64 = 0, reusing earlier: GeometrySolver? = nil) {
        (self.tracer, self.quality, self.seed) = (tracer, quality, seed)
        straight = DirectPathSolver(tracer: tracer)
        edges = DiffractionSolver(tracer: tracer)
        mirrors = ImageSourceSolver(tracer: tracer, reusing: earlier?.mirrors.reflectors)
    }

    private init(_ other: GeometrySolver, quality: AcousticQuality) {
        (tracer, seed, straight, edges, mirrors) = (other.tracer, other.seed, other.straight, other.edges, other.mirrors)
        self.quality = quality
    }

    /// The same scene at another quality.
    package func with(_ quality: AcousticQuality) -> GeometrySolver { GeometrySolver(self, quality: quality) }

    /// What one source sends straight, around edges and by mirrors: cheap enough for every update.
    /// - Parameter candidates: rows of surfaces that may carry a reflection. Where they are wanted and not given, single mirrors alone reflect.
    @_specialize(where Tracer == SceneTracer)
    package func paths(_ query: DirectPathQuery, trying candidates: ReflectionCandidates? = nil) -> SourceAcoustics {
        var acoustics = SourceAcoustics(direct: straight.solve(source: query.source, listener: query.listener))
        if quality.edges > 0 { bend(&acoustics, query.source, query.listener) }
        if quality.reflectionOrder > 0, quality.reflections > 0 {
            acoustics.reflections = reflections(of: query.source.centre, at: query.listener, candidates)
        }
        return acoustics
    }

    /// Whether `paths` needs candidates to find more than single mirrors: the scene has more of them than can be combined at every update.
    package var wantsCandidates: Bool {
        guard quality.reflectionOrder > 1 else { return false }
        let count = mirrors.reflectors.reflectors.count
        return (1..<quality.reflectionOrder).reduce(count) { rows, _ in min(rows, Self.mostRows) * max(count - 1, 1) } > Self.mostRows
    }

    /// Rows of surfaces to try from now on, for `paths`: milliseconds of work, needed again when source or listener has moved some way.
    /// - Parameter earlier: those of an earlier update, kept as far as there is room.
    package func candidates(of source: Vector, at listener: Vector, keeping earlier: ReflectionCandidates? = nil) -> ReflectionCandidates {
        mirrors.candidates(of: source, at: listener, order: quality.reflectionOrder, keeping: earlier)
    }

    private func reflections(of source: Vector, at listener: Vector, _ candidates: ReflectionCandidates?) -> [SoundPath] {
        let order = wantsCandidates && candidates == nil ? 1 : quality.reflectionOrder
        let tried = wantsCandidates ? candidates : nil
        guard quality.bendsReflections else {
            return mirrors.reflections(of: source, at: listener, order: order, limit: quality.reflections, trying: tried)
        }
        let bending = BentReflections(mirrors: mirrors, edges: edges)
        return mirrors.reflections(of: source, at: listener, order: order, limit: quality.reflections, trying: tried) { ways, plain in
            bending.paths(of: source, at: listener, order: order, ways, plain)
        }
    }

    /// Echograms of all that `paths` does not find: tens of milliseconds of work.
    /// - Parameter round: other rays in every round, so that the mean of several has less noise.
    @_specialize(where Tracer == SceneTracer)
    package func lateResponses(of sources: [Vector], at listener: Vector, round: Int = 0, workers: WorkerPool = .shared) -> LateResponses {
        let seed = round == 0 ? seed : CounterRandom(seed: seed, object: UInt64(truncatingIfNeeded: round)).key
        return LateTracer(tracer: tracer, settings: RaySettings(quality), seed: seed).trace(sources: sources, listener: listener, workers: workers)
    }
}

extension GeometrySolver where Tracer == SceneTracer {
    package init(scene: AcousticScene, quality: AcousticQuality, seed: UInt64 = 0, reusing earlier: GeometrySolver? = nil) {
        self.init(tracer: SceneTracer(scene), quality: quality, seed: seed, reusing: earlier)
    }
}

/// The solver with whatever traces rays best here.
package typealias SceneSolver = GeometrySolver<SceneTracer>
