extension simd_quatd {
    @inlinable
    public static func + (lhs: simd_quatd, rhs: simd_quatd) -> simd_quatd { simd_quatd(vector: lhs.vector + rhs.vector) }

    @inlinable
    public static func - (lhs: simd_quatd, rhs: simd_quatd) -> simd_quatd { simd_quatd(vector: lhs.vector - rhs.vector) }

    @inlinable
    public static prefix func - (rhs: simd_quatd) -> simd_quatd { simd_quatd(vector: -rhs.vector) }

    /// The rotation that first does `rhs`, then `lhs`.
    @inlinable
    public static func * (lhs: simd_quatd, rhs: simd_quatd) -> simd_quatd {
        let (p, q) = (lhs.vector, rhs.vector)
        return simd_quatd(ix: p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                          iy: p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                          iz: p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
                          r: p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z)
    }

    @inlinable
    public static func * (lhs: simd_quatd, rhs: Double) -> simd_quatd { simd_quatd(vector: lhs.vector * rhs) }

    @inlinable
    public static func * (lhs: Double, rhs: simd_quatd) -> simd_quatd { simd_quatd(vector: lhs * rhs.vector) }

    /// `lhs` times the inverse of `rhs`.
    @inlinable
    public static func / (lhs: simd_quatd, rhs: simd_quatd) -> simd_quatd { lhs * rhs.inverse }

    @inlinable
    public static func / (lhs: simd_quatd, rhs: Double) -> simd_quatd { simd_quatd(vector: lhs.vector / rhs) }

    @inlinable
    public static func += (lhs: inout simd_quatd, rhs: simd_quatd) { lhs = lhs + rhs }

    @inlinable
    public static func -= (lhs: inout simd_quatd, rhs: simd_quatd) { lhs = lhs - rhs }

    @inlinable
    public static func *= (lhs: inout simd_quatd, rhs: simd_quatd) { lhs = lhs * rhs }

    @inlinable
    public static func *= (lhs: inout simd_quatd, rhs: Double) { lhs = lhs * rhs }

    @inlinable
    public static func /= (lhs: inout simd_quatd, rhs: simd_quatd) { lhs = lhs / rhs }

    @inlinable
    public static func /= (lhs: inout simd_quatd, rhs: Double) { lhs = lhs / rhs }
}
