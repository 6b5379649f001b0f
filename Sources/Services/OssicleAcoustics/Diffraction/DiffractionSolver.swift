import OssicleCore

/// Finds the diffraction paths, and what edges do to sound that passes them closely.
///
/// Each edge is a rigid wedge (`UTD`), computed at the octave centres. Two edges in a row multiply, with the coupling
/// of `EdgePair`. Pure: the same scene and places give the same bytes.
package struct DiffractionSolver<Tracer: RayTracer>: Sendable {
    package let tracer: Tracer
    let edges: SceneEdges
    let waves: WaveNumbers
    let probe: EdgeProbe<Tracer>

    /// Edges looked at, those with the shortest paths first.
    private static var candidateCount: Int { 48 }
    /// Paths by one edge at most.
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

    /// The diffraction paths between two places that do not see each other, loudest first, ties by identity. None where
    /// they do.
    ///
    /// Among the 48 edges with the shortest detours that stand between the two, the 8 shortest free paths by one edge
    /// are found, and the 6 shortest by two are tested. What is below −60 dB re the open field in every band is left
    /// out.
    /// - Parameters: depth: edges in a row, 0…2. - limit: paths at most.
    @_specialize(where Tracer == SceneTracer)
    package func paths(from source: Vector, to listener: Vector, edges depth: Int = 2, limit: Int = 4) -> [SoundPath] {
        let distance = (listener - source).magnitude
        guard depth > 0, limit > 0, distance.isFinite, distance > 1e-3, tracer.isBlocked(from: source, to: listener)
        else { return [] }
        let found = edges.nearest(
            from: source, to: listener, standing: [.hidesLast, .hidesFirst], count: Self.candidateCount)
        var paths = singles(found, source, listener: listener)
        if depth > 1 { paths += pairs(found, source, listener: listener) }
        guard !paths.isEmpty else { return [] }
        // What passes an edge into shadow is still beside the other edges it was beside before.
        let slots = SlotFields(self, from: source, to: listener, isFree: false)
        let beside = fringes(from: source, to: listener, isFree: false, slots: slots).passing(waves)
        for index in paths.indices { paths[index].bandGains = paths[index].bandGains * beside }
        paths.removeAll { path in
            !path.bandGains.values.contains { Double($0) * distance > Self.leastGain * path.length }
        }
        paths.sort { ($0.loudness, $1.identity) > ($1.loudness, $0.identity) }
        return slots.settled(Array(paths.prefix(limit)), over: distance, waves)
    }

    /// The paths by one edge each, of edges that part the two places.
    func singles(
        _ found: [SceneEdges.Candidate], _ source: Vector, listener: Vector, _ access: EdgeAccess = EdgeAccess()
    ) -> [SoundPath] {
        found.results(atMost: Self.mostSingles) { candidate in
            guard candidate.standing.contains(.parts) else { return nil }
            let wedge = edges.wedge(candidate.place)
            let test = wedge.testPoint(at: wedge.shortestPlace(source, listener))
            guard probe.isFree(from: source, over: wedge, at: test, to: listener, access) else { return nil }
            let diffraction = EdgeDiffraction(wedge, from: source, to: listener)
            let shade = shade(beside: candidate, from: source, diffraction: diffraction, to: listener)
            let gains = waves.bands { diffraction.amplitude($0, $1).magnitude }
            return path(
                [diffraction.point], edges.identity(candidate.place), gains: gains * shade, source: source,
                listener: listener)
        }
    }

    /// What the other edges of the faces around a corner do to the two parts of a path by it, where they all but hide
    /// it: the far edge of a thick wall takes its half from the sound before that goes by two edges.
    private func shade(
        beside candidate: SceneEdges.Candidate, from source: Vector, diffraction: EdgeDiffraction, to listener: Vector
    ) -> OctaveBands {
        let others = edges.neighbours(candidate.place).filter { $0.isFace($0.angle($0.planar(diffraction.point))) }
        let before = nearest(others, from: source, to: diffraction.point).flatMap {
            Fringe($0, from: source, to: diffraction.point, carriedAfter: diffraction.after)
        }
        let after = nearest(others, from: diffraction.point, to: listener).flatMap {
            Fringe($0, from: diffraction.point, to: listener, carriedBefore: diffraction.before)
        }
        return [before, after].compactMap { $0 }.reduce(OctaveBands.ones) { bands, fringe in
            bands * fringe.factor(waves)
        }
    }

    /// The exposed edge with the shortest detour, below that of a fringe.
    private func nearest(_ wedges: [Wedge], from start: Vector, to end: Vector) -> Wedge? {
        let straight = (end - start).magnitude
        var near: [(detour: Double, wedge: Wedge)] = []
        for wedge in wedges where wedge.shows(start, end) {
            let point = wedge.point(at: wedge.shortestPlace(start, end))
            let detour = EdgeDiffraction.length(start, point) + EdgeDiffraction.length(point, end) - straight
            guard detour < Fringe.widest else { continue }
            let rank = near.firstIndex { max($0.detour, 0) > max(detour, 0) } ?? near.count
            near.insert((detour, wedge), at: rank)
        }
        return near.first { isExposed($0.wedge, at: $0.wedge.point(at: $0.wedge.shortestPlace(start, end))) }?.wedge
    }

    /// Whether nothing closes the open side of an edge at a point of it.
    func isExposed(_ wedge: Wedge, at point: Vector) -> Bool {
        edges.isAlone(point, within: 2 * EdgeProbe<Tracer>.margin(point)) || probe.isExposed(wedge, at: point)
    }

    func path(
        _ corners: [Vector], _ identity: UInt64, gains: OctaveBands, source: Vector, listener: Vector
    ) -> SoundPath? {
        guard let first = corners.first, let last = corners.last else { return nil }
        let length = (first - source).magnitude + (last - first).magnitude + (listener - last).magnitude
        guard length.isFinite, gains.values.allSatisfy(\.isFinite) else { return nil }
        return SoundPath(
            kind: .diffraction(edges: corners.count), identity: identity, length: length, bandGains: gains,
            arrival: (last - listener).direction ?? (source - listener).direction ?? .zero,
            departure: (first - source).direction ?? (listener - source).direction ?? .zero, corners: corners)
    }
}

