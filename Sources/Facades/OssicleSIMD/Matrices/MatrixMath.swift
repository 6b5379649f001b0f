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
        return (V4(cross(b, v) + t * m.1.w, -dot(b, t)),
                V4(cross(v, a) - t * m.0.w, dot(a, t)),
                V4(cross(d, u) + s * m.3.w, -dot(d, s)),
                V4(cross(u, c) - s * m.2.w, dot(c, s)))
    }
}
