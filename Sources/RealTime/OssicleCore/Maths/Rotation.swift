/// A rotation in space as a unit quaternion, by the right-hand rule. Any thread; the same bits everywhere.
package struct Rotation: BitwiseCopyable, Hashable, Sendable {
    /// The axis times the sine of half the angle, then the cosine. q and −q are the same rotation.
    package let quaternion: SIMD4<Double>

    package static let identity = Rotation(unit: SIMD4(0, 0, 0, 1))

    /// Of a quaternion that has unit length already.
    package init(unit quaternion: SIMD4<Double>) { self.quaternion = quaternion }

    /// Scaled to unit length; the identity where that is not possible.
    private init(_ parts: SIMD4<Double>) {
        let length = (parts * parts).sum().squareRoot()
        self.init(unit: length > 0 && length.isFinite ? parts / length : SIMD4(0, 0, 0, 1))
    }

    /// Scaled to unit length; nil if that is not possible, because a part is not finite or all are close to zero.
    package init?(x: Double, y: Double, z: Double, w: Double) {
        let length = (x * x + y * y + z * z + w * w).squareRoot()
        guard length.isFinite, length > 1e-6 else { return nil }
        quaternion = SIMD4(x, y, z, w) / length
    }

    /// Takes the world's axes to those of a pose.
    package init(_ pose: Pose) { self.init(right: pose.right, up: pose.up, back: pose.back) }

    /// Takes the axes to `right`, `up` and `back` (unit and orthogonal). From a part that is not small, so that nothing
    /// is divided by a small number (Shepperd 1978).
    package init(right r: Vector, up u: Vector, back b: Vector) {
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

    /// About `vector` by its length in radians.
    package init(vector: Vector) {
        let angle = vector.magnitude
        guard angle > 1e-12, angle.isFinite else { self = .identity; return }
        let (sine, cosine) = DeterministicMath.sincos(angle / 2)
        self.init(SIMD4(vector * (sine / angle), cosine))
    }

    /// A turn of the head in radians: to the left by `yaw`, then up by `pitch`, then with the left ear down by `roll`.
    package init(yaw: Double, pitch: Double, roll: Double) {
        self =
            Rotation(vector: Vector(0, yaw, 0)).then(Rotation(vector: Vector(pitch, 0, 0)))
            .then(Rotation(vector: Vector(0, 0, roll)))
    }

    /// The shorter way of doing the same, as an axis of its angle's length in radians.
    package var vector: Vector {
        let near = quaternion.w < 0 ? -quaternion : quaternion
        let sine = near.imaginary.magnitude
        guard sine > 1e-12 else { return .zero }
        return near.imaginary * (2 * DeterministicMath.atan2(sine, near.w) / sine)
    }

    /// Whether both take everything to the same place: q and −q do.
    package func isSame(as other: Rotation) -> Bool {
        quaternion == other.quaternion || quaternion == -other.quaternion
    }

    package var inverse: Rotation { Rotation(unit: SIMD4(-quaternion.imaginary, quaternion.w)) }

    /// First `next`, in the axes that `self` has turned to: the product self · next.
    package func then(_ next: Rotation) -> Rotation {
        let (a, b) = (quaternion.imaginary, next.quaternion.imaginary)
        return Rotation(
            SIMD4(b * quaternion.w + a * next.quaternion.w + a.cross(b), quaternion.w * next.quaternion.w - a.dot(b)))
    }

    package func turned(_ v: Vector) -> Vector {
        let axis = quaternion.imaginary
        let side = axis.cross(v) * 2
        return v + side * quaternion.w + axis.cross(side)
    }

    /// Where the axes right, up and back are turned to.
    package var axes: (right: Vector, up: Vector, back: Vector) {
        let (x, y, z, w) = (quaternion.x, quaternion.y, quaternion.z, quaternion.w)
        let (xx, yy, zz) = (x * x, y * y, z * z)
        let (xy, xz, yz, wx, wy, wz) = (x * y, x * z, y * z, w * x, w * y, w * z)
        return (
            Vector(1 - 2 * (yy + zz), 2 * (xy + wz), 2 * (xz - wy)),
            Vector(2 * (xy - wz), 1 - 2 * (xx + zz), 2 * (yz + wx)),
            Vector(2 * (xz + wy), 2 * (yz - wx), 1 - 2 * (xx + yy))
        )
    }

    /// On the shorter way to `other`, `share` 0…1 of it, on the chord: nearly even as long as the two are some degrees
    /// apart.
    package func mixed(with other: Rotation, _ share: Double) -> Rotation {
        if share >= 1 || self == other { return other }
        let isNear = (quaternion * other.quaternion).sum() >= 0
        let end = isNear ? other.quaternion : -other.quaternion
        return Rotation(quaternion + (end - quaternion) * share)
    }

    /// On the shorter way to `other`, `share` 0…1 of it, on the arc (slerp): at an even pace.
    package func interpolated(to other: Rotation, _ share: Double) -> Rotation {
        let product = quaternion * other.quaternion
        let cosine = product.x + product.y + product.z + product.w
        let end = cosine < 0 ? -other.quaternion : other.quaternion
        let angle = DeterministicMath.acos(min(abs(cosine), 1))
        // So close together that the arc is a straight line.
        guard angle > 1e-6 else { return Rotation(quaternion + (end - quaternion) * share) }
        let (from, to) = (DeterministicMath.sin((1 - share) * angle), DeterministicMath.sin(share * angle))
        return Rotation((quaternion * from + end * to) / DeterministicMath.sin(angle))
    }
}

extension SIMD4<Double> {
    fileprivate var imaginary: Vector { Vector(x, y, z) }
}
