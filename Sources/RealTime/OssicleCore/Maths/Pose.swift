/// Position, orientation and uniform scale of an object in the world: what is left of a 4 × 4 matrix once it was checked.
///
/// `right`, `up` and `back` are unit and orthogonal; a point p of the object lies at position + scale·(right·p.x + up·p.y + back·p.z).
package struct Pose: BitwiseCopyable, Hashable, Sendable {
    package var position: Vector
    package var right: Vector
    package var up: Vector
    package var back: Vector
    package var scale: Double

    package init(position: Vector = .zero, right: Vector = Vector(1, 0, 0), up: Vector = Vector(0, 1, 0),
                 back: Vector = Vector(0, 0, 1), scale: Double = 1) {
        (self.position, self.right, self.up, self.back, self.scale) = (position, right, up, back, scale)
    }

    package static let identity = Pose()
    package var forward: Vector { -back }

    package func toWorld(_ p: Vector) -> Vector { position + (right * p.x + up * p.y + back * p.z) * scale }

    /// A world point seen from here, in metres along right, up and back (the scale is left out: a head does not grow).
    package func toLocalUnscaled(_ p: Vector) -> Vector {
        let d = p - position
        return Vector(d.dot(right), d.dot(up), d.dot(back))
    }

    /// A world point in the object's own units.
    package func toLocal(_ p: Vector) -> Vector { toLocalUnscaled(p) / scale }
}
