extension simd_double3x3 {
    /// Columns and rows exchanged.
    @inlinable
    public var transpose: simd_double3x3 {
        let (a, b, c) = columns
        return simd_double3x3(SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z))
    }

    /// The inverse; infinities and NaN if the determinant is zero.
    public var inverse: simd_double3x3 { simd_double3x3(columns: MatrixMath.inverseRows(columns)).transpose }

    /// The signed volume that the unit cube is mapped to.
    public var determinant: Double { MatrixMath.determinant(columns) }

    @inlinable
    public static func + (lhs: simd_double3x3, rhs: simd_double3x3) -> simd_double3x3 {
        simd_double3x3(lhs.columns.0 + rhs.columns.0, lhs.columns.1 + rhs.columns.1, lhs.columns.2 + rhs.columns.2)
    }

    @inlinable
    public static func - (lhs: simd_double3x3, rhs: simd_double3x3) -> simd_double3x3 {
        simd_double3x3(lhs.columns.0 - rhs.columns.0, lhs.columns.1 - rhs.columns.1, lhs.columns.2 - rhs.columns.2)
    }

    @inlinable
    public static prefix func - (rhs: simd_double3x3) -> simd_double3x3 {
        simd_double3x3(-rhs.columns.0, -rhs.columns.1, -rhs.columns.2)
    }

    /// The matrix that first does `rhs`, then `lhs`.
    @inlinable
    public static func * (lhs: simd_double3x3, rhs: simd_double3x3) -> simd_double3x3 {
        simd_double3x3(lhs * rhs.columns.0, lhs * rhs.columns.1, lhs * rhs.columns.2)
    }

    /// `rhs` as a column vector, mapped.
    @inlinable
    public static func * (lhs: simd_double3x3, rhs: SIMD3<Double>) -> SIMD3<Double> {
        lhs.columns.0 * rhs.x + lhs.columns.1 * rhs.y + lhs.columns.2 * rhs.z
    }

    /// `lhs` as a row vector, mapped.
    @inlinable
    public static func * (lhs: SIMD3<Double>, rhs: simd_double3x3) -> SIMD3<Double> { rhs.transpose * lhs }

    @inlinable
    public static func * (lhs: Double, rhs: simd_double3x3) -> simd_double3x3 {
        simd_double3x3(rhs.columns.0 * lhs, rhs.columns.1 * lhs, rhs.columns.2 * lhs)
    }

    @inlinable
    public static func * (lhs: simd_double3x3, rhs: Double) -> simd_double3x3 { rhs * lhs }

    @inlinable
    public static func += (lhs: inout simd_double3x3, rhs: simd_double3x3) { lhs = lhs + rhs }

    @inlinable
    public static func -= (lhs: inout simd_double3x3, rhs: simd_double3x3) { lhs = lhs - rhs }

    @inlinable
    public static func *= (lhs: inout simd_double3x3, rhs: simd_double3x3) { lhs = lhs * rhs }

    @inlinable
    public static func *= (lhs: inout simd_double3x3, rhs: Double) { lhs = rhs * lhs }
}