extension DiffractionSolver {
    /// Edges tested for one image, those with the shortest detours.
    private static var imageTests: Int { 3 }

    /// The paths by edges between places of which one or both are images: their sound comes or goes by reflectors.
    /// Gains, lengths and corners as in `paths`; unsorted.
    ///
    /// The wedge sees the sound come from the image, whatever turned it before, so its angles and distances are those
    /// to the image.
    /// - Parameters: access: how sound gets to the edges and on. - depth: edges in a row, 1 or 2.
    func paths(
        fromImage image: Vector, toImage place: Vector, _ access: EdgeAccess, edges depth: Int
    ) -> [SoundPath] {
        let distance = (place - image).magnitude
        guard distance.isFinite, distance > 1e-3 else { return [] }
        let found = edges.nearest(
            from: image, to: place, standing: depth > 1 ? [.hidesLast, .hidesFirst] : .parts,
            count: depth > 1 ? 4 * Self.imageTests : Self.imageTests)
        var paths = singles(
            found.results(atMost: Self.imageTests) { $0.standing.contains(.parts) ? $0 : nil },
            image, listener: place, access)
        if depth > 1, paths.isEmpty { paths = pairs(found, image, listener: place, access) }
        guard !paths.isEmpty else { return [] }
        let beside = fringes(from: image, to: place, isFree: false, access).passing(waves)
        for index in paths.indices { paths[index].bandGains = paths[index].bandGains * beside }
        paths.removeAll { path in
            !path.bandGains.values.contains { Double($0) * distance > Self.leastGain * path.length }
        }
        return paths
    }
}

extension Sequence {
    /// The first results that are not nil, each element asked once and none beyond: the prefix of a lazy collection
    /// asks some twice.
    func results<Result>(atMost count: Int, _ result: (Element) -> Result?) -> [Result] {
        var results: [Result] = []
        for element in self {
            guard results.count < count else { break }
            if let result = result(element) { results.append(result) }
        }
        return results
    }
}
