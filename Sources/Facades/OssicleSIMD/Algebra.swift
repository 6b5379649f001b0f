import OssicleCore

/// What `simd_quatf` and `simd_quatd` share, on plain vectors (ix, iy, iz, r).
///
/// Angles go through `DeterministicMath`, so that a rotation has the same bits on every processor.
enum QuaternionMath<Scalar: SIMDScalar & BinaryFloatingPoint> {
    typealias V3 = SIMD3<Scalar>
    typealias V4 = SIMD4<Scalar>

    /// The axes of a unit quaternion's frame: the columns of its rotation matrix.
    static func axes(of q: V4) -> (V3, V3, V3) {
        let (x, y, z, w) = (q.x, q.y, q.z, q.w)
        return (
            V3(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
            V3(2 * (x * y - z * w), 1 - 2 * (z * z + x * x), 2 * (y * z + x * w)),
            V3(2 * (z * x + y * w), 2 * (y * z - x * w), 1 - 2 * (y * y + x * x))
        )
    }

    static func rotation(angle: Scalar, axis: V3) -> V4 {
        let (sine, cosine) = DeterministicMath.sincos(Double(angle) / 2)
        return V4(axis * Scalar(sine), Scalar(cosine))
    }

    /// The quaternion of a rotation matrix.
    ///
    /// The largest of the four parts is found first and divides the others, so that none is a difference of nearly
    /// equal numbers. Source: S. W. Shepperd, Quaternion from rotation matrix, J. Guidance and Control 1 (1978).
    static func rotation(axes m: (V3, V3, V3)) -> V4 {
        let (x, y, z) = m
        let (r, i, j, k) = (1 + x.x + y.y + z.z, 1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z, 1 - x.x - y.y + z.z)
        let largest = max(r, i, j, k)
        let parts =
            if largest == r { V4(y.z - z.y, z.x - x.z, x.y - y.x, r) } else if largest == i {
                V4(i, x.y + y.x, z.x + x.z, y.z - z.y)
            } else if largest == j { V4(x.y + y.x, j, y.z + z.y, z.x - x.z) } else {
                V4(z.x + x.z, y.z + z.y, k, x.y - y.x)
            }
        return parts / (2 * largest.squareRoot())
    }

    /// The quaternion half-way between the identity and twice the rotation: (from x to, 1 + from . to), normalised.
    ///
    /// More than a right angle is taken in two steps by way of the middle, where the sum 1 + from . to would cancel.
    /// Near opposite directions the middle is mostly rounding error of their lengths; that part lies along their
    /// difference and is taken out.
    static func rotation(from: V3, to: V3) -> V4 {
        guard MatrixMath.dot(from, to) < 0 else { return acuteRotation(from: from, to: to) }
        let apart = to - from
        let middle = from + to - apart * (MatrixMath.dot(from + to, apart) / MatrixMath.dot(apart, apart))
        let size = MatrixMath.dot(middle, middle)
        guard size > 16 * Scalar.ulpOfOne * Scalar.ulpOfOne else { return halfTurn(awayFrom: from) }
        let step = acuteRotation(from: from, to: middle / size.squareRoot())
        return normalized(V4(2 * step.w * V3(step.x, step.y, step.z), 2 * step.w * step.w - 1))
    }

    private static func acuteRotation(from: V3, to: V3) -> V4 {
        normalized(V4(MatrixMath.cross(from, to), 1 + MatrixMath.dot(from, to)))
    }

    /// A half turn about the axis at right angles to `direction` and to the coordinate axis it points along least.
    private static func halfTurn(awayFrom direction: V3) -> V4 {
        let size = V3(direction.x.magnitude, direction.y.magnitude, direction.z.magnitude)
        let helper =
            if size.x <= size.y, size.x <= size.z { V3(1, 0, 0) } else if size.y <= size.z { V3(0, 1, 0) } else {
                V3(0, 0, 1)
            }
        return normalized(V4(MatrixMath.cross(direction, helper), 0))
    }

    static func length(_ q: V4) -> Scalar { (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w).squareRoot() }

    /// Unit length; the identity for zero.
    static func normalized(_ q: V4) -> V4 {
        let size = length(q)
        return size == 0 ? V4(0, 0, 0, 1) : q / size
    }

    static func angle(of q: V4) -> Scalar {
        let sine = MatrixMath.dot(V3(q.x, q.y, q.z), V3(q.x, q.y, q.z)).squareRoot()
        return Scalar(2 * DeterministicMath.atan2(Double(sine), Double(q.w)))
    }

    /// Spherical linear interpolation (K. Shoemake, SIGGRAPH 1985), along the short or the long arc between q0 and
    /// +-q1.
    static func slerp(_ q0: V4, _ q1: V4, _ t: Scalar, theLongWay: Bool) -> V4 {
        let cosine = q0.x * q1.x + q0.y * q1.y + q0.z * q1.z + q0.w * q1.w
        let end = (cosine < 0) == theLongWay ? q1 : -q1
        let arc = 2 * DeterministicMath.atan2(Double(length(q0 - end)), Double(length(q0 + end)))
        let (sineOfArc, _) = DeterministicMath.sincos(arc)
        // Along a vanishing arc a straight line is the arc; along a half circle every way round is as long, and one is
        // chosen.
        if sineOfArc < 1e-6 {
            guard theLongWay else { return normalized(q0 * (1 - t) + end * t) }
            let (sine, cosine) = DeterministicMath.sincos(.pi * Double(t))
            return normalized(q0 * Scalar(cosine) + V4(-q0.y, q0.x, -q0.w, q0.z) * Scalar(sine))
        }
        let (start, _) = DeterministicMath.sincos((1 - Double(t)) * arc)
        let (stop, _) = DeterministicMath.sincos(Double(t) * arc)
        return normalized(q0 * Scalar(start / sineOfArc) + end * Scalar(stop / sineOfArc))
    }
}

/// The algebra that the `Float` and the `Double` matrices share, on plain columns.
///
/// A matrix without inverse gives infinities and NaN, as in Apple's library.
@usableFromInline
enum MatrixMath<Scalar: SIMDScalar & BinaryFloatingPoint> {
    @usableFromInline typealias V3 = SIMD3<Scalar>
    @usableFromInline typealias V4 = SIMD4<Scalar>

