/// Three-vectors of the engine: metres, right-handed, x right, y up, −z forward.
package typealias Vector = SIMD3<Double>

extension SIMD3 where Scalar: BinaryFloatingPoint {
    @inlinable package func dot(_ other: Self) -> Scalar { x * other.x + y * other.y + z * other.z }

    @inlinable package func cross(_ other: Self) -> Self {
        Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    @inlinable package var lengthSquared: Scalar { dot(self) }
    @inlinable package var magnitude: Scalar { lengthSquared.squareRoot() }

    /// Unit vector in this direction, or nil for a vector too short (or not finite) to have one.
    @inlinable package var direction: Self? {
        let length = magnitude
        return length.isFinite && length > 1e-12 ? self / length : nil
    }

    @inlinable package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

/// Position, orientation and uniform scale of an object in the world: what is left of a 4 × 4 matrix once it was
/// checked.
///
/// `right`, `up` and `back` are unit and orthogonal; a point p of the object lies at position + scale·(right·p.x +
/// up·p.y + back·p.z).
package struct Pose: BitwiseCopyable, Hashable, Sendable {
    package var position: Vector
    package var right: Vector
    package var up: Vector
    package var back: Vector
    package var scale: Double

    package init(
        position: Vector = .zero, right: Vector = Vector(1, 0, 0), up: Vector = Vector(0, 1, 0),
        back: Vector = Vector(0, 0, 1), scale: Double = 1
    ) {
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

/// Triangles in an object's own coordinates, each belonging to an element (a submesh) that has its own material.
///
/// Immutable and checked by `init`: indices are in range and vertices finite.
/// Triangles without area may be present; ray tracers skip them.
package struct TriangleMesh: Sendable, Hashable {
    package let vertices: [Vector]
    package let triangles: [SIMD3<Int32>]
    /// Element of each triangle; counts as many entries as `triangles`.
    package let elements: [Int32]
    package let elementCount: Int
    /// Triangles left out by `init`.
    package let rejectedTriangles: Int

    /// Triangles that name a missing or non-finite vertex are left out and counted in `rejectedTriangles`.
    package init(vertices: [Vector], triangles: [SIMD3<Int32>], elements: [Int32]? = nil, elementCount: Int = 1) {
        let limit = Int32(clamping: vertices.count)
        let usable = triangles.indices.filter { index in
            let t = triangles[index]
            return [t.x, t.y, t.z].allSatisfy { $0 >= 0 && $0 < limit && vertices[Int($0)].isFinite }
        }
        self.vertices = vertices
        self.triangles = usable.map { triangles[$0] }
        self.elements = usable.map { index in
            guard let elements, index < elements.count else { return 0 }
            return min(max(elements[index], 0), Int32(clamping: max(elementCount - 1, 0)))
        }
        self.elementCount = max(elementCount, 1)
        rejectedTriangles = triangles.count - usable.count
    }

    package func corners(_ triangle: Int) -> (Vector, Vector, Vector) {
        let t = triangles[triangle]
        return (vertices[Int(t.x)], vertices[Int(t.y)], vertices[Int(t.z)])
    }
}
