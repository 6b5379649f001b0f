import OssicleCore

/// The shortest path between two points by way of one edge and then another.
struct EdgePair {
    let points: (Vector, Vector)
    let length: Double

    private static let steps = 6

    /// The length is a convex function of the places on both edges: Newton's method finds its least value on the
    /// endless edges, and a place beyond the end of its edge moves to that end. Always from the same end, so that the
    /// way back is the same path to the bit.
    init(from start: Vector, _ first: Wedge, second: Wedge, to end: Vector) {
        guard (end.x, end.y, end.z) < (start.x, start.y, start.z) else {
            self.init(along: start, first, second: second, to: end)
            return
        }
        let back = EdgePair(along: end, second, second: first, to: start)
        self.init(points: (back.points.1, back.points.0), length: back.length)
    }

    private init(points: (Vector, Vector), length: Double) { (self.points, self.length) = (points, length) }

    private init(along start: Vector, _ first: Wedge, second: Wedge, to end: Vector) {
        var x = first.shortestPlace(start, second.point(at: second.shortestPlace(start, end)))
        var y = second.shortestPlace(first.point(at: x), end)
        for _ in 0..<EdgePair.steps {
            let (p, q) = (first.start + first.direction * x, second.start + second.direction * y)
            let (a, b, c) = (p - start, q - p, end - q)
            let (la, lb, lc) = (max(a.magnitude, 1e-9), max(b.magnitude, 1e-9), max(c.magnitude, 1e-9))
            // Cosines of the edges against the three parts of the path.
            let (ua, ub) = (first.direction.dot(a) / la, first.direction.dot(b) / lb)
            let (vb, vc) = (second.direction.dot(b) / lb, second.direction.dot(c) / lc)
            let (slopeX, slopeY) = (ua - ub, vb - vc)
            let xx = (1 - ua * ua) / la + (1 - ub * ub) / lb
            let yy = (1 - vb * vb) / lb + (1 - vc * vc) / lc
            let xy = (ub * vb - first.direction.dot(second.direction)) / lb
            let determinant = xx * yy - xy * xy
            guard determinant > 1e-12 * xx * yy else { break }
            let (dx, dy) = ((xy * slopeY - yy * slopeX) / determinant, (xy * slopeX - xx * slopeY) / determinant)
            // No step longer than the path itself: far from the least value the curvature misleads.
            let whole = la + lb + lc
            let (nextX, nextY) = (x + min(max(dx, -whole), whole), y + min(max(dy, -whole), whole))
            // From here on every step is the same.
            guard nextX != x || nextY != y else { break }
            (x, y) = (nextX, nextY)
        }
        var p = first.point(at: x)
        var q = second.point(at: x.isFinite && y.isFinite ? y : 0)
        if (p - first.start - first.direction * x).lengthSquared > 1e-12 {
            q = second.point(at: second.shortestPlace(p, end))
        }
        if (q - second.start - second.direction * y).lengthSquared > 1e-12 {
            p = first.point(at: first.shortestPlace(start, q))
        }
        points = (p, q)
        length = (p - start).magnitude + (q - p).magnitude + (end - q).magnitude
    }
}

extension EdgePair {
    /// Whether both edges turn the path, the same way round as a shadow needs.
    func diffracts(_ start: Vector, _ first: Wedge, second: Wedge, end: Vector) -> Bool {
        guard length.isFinite, (points.0 - points.1).lengthSquared > 1e-6 else { return false }
        let (a, b) = (first.planar(start), first.planar(points.1))
        let (c, d) = (second.planar(points.0), second.planar(end))
        return first.isOpen(a) && first.isOpen(b) && first.clearance(a, b) < 0 && second.isOpen(c) && second.isOpen(d)
            && second.clearance(c, d) < 0
    }

    /// Amplitude factors re the open field at the same length.
    ///
    /// The factors of both edges multiply, each with the distances carried on past the other: L₁ = s₀(s₁+s₂)/ℓ, L₂ =
    /// (s₀+s₁)s₂/ℓ. So either edge alone remains where the path just touches the other. Along a face between them sound
    /// and reflection are one and count half. And edges close to each other hide less than both would alone: as in
    /// Pierce's wide barrier (JASA 55, 941 (1974)) the shallower one counts with its depth Y times B =
    /// √(s₁ℓ/((s₀+s₁)(s₁+s₂))), which for a wall of no thickness leaves one edge.
    func gains(_ start: Vector, _ first: Wedge, second: Wedge, end: Vector, waves: WaveNumbers) -> OctaveBands {
        let (s0, s1, s2) = ((points.0 - start).magnitude, (points.1 - points.0).magnitude, (end - points.1).magnitude)
        let one = EdgeDiffraction(first, from: start, to: points.1, carriedAfter: s2)
        let two = EdgeDiffraction(second, from: points.0, to: end, carriedBefore: s0)
        let runsAlongFace =
            first.isFace(first.angle(first.planar(points.1))) && second.isFace(second.angle(second.planar(points.0)))
        let coupling = (s1 * length / max((s0 + s1) * (s1 + s2), 1e-12)).squareRoot()
        let depth = min(one.depth, two.depth)
        return waves.bands { wavelength, number in
            let root = wavelength.squareRoot()
            let tails = FresnelTail.energy(SIMD4(coupling * depth / root, depth / root, 0, 0))
            let energy =
                one.amplitude(wavelength, number).energy * two.amplitude(wavelength, number).energy * tails.x / tails.y
            return energy.squareRoot() * (runsAlongFace ? 0.5 : 1)
        }
    }
}

