import OssicleCore

/// The outline of a convex body that is drawn out along an axis, as a column: what `PrismDiffraction` goes around. One
/// object, because all that stands for a column on a path has it.
final class Prism: Sendable {
    typealias Planar = SIMD2<Double>

    /// In the middle of its length.
    let origin: Vector
    /// Unit: two across the edges, and along them.
    let right: Vector
    let up: Vector
    let axis: Vector
    /// Metres from the middle to either end.
    let halfLength: Double
    /// Seen along the axis, counter-clockwise, metres from the middle.
    let corners: [Planar]
    /// Unit, from each corner to the next, and the widths of these sides, metres.
    let sides: [Planar]
    let widths: [Double]
    /// n of each corner's wedge, see `UTD`.
    let openness: [Double]
    /// What runs along one side of each corner and on along the other, and back along the same.
    let around: [(on: GrazingUTD, back: GrazingUTD)]
    /// How much of a body as long as its widest side, 0, or longer than twice that, 1, is a prism.
    let weight: Double

    /// Bodies of more sides have too many paths around them.
    private static let mostSides = 6

    /// - Parameters: vertices: of a convex body, each once. - faces: its rectangles.
    convenience init?(_ vertices: [Vector], _ faces: [ConvexBody.Side]) {
        guard let longest = faces.max(by: { $0.halfLength < $1.halfLength }) else { return nil }
        let axis = longest.along
        let ring = faces.filter { $0.normal.dot(axis).magnitude < 1e-6 }
        guard (3...Self.mostSides).contains(ring.count), vertices.count == 2 * ring.count,
            ring.allSatisfy({ $0.along.dot(axis).magnitude > 1 - 1e-6 })
        else { return nil }
        let (origin, right) = (vertices.reduce(.zero, +) / Double(vertices.count), longest.normal)
        let up = axis.cross(right)
        let top = vertices.filter { ($0 - origin).dot(axis) > 0 }.map { vertex -> Planar in
            Planar((vertex - origin).dot(right), (vertex - origin).dot(up))
        }
        guard top.count == ring.count else { return nil }
        let corners = top.map { ($0, DeterministicMath.atan2($0.y, $0.x)) }.sorted { $0.1 < $1.1 }.map(\.0)
        let widest = ring.reduce(0) { max($0, $1.halfWidth) }
        self.init(
            origin: origin, right: right, up: up, axis: axis, halfLength: longest.halfLength, corners: corners,
            weight: Silhouette.fade(longest.halfLength / widest - 1))
    }

    private init(
        origin: Vector, right: Vector, up: Vector, axis: Vector, halfLength: Double, corners: [Planar], weight: Double
    ) {
        (self.origin, self.right, self.up, self.axis) = (origin, right, up, axis)
        (self.halfLength, self.corners, self.weight) = (halfLength, corners, weight)
        let lines = zip(corners, corners.dropFirst() + corners.prefix(1)).map { $1 - $0 }
        let widths = lines.map { ($0 * $0).sum().squareRoot() }
        let sides = zip(lines, widths).map { $0 / max($1, 1e-9) }
        let openness = sides.indices.map { index -> Double in
            let (last, next) = (sides[(index + sides.count - 1) % sides.count], sides[index])
            let turn = DeterministicMath.atan2(last.x * next.y - last.y * next.x, (last * next).sum())
            return 1 + turn / DeterministicMath.pi
        }
        around = openness.map { n in
            let faces = GrazingUTD.alongFaces(openness: n, angle: n * DeterministicMath.pi)
            return (faces.first, faces.second)
        }
        (self.widths, self.sides, self.openness) = (widths, sides, openness)
    }

    func placed(_ pose: Pose) -> Prism {
        func direction(_ v: Vector) -> Vector {
            (pose.right * v.x + pose.up * v.y + pose.back * v.z) * (pose.scale < 0 ? -1 : 1)
        }
        let scale = pose.scale.magnitude
        return Prism(
            origin: pose.toWorld(origin), right: direction(right), up: direction(up), axis: direction(axis),
            halfLength: halfLength * scale, corners: corners.map { $0 * scale }, weight: weight)
    }

    /// Half the width of its narrowest side, metres.
    var halfWidth: Double { (widths.min() ?? 0) / 2 }

    /// Seen along the axis; a point in the plane of a side is taken for one a micrometre before it.
    func planar(_ point: Vector) -> Planar {
        var place = Planar((point - origin).dot(right), (point - origin).dot(up))
        for index in corners.indices {
            let height = height(place, over: index)
            if height.magnitude < 1e-6 { place += Planar(sides[index].y, -sides[index].x) * (1e-6 - height) }
        }
        return place
    }

    /// A place in the plane of the middle.
    func point(_ place: Planar) -> Vector { origin + right * place.x + up * place.y }

    /// A point as a side reflects it.
    func image(of point: Vector, in side: Int) -> Vector {
        let normal = right * sides[side].y - up * sides[side].x
        let height = height(Planar((point - origin).dot(right), (point - origin).dot(up)), over: side)
        return point - normal * (2 * height)
    }

    /// Whether it is between two places outside of it.
    func hides(_ a: Planar, _ b: Planar) -> Bool { entry(from: a, to: b) < .infinity }

    /// How far it is to it on the line from a place outside of it to another, 0…1; infinite where the line passes it.
    func entry(from a: Planar, to b: Planar) -> Double {
        var (from, to) = (0.0, 1.0)
        for side in sides.indices {
            let (x, y) = (height(a, over: side), height(b, over: side))
            if x >= 0 && y >= 0 { return .infinity }
            if x > 0 { from = max(from, x / (x - y)) } else if y > 0 { to = min(to, x / (x - y)) }
        }
        return to - from > 1e-9 ? from : .infinity
    }

    /// Metres between it and another one that is parallel to it, from the side of either that is farthest before the
    /// other; 0 and below where they meet.
    func gap(_ other: Prism) -> Double { max(clearance(of: other), other.clearance(of: self)) }

    private func clearance(of other: Prism) -> Double {
        let places = other.corners.map { planar(other.point($0)) }
        return sides.indices.reduce(-.infinity) { most, side in
            max(most, places.reduce(.infinity) { min($0, height($1, over: side)) })
        }
    }

    /// Metres of a place before the plane of a side.
    func height(_ place: Planar, over side: Int) -> Double {
        let offset = place - corners[side]
        return offset.x * sides[side].y - offset.y * sides[side].x
    }

    /// About a corner, from the side to the next corner through the open, 0…2π.
    func angle(_ place: Planar, at corner: Int) -> Double {
        PlanarPoint(x: ((place - corners[corner]) * sides[corner]).sum(), y: height(place, over: corner)).angle
    }
}
