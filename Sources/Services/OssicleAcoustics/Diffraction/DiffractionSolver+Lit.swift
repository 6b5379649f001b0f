import OssicleCore

extension DiffractionSolver {
    /// Edges beside a way that are looked at.
    private static var fringeCount: Int { 8 }

    /// The factor by which edges nearby change sound that comes straight: ½ where the way touches a long edge, 1 away from all.
    ///
    /// It is what `Fringes` makes of the eight edges with the shortest detours, below 1 m. Where the way passes one of them into shadow, `paths` goes
    /// on with |D| of this one, from the same direction and after the same length.
    /// - Parameter arrives: whether sound of the source gets to a place beside an edge; nil where it goes straight. An image's goes by its mirrors.
    /// - Returns: amplitude factors, for two places that see each other.
    @_specialize(where Tracer == SceneTracer)
    package func lit(from source: Vector, to listener: Vector, arriving arrives: ((Vector) -> Bool)? = nil) -> OctaveBands {
        fringes(from: source, to: listener, isFree: true, arriving: arrives).all(waves)
    }

    /// The edges around a way. Of those on one side, the near and the far edge of a wall, the nearest counts whole: the next ones have
    /// w = 1 − cos² of the angle between the directions in which they lie.
    /// - Parameter isFree: whether the way is: an edge that it touches it then passes, whatever roundings say.
    func fringes(from source: Vector, to listener: Vector, isFree: Bool, arriving arrives: ((Vector) -> Bool)? = nil) -> Fringes {
        let way = listener - source
        let distance = way.magnitude
        guard distance.isFinite, let direction = way.direction else { return Fringes() }
        var sides: [Vector] = []
        var result = Fringes()
        for candidate in edges.nearest(from: source, to: listener, [.sees, .parts], count: Self.fringeCount, longest: distance + Fringe.widest) {
            let wedge = edges.wedge(candidate.place)
            let place = wedge.shortestPlace(source, listener)
            let (point, test) = (wedge.point(at: place), wedge.testPoint(at: place))
            let offset = point - source
            let isTouched = isFree && place >= 0 && place <= wedge.length && candidate.length - distance < 1e-7
            let isPassed = candidate.standing.contains(.sees) || isTouched
            // Past the boundary an edge lies beyond the way, and still on the side it came from.
            let side = ((offset - direction * offset.dot(direction)).direction ?? .zero) * (isPassed ? 1 : -1)
            let weight = sides.reduce(1.0) { weight, other in
                let cosine = max(side.dot(other), 0)
                return weight * (1 - cosine * cosine)
            }
            guard weight > 1e-3, probe.isExposed(wedge, at: test),
                  probe.isFree(from: source, over: wedge, at: test, to: listener, arriving: arrives) else { continue }
            sides.append(side)
            if let fringe = Fringe(wedge, from: source, to: listener, isLit: isPassed) {
                if isPassed { result.passed.append((fringe, weight)) } else { result.parting.append((fringe, weight)) }
            }
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
            let wedge = edges.wedge(candidate.place)
            let place = wedge.shortestPlace(source, listener)
            let test = wedge.testPoint(at: place)
            guard probe.isExposed(wedge, at: test), probe.isFree(from: source, over: wedge, at: test, to: listener) else { continue }
            return path([wedge.point(at: place)], edges.identity(candidate.place), .ones, source, listener)
        }
        return nil
    }
}
