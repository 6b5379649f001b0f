import OssicleCore

/// The paths from one point to another over some point of a box: how short they may be at least.
struct Detours {
    private let start: Vector
    /// Unit; zero where the points are one.
    private let direction: Vector
    private let distance: Double

    init(_ start: Vector, _ end: Vector) {
        self.start = start
        direction = (end - start).direction ?? .zero
        distance = (end - start).magnitude
    }

    /// No path over a point of the box is shorter than this.
    ///
    /// All of the box is at some distance from the straight line, and of what is so far away the points nearest to the
    /// line's middle have the shortest paths. The distances of both ends from the box would be less when added: each is
    /// to another of its corners.
    @inline(__always) func shortest(by lower: Vector, _ upper: Vector) -> Double {
        let half = (upper - lower) * 0.5
        func reach(_ v: Vector) -> Double { half.x * v.x.magnitude + half.y * v.y.magnitude + half.z * v.z.magnitude }
        let centre = lower + half - start
        let along = centre.dot(direction)
        let aside = centre - direction * along
        let height = aside.magnitude
        // A hair less, and so is the result: roundings must not leave out what is as short as the limit.
        let gap = height > 0 ? max(height - reach(aside) / height - 1e-6, 0) : 0
        let spread = reach(direction)
        let place = min(max(distance / 2, along - spread), along + spread)
        let rest = distance - place
        return ((place * place + gap * gap).squareRoot() + (rest * rest + gap * gap).squareRoot()) * (1 - 1e-12)
    }
}
