import OssicleCore

extension DiffractionSolver {
    /// Edges on either side from which pairs are made.
    private static var pairSide: Int { 6 }
    /// Ways tested by rays.
    private static var pairTests: Int { 6 }

    /// The ways by two edges, the shortest of them.
    func pairs(_ found: [SceneEdges.Candidate], _ source: Vector, _ listener: Vector) -> [SoundPath] {
        var ways: [(pair: EdgePair, first: SceneEdges.Candidate, second: SceneEdges.Candidate)] = []
        let (firsts, lasts) = pairSides(found, source, listener)
        for first in firsts {
            let one = edges.wedge(first.place)
            for second in lasts where second.place != first.place {
                let two = edges.wedge(second.place)
                let pair = EdgePair(from: source, one, two, to: listener)
                guard pair.isBent(source, one, two, listener) else { continue }
                ways.append((pair, first, second))
            }
        }
        ways.sort { ($0.pair.length, $0.first.length, $0.second.length) < ($1.pair.length, $1.first.length, $1.second.length) }
        return ways.prefix(Self.pairTests).compactMap { way in
            let (one, two) = (edges.wedge(way.first.place), edges.wedge(way.second.place))
            let (p, q) = way.pair.points
            guard probe.isFree(from: source, over: (one, p), (two, q), to: listener) else { return nil }
            let identity = SoundPath.identity(edges.identity(way.first.place), then: edges.identity(way.second.place))
            return path([p, q], identity, way.pair.gains(source, one, two, listener, waves), source, listener)
        }
    }

    /// The nearest edges that may come first and those that may come last. Edges that are closed where they are nearest, as a wall's on the floor,
    /// would fill the places.
    private func pairSides(_ found: [SceneEdges.Candidate], _ source: Vector,
                           _ listener: Vector) -> (firsts: [SceneEdges.Candidate], lasts: [SceneEdges.Candidate]) {
        var (firsts, lasts): ([SceneEdges.Candidate], [SceneEdges.Candidate]) = ([], [])
        for candidate in found {
            let isFirst = candidate.standing.contains(.hidesLast) && firsts.count < Self.pairSide
            let isLast = candidate.standing.contains(.hidesFirst) && lasts.count < Self.pairSide
            let wedge = edges.wedge(candidate.place)
            guard isFirst || isLast, probe.isExposed(wedge, at: wedge.testPoint(at: wedge.shortestPlace(source, listener))) else { continue }
            if isFirst { firsts.append(candidate) }
            if isLast { lasts.append(candidate) }
        }
        return (firsts, lasts)
    }
}
