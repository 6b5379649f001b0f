import OssicleCore

/// What a convex body beside or in a path takes from the sound, as a complex share of it, at every frequency.
///
/// In the plane across the path, in Fresnel's units (√(2d/λt(d − t)) per metre of offset, t of d metres along the
/// path), Kirchhoff's integral over the silhouette is one over its outline (Maggi 1888, Rubinowicz 1917):
///
///     blocked = (1/2π) ∮ (1 − e^(−jπρ²/2)) dφ
///
/// Each straight side at the distance h from the path adds F(h) with finite ends (`EdgeEnds`), F(ν) = (1 + j)/2 ∫_ν^∞
/// e^(−jπt²/2) dt; both sides of a thin body all but cancel, and nothing jumps where the path passes a side. Distances
/// are those of the exact detour. Sides that something closes, as the floor a column stands on, are where its image
/// continues it: they count as endless.
///
/// Where a body is as small as a wavelength the share is χ of that: see `SmallBodies`.
struct Silhouette {
    /// What is left of `weight` − where the body reaches close to an end of the path, its edges count instead.
    let weight: Double
    private let sides: [Side]
    private let isInside: Bool
    /// Half the smallest width, metres.
    let halfWidth: Double
    /// Metres of detour by the nearest side.
    let detour: Double
    /// Of the sides that something else closes, unit, outwards across the path.
    let closed: [Vector]
    /// Of the body, see `ConvexBody`.
    private let fill: Double
    /// Half its own width over half that seen from the path: below 1 for a box seen on edge.
    private let turn: Double

    private struct Side {
        /// From the path to the side's line, above 0 where the path is on the body's side of it; and from where to
        /// where along the line. In √(wavelength).
        let height: Double
        let ends: EdgeEnds
    }

    /// Metres from an end of the path at which a body begins and ceases to be left to its edges.
    private static let near = (none: 0.05, whole: 0.25)
    /// Metres of detour from which on a body does nothing.
    static let widest = 2.0

    private struct Corner {
        let point: Vector
        /// Metres along the path.
        let along: Double
        /// Metres across the path, and in Fresnel units.
        let offset: SIMD2<Double>
        let scaled: SIMD2<Double>
    }

    /// 3x² − 2x³ between 0 and 1.
    static func fade(_ x: Double) -> Double {
        let y = min(max(x, 0), 1)
        return y * y * (3 - 2 * y)
    }

    /// - Parameter isClosed: whether something else closes a side, by its middle and the direction outwards.
    /// - Returns: nil where it takes nothing, or has no silhouette.
    init?(
        _ body: SceneBody, from start: Vector, to end: Vector, isClosed: (_ middle: Vector, _ outward: Vector) -> Bool
    ) {
        let offset = end - start
        let distance = offset.magnitude
        guard let along = offset.direction else { return nil }
        let right = (along.y.magnitude < 0.9 ? Vector(0, 1, 0) : Vector(1, 0, 0)).cross(along).direction ?? .zero
        let up = along.cross(right)
        var (first, last) = (Double.infinity, -Double.infinity)
        var corners: [Corner] = []
        corners.reserveCapacity(body.vertices.count)
        for vertex in body.vertices {
            let t = (vertex - start).dot(along)
            (first, last) = (min(first, t), max(last, t))
            guard first > Self.near.none, distance - last > Self.near.none else { return nil }
            let offset = SIMD2((vertex - start).dot(right), (vertex - start).dot(up))
            let scale = (2 * distance / (t * (distance - t))).squareRoot()
            corners.append(Corner(point: vertex, along: t, offset: offset, scaled: offset * scale))
        }
        let outline = Silhouette.outline(corners)
        guard outline.count > 2 else { return nil }
        let centre = outline.reduce(Vector.zero) { $0 + $1.point } / Double(outline.count)
        var shut: [Vector] = []
        let closed = outline.indices.map { index -> Bool in
            let middle = (outline[index].point + outline[(index + 1) % outline.count].point) * 0.5
            let offset = middle - centre
            let outward = (offset - along * offset.dot(along)).direction ?? .zero
            guard isClosed(middle, outward) else { return false }
            shut.append(outward)
            return true
        }
        self.closed = shut
        // Behind a wall it is out of reach.
        guard closed.contains(false) else { return nil }
        let halfWidth = Silhouette.halfWidth(outline, closed)
        (self.halfWidth, fill) = (halfWidth, body.fill)
        turn = min(max(body.width / (2 * halfWidth), 0.5), 1)
        var sides: [Side] = []
        sides.reserveCapacity(outline.count)
        var isInside = true
        var least = Double.infinity
        for index in outline.indices where !closed[index] {
            let next = (index + 1) % outline.count
            let (a, b) = (outline[index], outline[next])
            let line = b.scaled - a.scaled
            let length = (line * line).sum().squareRoot()
            guard length > 1e-9 else { continue }
            let height = (a.scaled.x * b.scaled.y - a.scaled.y * b.scaled.x) / length
            let (from, to) = ((a.scaled * line).sum() / length, (b.scaled * line).sum() / length)
            // The exact detour by the side's nearest place: less than λρ²/4 by which ρ is measured.
            let share = min(max(-from / (to - from), 0), 1)
            let foot = from + (to - from) * share
            let nearest = (height * height + foot * foot).squareRoot()
            let t = a.along + (b.along - a.along) * share
            let square = nearest * nearest * t * (distance - t) / (2 * distance)
            let detour =
                square / ((t * t + square).squareRoot() + t)
                + square / (((distance - t) * (distance - t) + square).squareRoot() + distance - t)
            let scale = nearest > 1e-6 ? 2 * detour.squareRoot() / nearest : 1
            least = min(least, detour)
            if height < 0 { isInside = false }
            let before = closed[(index + outline.count - 1) % outline.count]
            sides.append(
                Side(
                    height: height * scale,
                    ends: EdgeEnds(
                        from: before ? -1e6 : from * scale, to: closed[next] ? 1e6 : to * scale,
                        aside: height.magnitude * scale)))
        }
        let gap = min(first, distance - last)
        weight =
            body.weight * Self.fade((gap - Self.near.none) / (Self.near.whole - Self.near.none))
            * (isInside ? 1 : Self.fade(2 * (1 - least / Self.widest)))
        guard weight > 0 else { return nil }
        (self.sides, self.isInside, detour) = (sides, isInside, least)
    }

