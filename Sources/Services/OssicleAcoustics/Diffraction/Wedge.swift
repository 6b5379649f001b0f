import OssicleCore

/// A diffracting edge: a straight line in which two faces meet so that more than half of the space around it is open.
///
/// Angles about the edge run from `along`, which lies in the first face, through `across` into the open, up to the
/// second face at nπ. The rim of an open sheet is a wedge whose faces are the two sides of the sheet: n = 2.
package struct Wedge: BitwiseCopyable, Sendable {
    package let start: Vector
    /// Unit, from the start to the end.
    package let direction: Vector
    package let length: Double
    /// Unit, from the edge into the first face.
    package let along: Vector
    /// Unit, from the edge into the open, at right angles to the first face.
    package let across: Vector
    /// n: the open angle in units of π, above 1 and at most 2.
    package let openness: Double
    /// The second face, in the plane across the edge.
    let farFace: PlanarPoint
    /// Numbers of the flat faces it borders on, of its geometry.
    var faces: SIMD2<Int32>
    /// How far the two faces reach from the edge, metres.
    var depths = SIMD2<Double>.zero

    package var end: Vector { start + direction * length }

    init(
        start: Vector, direction: Vector, length: Double, along: Vector, across: Vector, openness: Double,
        faces: SIMD2<Int32>
    ) {
        (self.start, self.direction, self.length) = (start, direction, length)
        (self.along, self.across, self.openness, self.faces) = (along, across, openness, faces)
        let (s, c) = DeterministicMath.sincos(DeterministicMath.pi * openness)
        farFace = PlanarPoint(x: c, y: openness < 2 ? s : 0)
    }

    /// Unit, from the edge into the second face.
    var farAlong: Vector { along * farFace.x + across * farFace.y }

    var bounds: Bounds { Bounds(lower: pointwiseMin(start, end), upper: pointwiseMax(start, end)) }

    /// Unit, into the middle of the open.
    var outward: Vector {
        let (s, c) = DeterministicMath.sincos(DeterministicMath.pi * openness / 2)
        return along * c + across * s
    }

    /// A point as seen along the edge.
    @inline(__always) func planar(_ point: Vector) -> PlanarPoint {
        let offset = point - start
        let (x, y) = (offset.dot(along), offset.dot(across))
        // What lies on the first face by all but a rounding is not to be taken for the inside of the solid behind it.
        return PlanarPoint(x: x, y: y.magnitude > 1e-9 * x ? y : 0)
    }

    /// Whether a point is not inside the wedge's solid.
    @inline(__always) func isOpen(_ p: PlanarPoint) -> Bool {
        openness >= 2 || p.y >= 0 || farFace.cross(p) <= 1e-9 * (p.x.magnitude + p.y.magnitude)
    }

    /// How two points in the open stand to the endless edge: −1 where it hides one from the other, 1 where they see
    /// each other past it, 0 where they just do.
    @inline(__always) func clearance(_ a: PlanarPoint, _ b: PlanarPoint) -> Int {
        let turn = a.isBefore(b) ? a.cross(b) : b.cross(a)
        let hair = 1e-9 * (a.square + b.square)
        if turn.magnitude > hair { return turn > 0 ? 1 : -1 }
        // In one line with the edge: on either side of it, or both on one side.
        return a.x * b.x + a.y * b.y < 0 ? 0 : 1
    }

    /// Whether two points are in the open and see each other past the endless edge.
    func shows(_ a: Vector, _ b: Vector) -> Bool {
        let (a, b) = (planar(a), planar(b))
        return isOpen(a) && isOpen(b) && clearance(a, b) >= 0
    }

    /// False where no part of another edge can be in the shadow that this one throws of a point: all of it is on the
    /// side of the point's own plane by the edge on which the point is seen.
    @inline(__always) func mayHide(_ other: Wedge, from point: PlanarPoint) -> Bool {
        let (a, b) = (point.cross(planar(other.start)), point.cross(planar(other.end)))
        return point.y >= 0 ? a < 0 || b < 0 : a > 0 || b > 0
    }

    /// Where the endless edge is met by the shortest path between two points by way of it, in metres from the start
    /// (Keller 1962: the angles to the edge are equal on both sides).
    @inline(__always) func shortestPlace(_ a: Vector, _ b: Vector) -> Double {
        let (toA, toB) = (a - start, b - start)
        let (za, zb) = (toA.dot(direction), toB.dot(direction))
        let (ra, rb) = ((toA - direction * za).magnitude, (toB - direction * zb).magnitude)
        return ra + rb > 1e-12 ? (za * rb + zb * ra) / (ra + rb) : (za + zb) / 2
    }

    /// The nearest point of the edge itself.
    @inline(__always) func point(at place: Double) -> Vector { start + direction * min(max(place, 0), length) }

    /// Where rays test the path by a place: up to 5 cm within the edge, because at its very end they graze what it ends
    /// at.
    func testPoint(at place: Double) -> Vector {
        let margin = min(0.05, length / 4)
        return start + direction * min(max(place, margin), length - margin)
    }

    /// Where the object it belongs to stands. A negative scale turns every axis, which keeps the angles.
    func placed(_ pose: Pose) -> Wedge {
        let sign: Double = pose.scale < 0 ? -1 : 1
        func turned(_ v: Vector) -> Vector { (pose.right * v.x + pose.up * v.y + pose.back * v.z) * sign }
        return Wedge(
            self, start: pose.toWorld(start), direction: turned(direction), along: turned(along),
            across: turned(across), scale: pose.scale.magnitude)
    }

    /// Another wedge somewhere else: its angles need no sine again.
    private init(_ other: Wedge, start: Vector, direction: Vector, along: Vector, across: Vector, scale: Double) {
        (self.start, self.direction, self.along, self.across) = (start, direction, along, across)
        (length, depths) = (other.length * scale, other.depths * scale)
        (openness, farFace, faces) = (other.openness, other.farFace, other.faces)
    }
}

/// A point in the plane across an edge, which is its origin.
struct PlanarPoint: BitwiseCopyable {
    let x: Double
    let y: Double

    var square: Double { x * x + y * y }
    @inline(__always) func cross(_ other: PlanarPoint) -> Double { x * other.y - y * other.x }

    /// Whether its angle, 0…2π from the first face, is the smaller one.
    @inline(__always) func isBefore(_ other: PlanarPoint) -> Bool {
        (y >= 0) == (other.y >= 0) ? cross(other) > 0 : y >= 0
    }

    /// Radians in [0, 2π).
    var angle: Double {
        let a = DeterministicMath.atan2(y, x)
        return a < 0 ? a + 2 * DeterministicMath.pi : a
    }
}
