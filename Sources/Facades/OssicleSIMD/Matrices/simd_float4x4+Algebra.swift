extension simd_float4x4 {
    /// Columns and rows exchanged.
    @inlinable
    public var transpose: simd_float4x4 {
        let (a, b, c, d) = columns
        return simd_float4x4(SIMD4(a.x, b.x, c.x, d.x), SIMD4(a.y, b.y, c.y, d.y),
                             SIMD4(a.z, b.z, c.z, d.z), SIMD4(a.w, b.w, c.w, d.w))
    }

    /// The inverse; infinities and NaN if the determinant is zero.
    public var inverse: simd_float4x4 { simd_float4x4(columns: MatrixMath.inverseRows(columns)).transpose }

    /// The signed volume that the unit cube is mapped to.
    public var determinant: Float { MatrixMath.determinant(columns) }

    @inlinable
    public static func + (lhs: simd_float4x4, rhs: simd_float4x4) -> simd_float4x4 {
        simd_float4x4(lhs.columns.0 + rhs.columns.0, lhs.columns.1 + rhs.columns.1,
                      lhs.columns.2 + rhs.columns.2, lhs.columns.3 + rhs.columns.3)
    }

    @inlinable
    public static func - (lhs: simd_float4x4, rhs: simd_float4x4) -> simd_float4x4 {
        simd_float4x4(lhs.columns.0 - rhs.columns.0, lhs.columns.1 - rhs.columns.1,
                      lhs.columns.2 - rhs.columns.2, lhs.columns.3 - rhs.columns.3)
    }

    @inlinable
    public static prefix func - (rhs: simd_float4x4) -> simd_float4x4 {
        simd_float4x4(-rhs.columns.0, -rhs.columns.1, -rhs.columns.2, -rhs.columns.3)
    }

    /// The matrix that first does `rhs`, then `lhs`.
    @inlinable
    public static func * (lhs: simd_float4x4, rhs: simd_float4x4) -> simd_float4x4 {
        simd_float4x4(lhs * rhs.columns.0, lhs * rhs.columns.1, lhs * rhs.columns.2, lhs * rhs.columns.3)
    }

    /// `rhs` as a column vector, mapped.
    @inlinable
    public static func * (lhs: simd_float4x4, rhs: SIMD4<Float>) -> SIMD4<Float> {
        lhs.columns.0 * rhs.x + lhs.columns.1 * rhs.y + lhs.columns.2 * rhs.z + lhs.columns.3 * rhs.w
    }

    /// `lhs` as a row vector, mapped.
    @inlinable
    public static func * (lhs: SIMD4<Float>, rhs: simd_float4x4) -> SIMD4<Float> { rhs.transpose * lhs }

    @inlinable
    public static func * (lhs: Float, rhs: simd_float4x4) -> simd_float4x4 {
        simd_float4x4(rhs.columns.0 * lhs, rhs.columns.1 * lhs, rhs.columns.2 * lhs, rhs.columns.3 * lhs)
    }

    @inlinable
    public static func * (lhs: simd_float4x4, rhs: Float) -> simd_float4x4 { rhs * lhs }

    @inlinable
    public static func += (lhs: inout simd_float4x4, rhs: simd_float4x4) { lhs = lhs + rhs }

    @inlinable
    public static func -= (lhs: inout simd_float4x4, rhs: simd_float4x4) { lhs = lhs - rhs }

    @inlinable
    public static func *= (lhs: inout simd_float4x4, rhs: simd_float4x4) { lhs = lhs * rhs }

    @inlinable
    public static func *= (lhs: inout simd_float4x4, rhs: Float) { lhs = rhs * lhs }
}
