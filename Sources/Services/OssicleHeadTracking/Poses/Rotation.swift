import OssicleCore

/// A rotation as a unit quaternion, in the head's axes: +X right, +Y up, +Z back; turns follow the right-hand rule.
package struct Rotation: Hashable, Sendable {
    /// x, y, z, w (real part).
    package let vector: SIMD4<Double>

    /// Of a quaternion that has unit length already.
    package init(unit vector: SIMD4<Double>) { self.vector = vector }

    /// Scaled to unit length; nil if that is not possible, because a part is not finite or all are close to zero.
    package init?(x: Double, y: Double, z: Double, w: Double) {
        let length = (x * x + y * y + z * z + w * w).squareRoot()
        guard length.isFinite, length > 1e-6 else { return nil }
        vector = SIMD4(x, y, z, w) / length
    }

    /// A turn of the head in radians: to the left by `yaw`, then up by `pitch`, then with the left ear down by `roll`.
    package init(yaw: Double, pitch: Double, roll: Double) {
        self = Rotation(about: SIMD3(0, 1, 0), by: yaw) * Rotation(about: SIMD3(1, 0, 0), by: pitch) * Rotation(about: SIMD3(0, 0, 1), by: roll)
    }

    /// By `angle` radians about a unit axis.
    package init(about axis: SIMD3<Double>, by angle: Double) {
        let (sine, cosine) = DeterministicMath.sincos(angle / 2)
        vector = SIMD4(axis * sine, cosine)
    }

    package static let identity = Rotation(unit: SIMD4(0, 0, 0, 1))

    package var inverse: Rotation { Rotation(unit: SIMD4(-vector.x, -vector.y, -vector.z, vector.w)) }

    /// Against rounding that adds up.
    var normalized: Rotation { Rotation(x: vector.x, y: vector.y, z: vector.z, w: vector.w) ?? .identity }

    /// First `right`, then `left`.
    package static func * (left: Rotation, right: Rotation) -> Rotation {
        let (a, b) = (left.vector, right.vector)
        return Rotation(unit: SIMD4(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                                    a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                                    a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                                    a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z))
    }

    /// Where the axes right, up and back are turned to.
    package var axes: (right: SIMD3<Double>, up: SIMD3<Double>, back: SIMD3<Double>) {
        let (x, y, z, w) = (vector.x, vector.y, vector.z, vector.w)
        return (SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
                SIMD3(2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
                SIMD3(2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)))
    }

    package func turn(_ point: SIMD3<Double>) -> SIMD3<Double> {
        let (right, up, back) = axes
        return right * point.x + up * point.y + back * point.z
    }

    /// The shortest way from here (0) to `next` (1), at an even pace (slerp).
    package func towards(_ next: Rotation, _ fraction: Double) -> Rotation {
        let product = vector * next.vector
        let cosine = product.x + product.y + product.z + product.w
        let end = cosine < 0 ? -next.vector : next.vector
        let angle = DeterministicMath.acos(min(abs(cosine), 1))
        // So close together that the arc is a straight line.
        guard angle > 1e-6 else { return Rotation(unit: vector + (end - vector) * fraction).normalized }
        let (from, to) = (DeterministicMath.sin((1 - fraction) * angle), DeterministicMath.sin(fraction * angle))
        return Rotation(unit: (vector * from + end * to) / DeterministicMath.sin(angle)).normalized
    }

    /// The constant speed of turning that leads from `self` to `next` in `seconds`, in rad/s about the axes of the head itself.
    package func speed(to next: Rotation, in seconds: Double) -> SIMD3<Double> {
        let turn = (inverse * next).vector
        let imaginary = SIMD3(turn.x, turn.y, turn.z) * (turn.w < 0 ? -1 : 1)
        guard seconds > 0, let axis = imaginary.direction else { return .zero }
        return axis * (2 * DeterministicMath.atan2(imaginary.magnitude, abs(turn.w)) / seconds)
    }
}
