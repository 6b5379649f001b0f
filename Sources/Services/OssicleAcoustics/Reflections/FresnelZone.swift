import OssicleCore

/// What a reflector of finite size leaves of a reflection.
///
/// Only the part of a reflector around the reflection point within which the paths differ by little adds up to the
/// echo. Kirchhoff's integral over a rectangular plate is a product of one over its width and one over its height, and
/// each falls below 1 where that side is smaller than the zone it is seen in:
///
///     amplitude factor min(1, a cos θ/z) · min(1, b/z)        z = √(λ d₁ d₂/(d₁ + d₂))
///
/// with a the side in the plane of incidence, b the one across, and d₁ and d₂ the distances to source and listener; the
/// product is S/S₀ of a plate smaller than its zone both ways (Rindel, Applied Acoustics 19, 1986). So a face that is
/// long and narrow reflects as a narrow one. For other shapes a and b are the sides of the rectangle of the same area
/// with the same moments of area (`AreaSpread`), as it is seen foreshortened by cos θ.
enum FresnelZone {
    /// - Parameters:
    ///   - side: the reflector's; the share of its rim where another surface continues it loses nothing.
    ///   - normal: of its plane, unit.
    ///   - direction: of the sound before or after it.
    ///   - before: metres travelled to the reflector. - after: metres left from there.
    ///   - cosine: of the angle of incidence.
    static func gains(
        _ side: ReflectorPatch.Side, normal: Vector, direction: Vector, before: Double, after: Double, cosine: Double,
        speedOfSound: Double
    ) -> OctaveBands {
        guard side.freeRim > 0, before > 0, after > 0 else { return .ones }
        let zoneAtOneHertz = speedOfSound * before * after / (before + after)
        let (long, short) = side.spread.sides(
            ofArea: side.area, normal: normal, direction: direction, cosine: cosine)
        var gains = OctaveBands.ones
        for band in 0..<OctaveBands.count {
            let zones = OctaveBands.centre(band) / zoneAtOneHertz
            let share = (min(long * long * zones, 1) * min(short * short * zones, 1)).squareRoot()
            gains[band] = Float(1 - side.freeRim * (1 - share))
        }
        return gains
    }
}

/// How an area is spread about its centre: ∫(p − c)(p − c)ᵀ dS, with S = ∫dS.
struct AreaSpread: BitwiseCopyable, Sendable {
    /// Square metres.
    private(set) var area = 0.0
    private var centre = Vector.zero
    /// xx, yy, zz.
    private var squares = Vector.zero
    /// yz, zx, xy.
    private var products = Vector.zero

    init() {}

    /// Of a triangle: each corner stands for a twelfth of the square of its distance from the centre.
    init(_ a: Vector, _ b: Vector, _ c: Vector, area: Double) {
        (self.area, centre) = (area, (a + b + c) / 3)
        for corner in [a, b, c] { add(corner - centre, weight: area / 12) }
    }

    private mutating func add(_ offset: Vector, weight: Double) {
        squares += offset * offset * weight
        products += Vector(offset.y * offset.z, offset.z * offset.x, offset.x * offset.y) * weight
    }

    /// Of two areas together.
    static func + (a: AreaSpread, b: AreaSpread) -> AreaSpread {
        var sum = a
        sum.area += b.area
        guard sum.area > 0 else { return a }
        sum.centre = (a.centre * a.area + b.centre * b.area) / sum.area
        (sum.squares, sum.products) = (a.squares + b.squares, a.products + b.products)
        sum.add(b.centre - a.centre, weight: a.area * b.area / sum.area)
        return sum
    }

    func placed(by pose: Pose) -> AreaSpread {
        var result = AreaSpread()
        let square = pose.scale * pose.scale
        (result.area, result.centre) = (area * square, pose.toWorld(centre))
        // The columns turned, then the rows.
        let columns = [
            Vector(squares.x, products.z, products.y), Vector(products.z, squares.y, products.x),
            Vector(products.y, products.x, squares.z),
        ].map { pose.vector($0) }
        let rows = (0..<3).map { pose.vector(Vector(columns[0][$0], columns[1][$0], columns[2][$0])) }
        result.squares = Vector(rows[0].x, rows[1].y, rows[2].z) * square
        result.products = Vector(rows[1].z, rows[2].x, rows[0].y) * square
        return result
    }

    /// uᵀ M v.
    private func moment(_ u: Vector, _ v: Vector) -> Double {
        squares.dot(u * v)
            + products.dot(Vector(u.y * v.z + u.z * v.y, u.z * v.x + u.x * v.z, u.x * v.y + u.y * v.x))
    }

    /// The sides of the rectangle with these moments as a path in a direction sees it: shorter by `cosine` in the plane
    /// of incidence. Their product is `area` times `cosine`.
    func sides(
        ofArea area: Double, normal: Vector, direction: Vector, cosine: Double
    ) -> (long: Double, short: Double) {
        let seen = area * cosine
        let aslant = direction - normal * normal.dot(direction)
        let inward = aslant.direction ?? normal.cross(Vector(normal.y, normal.z, -normal.x)).direction ?? .zero
        let across = normal.cross(inward)
        let (a, b) = (cosine * cosine * moment(inward, inward), moment(across, across))
        let mixed = cosine * moment(inward, across)
        let (mean, half) = ((a + b) / 2, ((a - b) * (a - b) / 4 + mixed * mixed).squareRoot())
        let most = mean + half
        // Of a product that cancels the other one is left by a quotient.
        let least = max((a * b - mixed * mixed) / max(most, .leastNormalMagnitude), 1e-12 * most)
        guard most > 0, least > 0 else { return (seen.squareRoot(), seen.squareRoot()) }
        let ratio = (most / least).squareRoot()
        return ((seen * ratio).squareRoot(), (seen / ratio).squareRoot())
    }
}
