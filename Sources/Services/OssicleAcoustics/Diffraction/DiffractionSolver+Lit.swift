import OssicleCore

extension DiffractionSolver {
    /// Edges beside a way that are looked at.
    private static var fringeCount: Int { 8 }

    /// The factor by which edges nearby change sound that comes straight: ½ where the way touches a long edge, 1 away from all.
    ///
    ///     |Π (1 + w D)|
    ///
    /// over the eight edges with the shortest detours, below 1 m, with D as `Fringe` has it. To first order that is |1 + Σ D|; as a product it
    /// stays what it is when the way passes one of the edges into shadow and `paths` goes on with |D| of this one, from the same direction and
    /// after the same length. Of edges on one side of the way, the near and the far edge of a wall, the nearest counts whole: the next ones have
    /// w = 1 − cos² of the angle between the directions in which they lie.
    /// - Parameter arrives: whether sound of the source gets to a place beside an edge; nil where it goes straight. An image's goes by its mirrors.
    /// - Returns: amplitude factors, for two places that see each other.
    @_specialize(where Tracer == SceneTracer)
    package func lit(from source: Vector, to listener: Vector, arriving arrives: ((Vector) -> Bool)? = nil) -> OctaveBands {
        let way = listener - source
        let distance = way.magnitude
        guard distance.isFinite, let direction = way.direction else { return .ones }
        var sides: [Vector] = []
        var result = OctaveBands.ones
        for candidate in edges.nearest(from: source, to: listener, [.sees, .parts], count: Self.fringeCount, longest: distance + Fringe.widest) {
            let wedge = edges.wedge(candidate)
            let place = wedge.shortestPlace(source, listener)
            let (point, test) = (wedge.point(at: place), wedge.testPoint(at: place))
            let offset = point - source
            // Past the boundary an edge lies beyond the way, and still on the side it came from.
            let isBeside = candidate.standing.contains(.sees)
            let side = ((offset - direction * offset.dot(direction)).direction ?? .zero) * (isBeside ? 1 : -1)
            let weight = sides.reduce(1.0) { weight, other in
                let cosine = max(side.dot(other), 0)
                return weight * (1 - cosine * cosine)
            }
            guard weight > 1e-3, probe.isExposed(wedge, at: test),
                  probe.isFree(from: source, over: wedge, at: test, to: listener, arriving: arrives) else { continue }
            sides.append(side)
            guard isBeside, let fringe = Fringe(wedge, from: source, to: listener) else { continue }
            result = result * fringe.factor(waves, weight: weight)
        }
        return result
    }

    /// The way around the edge that a free way passes closest: the one that `paths` goes on with where the edge comes between. Gains of 1.
    ///
    /// - Returns: nil where no edge is within a detour of 0.2 m.
    package func brink(from source: Vector, to listener: Vector) -> SoundPath? {
        let distance = (listener - source).magnitude
        guard distance.isFinite, distance > 1e-3 else { return nil }
        for candidate in edges.nearest(from: source, to: listener, .sees, count: Self.fringeCount, longest: distance + 0.2) {
            let wedge = edges.wedge(candidate)
            let place = wedge.shortestPlace(source, listener)
            let test = wedge.testPoint(at: place)
            guard probe.isExposed(wedge, at: test), probe.isFree(from: source, over: wedge, at: test, to: listener) else { continue }
            return path([wedge.point(at: place)], edges.identity(candidate), .ones, source, listener)
        }
        return nil
    }
}