extension DiffractionSolver {
    /// Edges on either side from which pairs are made.
    private static var pairSide: Int { 6 }
    /// Paths tested by rays.
    private static var pairTests: Int { 6 }

    /// An edge that may come first or last.
    private struct PairSide {
        let candidate: SceneEdges.Candidate
        let wedge: Wedge
        /// The end of the path on its side, as seen along it.
        let end: PlanarPoint
    }

    private struct RankedPair {
        let pair: EdgePair
        /// Numbers of its sides.
        let first, last: Int
        /// Metres of the path, and of those by either edge alone.
        let lengths: (Double, Double, Double)

        func isBefore(_ other: RankedPair) -> Bool {
            lengths == other.lengths ? (first, last) < (other.first, other.last) : lengths < other.lengths
        }
    }

    /// The paths by two edges, the shortest of them.
    ///
    /// Edges are taken up by the paths by each alone, the shortest first. No path by two is shorter than by either of
    /// them, and only the shortest are tested, so that the rest of the edges need not be looked at once there are as
    /// many. Edges that are closed where they are nearest, as a wall's on the floor, would fill the places.
    func pairs(
        _ found: [SceneEdges.Candidate], _ source: Vector, listener: Vector, _ access: EdgeAccess = EdgeAccess()
    ) -> [SoundPath] {
        var (firsts, lasts): ([PairSide], [PairSide]) = ([], [])
        firsts.reserveCapacity(Self.pairSide)
        lasts.reserveCapacity(Self.pairSide)
        var pairs: [RankedPair] = []
        pairs.reserveCapacity(Self.pairTests + 1)
        var longest = Double.infinity
        func pair(_ number: Int, with last: Int) {
            guard firsts[number].candidate.place != lasts[last].candidate.place,
                let pair = shadowed(source, firsts[number], second: lasts[last], listener: listener)
            else { return }
            let ranked = RankedPair(
                pair: pair, first: number, last: last,
                lengths: (pair.length, firsts[number].candidate.length, lasts[last].candidate.length))
            let rank = pairs.firstIndex { ranked.isBefore($0) } ?? pairs.count
            guard rank < Self.pairTests else { return }
            pairs.insert(ranked, at: rank)
            if pairs.count > Self.pairTests { pairs.removeLast() }
            if pairs.count == Self.pairTests { longest = pairs[Self.pairTests - 1].pair.length * (1 + 1e-9) }
        }
        for candidate in found {
            guard candidate.length <= longest else { break }
            let isFirst = candidate.standing.contains(.hidesLast) && firsts.count < Self.pairSide
            let isLast = candidate.standing.contains(.hidesFirst) && lasts.count < Self.pairSide
            guard isFirst || isLast else { continue }
            let wedge = edges.wedge(candidate.place)
            guard isExposed(wedge, at: wedge.testPoint(at: wedge.shortestPlace(source, listener))) else { continue }
            if isFirst {
                firsts.append(PairSide(candidate: candidate, wedge: wedge, end: wedge.planar(source)))
                for last in lasts.indices { pair(firsts.count - 1, with: last) }
            }
            if isLast {
                lasts.append(PairSide(candidate: candidate, wedge: wedge, end: wedge.planar(listener)))
                for first in firsts.indices { pair(first, with: lasts.count - 1) }
            }
        }
        return pairs.compactMap { found in
            let (first, last) = (firsts[found.first], lasts[found.last])
            let (one, two) = (first.wedge, last.wedge)
            let (p, q) = found.pair.points
            guard probe.isFree(from: source, over: (one, p), second: (two, q), to: listener, access) else { return nil }
            let identity = SoundPath.identity(
                edges.identity(first.candidate.place), then: edges.identity(last.candidate.place))
            let gains = found.pair.gains(source, one, second: two, end: listener, waves: waves)
            return path([p, q], identity, gains: gains, source: source, listener: listener)
        }
    }

    /// The shortest path by two edges where both turn it.
    private func shadowed(_ source: Vector, _ first: PairSide, second: PairSide, listener: Vector) -> EdgePair? {
        guard first.wedge.mayHide(second.wedge, from: first.end), second.wedge.mayHide(first.wedge, from: second.end)
        else { return nil }
        let pair = EdgePair(from: source, first.wedge, second: second.wedge, to: listener)
        return pair.diffracts(source, first.wedge, second: second.wedge, end: listener) ? pair : nil
    }
}