    @inlinable
    static func dot(_ a: V3, _ b: V3) -> Scalar { a.x * b.x + a.y * b.y + a.z * b.z }

    @inlinable
    static func cross(_ a: V3, _ b: V3) -> V3 {
        V3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }

    @inlinable
    static func xyz(_ v: V4) -> V3 { V3(v.x, v.y, v.z) }

    /// det = a x b . c
    @inlinable
    static func determinant(_ m: (V3, V3, V3)) -> Scalar { dot(cross(m.0, m.1), m.2) }

    /// The rows of the inverse: b x c, c x a and a x b, over the determinant.
    @inlinable
    static func inverseRows(_ m: (V3, V3, V3)) -> (V3, V3, V3) {
        let scale = 1 / determinant(m)
        return (cross(m.1, m.2) * scale, cross(m.2, m.0) * scale, cross(m.0, m.1) * scale)
    }

    /// The six 2x2 minors of columns 0, 1 (`s`, `u`) and of columns 2, 3 (`t`, `v`), as two pairs of vectors.
    ///
    /// Source: E. Lengyel, Foundations of Game Engine Development, volume 1 (2016), section 1.7.
    @inlinable
    static func minors(_ m: (V4, V4, V4, V4)) -> (s: V3, t: V3, u: V3, v: V3) {
        let (a, b, c, d) = (xyz(m.0), xyz(m.1), xyz(m.2), xyz(m.3))
        return (cross(a, b), cross(c, d), a * m.1.w - b * m.0.w, c * m.3.w - d * m.2.w)
    }

    @inlinable
    static func determinant(_ m: (V4, V4, V4, V4)) -> Scalar {
        let (s, t, u, v) = minors(m)
        return dot(s, v) + dot(t, u)
    }

    @inlinable
    static func inverseRows(_ m: (V4, V4, V4, V4)) -> (V4, V4, V4, V4) {
        var (s, t, u, v) = minors(m)
        let scale = 1 / (dot(s, v) + dot(t, u))
        s *= scale
        t *= scale
        u *= scale
        v *= scale
        let (a, b, c, d) = (xyz(m.0), xyz(m.1), xyz(m.2), xyz(m.3))
        return (
            V4(cross(b, v) + t * m.1.w, -dot(b, t)),
            V4(cross(v, a) - t * m.0.w, dot(a, t)),
            V4(cross(d, u) + s * m.3.w, -dot(d, s)),
            V4(cross(u, c) - s * m.2.w, dot(c, s))
        )
    }
}
