import OssicleCore

/// What goes to and fro between two prisms, re the open field: past the near one, reflected by a side of the far one
/// and then by a side of the near one, up to three times, and on past the far one.
///
///     Σ V e^(−jkδ),    V = F(ν₁) − F(ν₂)
///
/// in the world unfolded at each side, where the path is straight, with δ its detour, F and ν of `Silhouette`, and ν₁
/// and ν₂ the nearest limits on either hand: rims of the sides, and edges of the prisms that it passes. Where they
/// leave nothing between them V is 0. As with M of `PrismRow`, what is reflected well within the rims is a reflection
/// path of the scene and left out.
struct PrismEcho {
    /// Of the bands from the first on.
    private(set) var fields: [Tones]
    private let first: Int
    private let waves: WaveNumbers
    private let weight: Double

    /// Of reflections by either prism: what three of each leave is below a tenth of the open field.
    private static let most = 3

    /// - Parameter weight: of all that is added.
    init(_ first: Int, _ waves: WaveNumbers, _ fields: [Tones], weight: Double) {
        (self.first, self.waves, self.fields, self.weight) = (first, waves, fields, weight)
    }

    /// Adds what goes from the near plan's source to its receiver.
    /// - Parameters: corners: of the far prism as seen by the near one. - isTurned: whether they are clockwise.
    mutating func add(_ near: PrismPlan, _ corners: [Prism.Planar], isTurned: Bool) {
        let (own, others) = (
            EchoSide.all(near.prism.corners, isTurned: false), EchoSide.all(corners, isTurned: isTurned)
        )
        for other in others where other.height(near.source.place) > 0 {
            for side in own where side.height(near.receiver.place) > 0 {
                guard let one = other.before(side), let two = side.before(other) else { continue }
                for count in 1...Self.most {
                    guard let path = EchoPath(near, corners, one, two, count: count) else { break }
                    if !path.windows.isEmpty { add(path, near) }
                }
            }
        }
    }

    private mutating func add(_ path: EchoPath, _ near: PrismPlan) {
        let lowest = waves.wavelengths[first]
        var edges = path.windows.map { (EdgeTail($0.from, lowest), EdgeTail($0.to, lowest)) }
        var turn = ToneTurn(waves.numbers[first] * max(path.length - near.straight, 0))
        for band in fields.indices {
            let wavelength = waves.wavelengths[first + band]
            let root = 1 / wavelength.squareRoot()
            var field = Tones.zero
            for edge in edges.indices { field += edges[edge].0.beyond(root) - edges[edge].1.beyond(root) }
            let share = weight * (1 - path.depths.reduce(1) { $0 * Silhouette.fade(4 * $1 / wavelength) })
            fields[band] += turn.turned(field.real, field.imaginary) * (share * near.straight / path.length)
            turn.rise()
        }
    }
}

/// A side of a prism as seen along its axis.
private struct EchoSide {
    let rims: (Prism.Planar, Prism.Planar)
    /// Unit, outwards.
    let normal: Prism.Planar

    /// - Parameter isTurned: whether the corners are clockwise.
    static func all(_ corners: [Prism.Planar], isTurned: Bool) -> [EchoSide] {
        corners.indices.map { index in
            let (a, b) = (corners[index], corners[(index + 1) % corners.count])
            let along = (b - a) / max(distance(a, b), 1e-9)
            return EchoSide(rims: (a, b), normal: Prism.Planar(along.y, -along.x) * (isTurned ? -1 : 1))
        }
    }

    /// Metres before its plane.
    func height(_ place: Prism.Planar) -> Double { ((place - rims.0) * normal).sum() }

    func image(_ place: Prism.Planar) -> Prism.Planar { place - normal * (2 * height(place)) }

    /// As much of it as is before another one; nil where nothing is.
    func before(_ other: EchoSide) -> EchoSide? {
        let (a, b) = (other.height(rims.0), other.height(rims.1))
        guard max(a, b) > 1e-5 else { return nil }
        guard min(a, b) < 0 else { return self }
        let met = rims.0 + (rims.1 - rims.0) * (a / (a - b))
        return EchoSide(rims: a < 0 ? (met, rims.1) : (rims.0, met), normal: normal)
    }
}

/// A path by two sides in turn.
private struct EchoPath {
    /// Metres.
    let length: Double
    /// Where it may go by, from limit to limit, ν√(wavelength).
    let windows: [(from: Double, to: Double)]
    /// Of each reflection, metres by the nearer rim re the path; 0 where it is beyond one.
    let depths: [Double]

    /// - Parameter count: of reflections by either side.
    /// - Returns: nil where an end, or its image, is behind a side.
    init?(_ near: PrismPlan, _ corners: [Prism.Planar], _ one: EchoSide, _ two: EchoSide, count: Int) {
        // As each reflection leaves the source, and from the last one on the receiver.
        var (starts, ends): ([Prism.Planar], [Prism.Planar]) = ([], [])
        starts.reserveCapacity(2 * count + 1)
        ends.reserveCapacity(2 * count + 1)
        starts.append(near.source.place)
        ends.append(near.receiver.place)
        for step in 0..<2 * count {
            let (side, last) = (step % 2 == 0 ? one : two, step % 2 == 0 ? two : one)
            guard side.height(starts[step]) > 0, last.height(ends[step]) > 0 else { return nil }
            starts.append(side.image(starts[step]))
            ends.append(last.image(ends[step]))
        }
        ends.reverse()
        let length = near.length(distance(starts[0], ends[0]))
        // A point's place across the path after so many reflections, each of which exchanges left and right.
        func place(_ point: Prism.Planar, after step: Int) -> Double {
            let (from, to) = (starts[step], ends[step])
            let detour = max(near.length(distance(from, point) + distance(point, to)) - length, 0)
            let (line, offset) = (to - from, point - from)
            let isRight = (line.x * offset.y < line.y * offset.x) != (step % 2 == 1)
            return (isRight ? -2 : 2) * detour.squareRoot()
        }
        var rims = (from: -Double.infinity, to: Double.infinity)
        var depths: [Double] = []
        depths.reserveCapacity(2 * count)
        for step in 1...2 * count {
            let side = step % 2 == 1 ? one : two
            let (a, b) = (place(side.rims.0, after: step), place(side.rims.1, after: step))
            rims = (max(rims.from, min(a, b)), min(rims.to, max(a, b)))
            depths.append(a * b < 0 ? min(a * a, b * b) / 4 : 0)
        }
        (self.length, self.depths) = (length, depths)
        /// What a prism leaves open on either side.
        func openings(_ corners: [Prism.Planar], after step: Int) -> [(from: Double, to: Double)] {
            var (low, high) = (Double.infinity, -Double.infinity)
            for corner in corners {
                let place = place(corner, after: step)
                (low, high) = (min(low, place), max(high, place))
            }
            return [(-.infinity, low), (high, .infinity)]
        }
        guard rims.from < rims.to else {
            windows = []
            return
        }
        let after = openings(corners, after: 2 * count)
        windows = openings(near.prism.corners, after: 0).flatMap { one in
            after.map { (max(rims.from, one.from, $0.from), min(rims.to, one.to, $0.to)) }
        }.filter { $0.0 < $0.1 }
    }
}

private func distance(_ a: Prism.Planar, _ b: Prism.Planar) -> Double { ((a - b) * (a - b)).sum().squareRoot() }
