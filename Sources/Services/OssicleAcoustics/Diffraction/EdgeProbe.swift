import OssicleCore

/// Tells by rays whether sound gets around edges.
///
/// Rays pass a millimetre outside the edge, so that the wedge itself is not in their way, and are joined there by a short ray across: what
/// touches the edge and closes its open side, the floor a wall stands on or the next piece of the wall, lies between them.
struct EdgeProbe<Tracer: RayTracer>: Sendable {
    let tracer: Tracer

    /// Whether the way by a point of one edge is free.
    /// - Parameter arrives: whether sound gets from the start to a place beside the edge, if by other ways than straight.
    func isFree(from start: Vector, over wedge: Wedge, at point: Vector, to end: Vector, arriving arrives: ((Vector) -> Bool)? = nil) -> Bool {
        let aside = EdgeProbe.aside(wedge, point)
        let isReached = arrives.map { $0(aside) } ?? !tracer.isBlocked(from: start, to: aside)
        return isReached && !tracer.isBlocked(from: aside, to: end) && turnsFreely(start, aside, end)
    }

    /// The same for a point on each of two edges.
    func isFree(from start: Vector, over first: (wedge: Wedge, point: Vector), _ second: (wedge: Wedge, point: Vector), to end: Vector) -> Bool {
        let (a, b) = (EdgeProbe.aside(first.wedge, first.point), EdgeProbe.aside(second.wedge, second.point))
        return !tracer.isBlocked(from: a, to: b) && !tracer.isBlocked(from: start, to: a) && !tracer.isBlocked(from: b, to: end)
            && turnsFreely(start, a, b) && turnsFreely(a, b, end)
    }

    /// Whether nothing closes the open side of an edge at a point of it: rays around it, from face to face.
    func isExposed(_ wedge: Wedge, at point: Vector) -> Bool {
        let radius = EdgeProbe.margin(point)
        let stops = EdgeProbe.stops.map { stop in
            let (s, c) = DeterministicMath.sincos(stop * wedge.openness * DeterministicMath.pi)
            return point + (wedge.along * c + wedge.across * s) * radius
        }
        return !zip(stops, stops.dropFirst()).contains { tracer.isBlocked(from: $0, to: $1) }
    }

    /// Shares of the open angle; none where a face continues that of a right angle, because what touches a ray's end is not in its way.
    private static var stops: [Double] { [0.02, 0.3, 0.63, 0.98] }

    /// A millimetre, more where coordinates are so large that single precision blurs it.
    private static func margin(_ point: Vector) -> Double {
        1e-3 + 1e-6 * max(point.x.magnitude, max(point.y.magnitude, point.z.magnitude))
    }

    private static func aside(_ wedge: Wedge, _ point: Vector) -> Vector {
        point + wedge.outward * margin(point)
    }

    /// Whether nothing lies between the two sides of a point where a way turns.
    private func turnsFreely(_ start: Vector, _ corner: Vector, _ end: Vector) -> Bool {
        let step = 0.3 * EdgeProbe.margin(corner)
        guard let back = (start - corner).direction, let ahead = (end - corner).direction else { return true }
        return !tracer.isBlocked(from: corner + back * step, to: corner + ahead * step)
    }
}
