import OssicleCore

/// A turn in space: a unit quaternion. Any thread; the same bits everywhere.
package struct Rotation: BitwiseCopyable, Hashable, Sendable {
    /// The axis times the sine of half the angle, then the cosine.
    private let parts: SIMD4<Double>

    package static let none = Rotation(unit: SIMD4(0, 0, 0, 1))

    /// From parts of any length but 0.
    private init(_ parts: SIMD4<Double>) {
        let length = (parts * parts).sum().squareRoot()
        self.init(unit: length > 0 && length.isFinite ? parts / length : SIMD4(0, 0, 0, 1))
    }

    private init(unit: SIMD4<Double>) { parts = unit }

    /// What turns the world's axes into those of a pose. From the largest of the four parts, so that nothing small is divided by (Shepperd 1978).
    package init(_ pose: Pose) {
        let (r, u, b) = (pose.right, pose.up, pose.back)
        if r.x + u.y + b.z > 0 {
            self.init(SIMD4(u.z - b.y, b.x - r.z, r.y - u.x, 1 + r.x + u.y + b.z))
        } else if r.x >= u.y && r.x >= b.z {
            self.init(SIMD4(1 + r.x - u.y - b.z, r.y + u.x, b.x + r.z, u.z - b.y))
        } else if u.y >= b.z {
            self.init(SIMD4(r.y + u.x, 1 - r.x + u.y - b.z, u.z + b.y, b.x - r.z))
        } else {
            self.init(SIMD4(b.x + r.z, u.z + b.y, 1 - r.x - u.y + b.z, r.y - u.x))
        }
    }

    /// A turn about `vector` by its length in radians.
    package init(vector: Vector) {
        let angle = vector.magnitude
        guard angle > 1e-12, angle.isFinite else { self = .none; return }
        let (sine, cosine) = DeterministicMath.sincos(angle / 2)
        self.init(SIMD4(vector * (sine / angle), cosine))
    }

    /// The shortest turn that does the same, as an axis of its angle's length in radians.
    package var vector: Vector {
        let near = parts.w < 0 ? -parts : parts
        let sine = near.imaginary.magnitude
        guard sine > 1e-12 else { return .zero }
        return near.imaginary * (2 * DeterministicMath.atan2(sine, near.w) / sine)
    }

    package var inverse: Rotation { Rotation(unit: SIMD4(-parts.imaginary, parts.w)) }

    /// First `next`, in the axes that `self` has turned to.
    package func then(_ next: Rotation) -> Rotation {
        let (a, b) = (parts.imaginary, next.parts.imaginary)
        return Rotation(SIMD4(b * parts.w + a * next.parts.w + a.cross(b), parts.w * next.parts.w - a.dot(b)))
    }

    package func turned(_ v: Vector) -> Vector {
        let axis = parts.imaginary
        let side = axis.cross(v) * 2
        return v + side * parts.w + axis.cross(side)
    }

    /// On the shorter way to `other`, `share` 0…1 of it; evenly as long as the two are some degrees apart.
    package func mixed(with other: Rotation, _ share: Double) -> Rotation {
        if share >= 1 || self == other { return other }
        let isNear = (parts * other.parts).sum() >= 0
        let end = isNear ? other.parts : -other.parts
        return Rotation(parts + (end - parts) * share)
    }
}

extension SIMD4<Double> {
    fileprivate var imaginary: Vector { Vector(x, y, z) }
}
