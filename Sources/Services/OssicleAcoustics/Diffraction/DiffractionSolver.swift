import OssicleCore

/// Finds the ways around edges, and what edges do to sound that passes them closely.
///
/// Each edge is a rigid wedge (`UTD`), computed at the octave centres. Two edges in a row multiply, with the coupling of `EdgePair`. Pure: the same
/// scene and places give the same bytes.
package struct DiffractionSolver<Tracer: RayTracer>: Sendable {
    package let tracer: Tracer
    let edges: SceneEdges
    let waves: WaveNumbers
    let probe: EdgeProbe<Tracer>

    /// Edges looked at, those with the shortest ways first.
    private static var candidateCount: Int { 48 }
    /// Ways by one edge at most.
    private static var mostSingles: Int { 8 }
    /// −60 dB re the open field.
    static var leastGain: Double { 1e-3 }

    /// The first solver for a scene finds the edges of geometries that nobody has asked before.
    package init(tracer: Tracer) {
        self.tracer = tracer
        edges = SceneEdges(tracer.scene)
        waves = WaveNumbers(tracer.scene.medium)
        probe = EdgeProbe(tracer: tracer)
    }

    /// The ways around edges between two places that do not see each other, loudest first, ties by identity. None where they do.
    ///
    /// Among the 48 edges with the shortest detours that stand between the two, the 8 shortest free ways by one edge are found, and the 6 shortest
    /// by two are tested. What is below −60 dB re the open field in every band is left out.
    /// - Parameters: depth: edges in a row, 0…2. - limit: paths at most.
    @_specialize(where Tracer == SceneTracer)
    package func paths(from source: Vector, to listener: Vector, edges depth: Int = 2, limit: Int = 4) -> [SoundPath] {
        let distance = (listener - source).magnitude
        guard depth > 0, limit > 0, distance.isFinite, distance > 1e-3, tracer.isBlocked(from: source, to: listener) else { return [] }
        let found = edges.nearest(from: source, to: listener, [.hidesLast, .hidesFirst], count: Self.candidateCount)
        var paths = singles(found, source, listener)
        if depth > 1 { paths += pairs(found, source, listener) }
        guard !paths.isEmpty else { return [] }
        // What passes an edge into shadow is still beside the other edges it was beside before.
        let beside = fringes(from: source, to: listener, isFree: false).passing(waves)
        for index in paths.indices { paths[index].bandGains = paths[index].bandGains * beside }
        paths.removeAll { path in !path.bandGains.values.contains { Double($0) * distance > Self.leastGain * path.length } }
        paths.sort { ($0.loudness, $1.identity) > ($1.loudness, $0.identity) }
        return Array(paths.prefix(limit))
    }

    /// The ways by one edge each, of edges that part the two places.
    func singles(_ found: [SceneEdges.Candidate], _ source: Vector, _ listener: Vector, arriving arrives: ((Vector) -> Bool)? = nil) -> [SoundPath] {
        found.results(atMost: Self.mostSingles) { candidate in
            guard candidate.standing.contains(.parts) else { return nil }
            let wedge = edges.wedge(candidate.place)
            let bend = Bend(wedge, from: source, to: listener)
            let test = wedge.testPoint(at: wedge.shortestPlace(source, listener))
            guard probe.isFree(from: source, over: wedge, at: test, to: listener, arriving: arrives) else { return nil }
            let shade = shade(beside: candidate, from: source, bend, to: listener)
            let gains = waves.bands { bend.amplitude($0, $1).magnitude }
            return path([bend.point], edges.identity(candidate.place), gains * shade, source, listener)
        }
    }

    /// What the other edges of the faces around a corner do to the two parts of a way by it, where they all but hide it: the far edge of a
    /// thick wall takes its half from the sound before that goes by two edges.
    private func shade(beside candidate: SceneEdges.Candidate, from source: Vector, _ bend: Bend, to listener: Vector) -> OctaveBands {
        let others = edges.neighbours(candidate.place).filter { $0.isFace($0.angle($0.planar(bend.point))) }
        let before = nearest(others.filter { $0.shows(source, bend.point) }.map { ($0, Fringe($0, from: source, to: bend.point, carriedAfter: bend.after)) })
        let after = nearest(others.filter { $0.shows(bend.point, listener) }
            .map { ($0, Fringe($0, from: bend.point, to: listener, carriedBefore: bend.before)) })
        return [before, after].compactMap { $0 }.reduce(OctaveBands.ones) { bands, fringe in
            bands * fringe.factor(waves)
        }
    }

    private func nearest(_ fringes: [(wedge: Wedge, fringe: Fringe?)]) -> Fringe? {
        fringes.filter { wedge, fringe in fringe.map { probe.isExposed(wedge, at: $0.bend.point) } ?? false }
            .compactMap(\.fringe).min { $0.detour < $1.detour }
    }

    func path(_ corners: [Vector], _ identity: UInt64, _ gains: OctaveBands, _ source: Vector, _ listener: Vector) -> SoundPath? {
        guard let first = corners.first, let last = corners.last else { return nil }
        let length = (first - source).magnitude + (last - first).magnitude + (listener - last).magnitude
        guard length.isFinite, gains.values.allSatisfy(\.isFinite) else { return nil }
        return SoundPath(kind: .diffraction(edges: corners.count), identity: identity, length: length, bandGains: gains,
                         arrival: (last - listener).direction ?? (source - listener).direction ?? .zero,
                         departure: (first - source).direction ?? (listener - source).direction ?? .zero, corners: corners)
    }
}
