import OssicleCore

extension GeometrySolver {
    /// Joins the straight way and the ways around edges, so that nothing jumps where a source passes behind something. What comes through walls is
    /// another wave and adds as energy.
    func bend(_ acoustics: inout SourceAcoustics, _ source: SourceGeometry, _ listener: Vector) {
        let visible = acoustics.direct.visibleShare
        guard visible >= 0, visible <= 1, acoustics.direct.centreDistance.isFinite, listener.isFinite else { return }
        let through = acoustics.direct.bandGains.map { max($0 * $0 - Float(visible), 0) }
        let seen: OctaveBands
        if case .shape(let shape, _) = source, !shape.points.isEmpty {
            seen = bendBody(&acoustics, source, listener)
        } else {
            seen = bendPoint(&acoustics, source.centre, listener)
        }
        acoustics.direct.bandGains = (seen + through).map { $0.squareRoot() }
    }

    /// The sound of a point is one wave: L straight where its centre is in sight, D around the edges where it is not, both half at the boundary.
    ///
    /// The visible share v of its ball only moves that wave from the edge to the source: in sight v L stays with the straight way and (1 − v) L goes by
    /// the nearest edge, out of sight v D and (1 − v) D of the shortest way around, amplitudes, which add to L or D again. So whatever plays a way around an edge begins and ends in
    /// silence. Partly behind something that has no edges, as a column, it has √v.
    /// - Returns: energies of the straight way.
    private func bendPoint(_ acoustics: inout SourceAcoustics, _ source: Vector, _ listener: Vector) -> OctaveBands {
        let visible = Float(acoustics.direct.visibleShare)
        guard tracer.isBlocked(from: source, to: listener) else {
            let lit = edges.lit(from: source, to: listener)
            guard visible < 1, let brink = edges.brink(from: source, to: listener) else { return lit.map { min($0 * $0, visible) } }
            acoustics.diffractions = [brink.scaled(by: (1 - visible) * Float(brink.length / (listener - source).magnitude)).coloured(lit)]
            return lit * lit * (visible * visible)
        }
        let around = edges.paths(from: source, to: listener, edges: quality.edges, limit: Self.mostAround)
        guard let main = around.indices.min(by: { around[$0].length < around[$1].length }) else { return OctaveBands(repeating: visible) }
        acoustics.diffractions = around.indices.map { $0 == main ? around[$0].scaled(by: 1 - visible) : around[$0] }
        let bent = around[main].bandGains * (visible * Float((listener - source).magnitude / around[main].length))
        return bent * bent
    }

    /// The points of a body sound each for themselves, so that shares of it are shares of energy: v L² straight, with the mean of L² over the
    /// pieces in sight, and (1 − v) D² around the edges, with that of D² over the others. At high frequencies half a body is half its energy.
    /// - Returns: energies of the straight way.
    private func bendBody(_ acoustics: inout SourceAcoustics, _ source: SourceGeometry, _ listener: Vector) -> OctaveBands {
        let visible = acoustics.direct.visibleShare
        let parts = SourceParts(source, visibleShare: visible, from: listener, tracer)
        let around = parts.hidden.flatMap { part in
            edges.paths(from: part.place, to: listener, edges: quality.edges, limit: Self.mostAround)
                .map { $0.scaled(by: Float(((1 - visible) * part.share).squareRoot())) }
        }
        acoustics.diffractions = Array(around.joinedByIdentity().prefix(Self.mostAround))
        return parts.seen.reduce(OctaveBands.zeros) { energy, part in
            let lit = edges.lit(from: part.place, to: listener)
            return energy + lit * lit * Float(visible * part.share)
        }
    }

    /// Ways around edges at most.
    private static var mostAround: Int { 4 }
}