    /// Corners that stand out by less, in √(wavelength), are no corners: the many of a round column's ends.
    private static let least = 0.01

    /// The convex outline, counter-clockwise (Andrew 1979).
    private static func outline(_ corners: [Corner]) -> [Corner] {
        let sorted = corners.sorted { ($0.scaled.x, $0.scaled.y) < ($1.scaled.x, $1.scaled.y) }
        func chain(_ corners: some Sequence<Corner>) -> [Corner] {
            var chain: [Corner] = []
            chain.reserveCapacity(sorted.count)
            for corner in corners {
                while chain.count > 1 {
                    let (a, b) = (
                        chain[chain.count - 1].scaled - chain[chain.count - 2].scaled,
                        corner.scaled - chain[chain.count - 1].scaled
                    )
                    guard a.x * b.y - a.y * b.x <= 1e-9 else { break }
                    chain.removeLast()
                }
                chain.append(corner)
            }
            return chain
        }
        let whole = chain(sorted).dropLast() + chain(sorted.reversed()).dropLast()
        guard whole.count > 4 else { return Array(whole) }
        var kept = [whole[0]]
        for index in 1..<whole.count {
            let line = whole[(index + 1) % whole.count].scaled - kept[kept.count - 1].scaled
            let offset = whole[index].scaled - kept[kept.count - 1].scaled
            let height = (line.x * offset.y - line.y * offset.x).magnitude
            if height > least * (line * line).sum().squareRoot() { kept.append(whole[index]) }
        }
        return kept
    }

    /// Half the smallest width, metres. A closed side's image doubles the width towards it.
    private static func halfWidth(_ outline: [Corner], _ closed: [Bool]) -> Double {
        let units = outline.indices.map { index -> SIMD2<Double> in
            let line = outline[(index + 1) % outline.count].offset - outline[index].offset
            let length = (line * line).sum().squareRoot()
            return length > 1e-9 ? line / length : .zero
        }
        var least = Double.infinity
        // An outline in Fresnel's units has sides that in metres have no length, or run backwards: those between a near
        // and a far corner of one end.
        for index in outline.indices where !closed[index] && units[index] != .zero {
            let unit = units[index]
            var (low, high, image) = (0.0, 0.0, 0.0)
            for other in outline.indices {
                let offset = outline[other].offset - outline[index].offset
                let height = unit.x * offset.y - unit.y * offset.x
                (low, high) = (min(low, height), max(high, height))
                if closed[other] { image = max(image, -(units[other] * unit).sum()) }
            }
            least = min(least, (high - low) * (1 + image * image) / 2)
        }
        return least
    }

    /// The share it takes at four tones of each of the lowest bands, weighted.
    func forBands(upTo count: Int, _ waves: WaveNumbers, _ body: (_ band: Int, _ blocked: Tones) -> Void) {
        var turns = sides.map { side in
            ToneTurn(side.height * side.height / waves.wavelengths[0] * (DeterministicMath.pi / 2))
        }
        for band in 0..<count {
            let wavelength = waves.wavelengths[band]
            let roots = OctaveTone.factors * (1 / wavelength.squareRoot())
            var open = Tones(real: SIMD4(repeating: isInside ? 0 : 1), imaginary: .zero)
            for (index, side) in sides.enumerated() {
                let tail = FresnelTail.beyond(roots * side.height.magnitude, turns[index])
                turns[index].rise()
                open += tail * side.ends.share(wavelength) * (side.height < 0 ? -1 : 1)
            }
            let small = SmallBodies.factors(waves.numbers[band] * halfWidth, fill: fill, turn: turn)
            body(band, Tones(real: 1 - open.real, imaginary: -open.imaginary) * weight * small)
        }
    }
}
