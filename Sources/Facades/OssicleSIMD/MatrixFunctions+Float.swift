// The C functions of the `Float` matrices. Each does what the operator or property of the same meaning does.

/// The product of matrices: what `y` does, then what `x` does.
@inlinable public func simd_mul(_ x: simd_float4x4, _ y: simd_float4x4) -> simd_float4x4 { x * y }
/// The product with `y` as a column.
@inlinable public func simd_mul(_ x: simd_float4x4, _ y: simd_float4) -> simd_float4 { x * y }
/// The product with `x` as a row.
@inlinable public func simd_mul(_ x: simd_float4, _ y: simd_float4x4) -> simd_float4 { x * y }
/// Every element times `a`.
@inlinable public func simd_mul(_ a: Float, _ x: simd_float4x4) -> simd_float4x4 { a * x }
/// The sum, element by element.
@inlinable public func simd_add(_ x: simd_float4x4, _ y: simd_float4x4) -> simd_float4x4 { x + y }
/// The difference, element by element.
@inlinable public func simd_sub(_ x: simd_float4x4, _ y: simd_float4x4) -> simd_float4x4 { x - y }
/// a · x + b · y.
@inlinable public func simd_linear_combination(
    _ a: Float, _ x: simd_float4x4, _ b: Float, _ y: simd_float4x4
) -> simd_float4x4 { a * x + b * y }
/// Rows for columns.
@inlinable public func simd_transpose(_ x: simd_float4x4) -> simd_float4x4 { x.transpose }
/// The inverse; not a number where there is none.
public func simd_inverse(_ x: simd_float4x4) -> simd_float4x4 { x.inverse }
/// The determinant.
public func simd_determinant(_ x: simd_float4x4) -> Float { x.determinant }
/// Whether all elements are equal.
@inlinable public func simd_equal(_ x: simd_float4x4, _ y: simd_float4x4) -> Bool { x == y }

/// Whether no two elements differ by more than `tol`.
public func simd_almost_equal_elements(_ x: simd_float4x4, _ y: simd_float4x4, _ tol: Float) -> Bool {
    (0..<4).allSatisfy { all(abs(x[$0] - y[$0]) .<= tol) }
}

/// Whether no two elements differ by more than `tol` times the size of the first.
public func simd_almost_equal_elements_relative(_ x: simd_float4x4, _ y: simd_float4x4, _ tol: Float) -> Bool {
    (0..<4).allSatisfy { all(abs(x[$0] - y[$0]) .<= abs(x[$0]) * tol) }
}

/// The product of matrices: what `y` does, then what `x` does.
@inlinable public func matrix_multiply(_ x: simd_float4x4, _ y: simd_float4x4) -> simd_float4x4 { x * y }
/// The product with `y` as a column.
@inlinable public func matrix_multiply(_ x: simd_float4x4, _ y: simd_float4) -> simd_float4 { x * y }
/// The product with `x` as a row.
@inlinable public func matrix_multiply(_ x: simd_float4, _ y: simd_float4x4) -> simd_float4 { x * y }
/// Every element times `a`.
@inlinable public func matrix_scale(_ a: Float, _ x: simd_float4x4) -> simd_float4x4 { a * x }

/// The product of matrices: what `y` does, then what `x` does.
@inlinable public func simd_mul(_ x: simd_float3x3, _ y: simd_float3x3) -> simd_float3x3 { x * y }
/// The product with `y` as a column.
@inlinable public func simd_mul(_ x: simd_float3x3, _ y: simd_float3) -> simd_float3 { x * y }
/// The product with `x` as a row.
@inlinable public func simd_mul(_ x: simd_float3, _ y: simd_float3x3) -> simd_float3 { x * y }
/// Every element times `a`.
@inlinable public func simd_mul(_ a: Float, _ x: simd_float3x3) -> simd_float3x3 { a * x }
/// The sum, element by element.
@inlinable public func simd_add(_ x: simd_float3x3, _ y: simd_float3x3) -> simd_float3x3 { x + y }
/// The difference, element by element.
@inlinable public func simd_sub(_ x: simd_float3x3, _ y: simd_float3x3) -> simd_float3x3 { x - y }
/// a · x + b · y.
@inlinable public func simd_linear_combination(
    _ a: Float, _ x: simd_float3x3, _ b: Float, _ y: simd_float3x3
) -> simd_float3x3 { a * x + b * y }
/// Rows for columns.
@inlinable public func simd_transpose(_ x: simd_float3x3) -> simd_float3x3 { x.transpose }
/// The inverse; not a number where there is none.
public func simd_inverse(_ x: simd_float3x3) -> simd_float3x3 { x.inverse }
/// The determinant.
public func simd_determinant(_ x: simd_float3x3) -> Float { x.determinant }
/// Whether all elements are equal.
@inlinable public func simd_equal(_ x: simd_float3x3, _ y: simd_float3x3) -> Bool { x == y }

/// Whether no two elements differ by more than `tol`.
public func simd_almost_equal_elements(_ x: simd_float3x3, _ y: simd_float3x3, _ tol: Float) -> Bool {
    (0..<3).allSatisfy { all(abs(x[$0] - y[$0]) .<= tol) }
}

/// Whether no two elements differ by more than `tol` times the size of the first.
public func simd_almost_equal_elements_relative(_ x: simd_float3x3, _ y: simd_float3x3, _ tol: Float) -> Bool {
    (0..<3).allSatisfy { all(abs(x[$0] - y[$0]) .<= abs(x[$0]) * tol) }
}

/// The product of matrices: what `y` does, then what `x` does.
@inlinable public func matrix_multiply(_ x: simd_float3x3, _ y: simd_float3x3) -> simd_float3x3 { x * y }
/// The product with `y` as a column.
@inlinable public func matrix_multiply(_ x: simd_float3x3, _ y: simd_float3) -> simd_float3 { x * y }
/// The product with `x` as a row.
@inlinable public func matrix_multiply(_ x: simd_float3, _ y: simd_float3x3) -> simd_float3 { x * y }
/// Every element times `a`.
@inlinable public func matrix_scale(_ a: Float, _ x: simd_float3x3) -> simd_float3x3 { a * x }

/// From columns.
@inlinable public func simd_matrix(
    _ col0: simd_float4, _ col1: simd_float4, _ col2: simd_float4, _ col3: simd_float4
) -> simd_float4x4 {
    simd_float4x4(col0, col1, col2, col3)
}

/// From columns.
@inlinable public func simd_matrix(_ col0: simd_float3, _ col1: simd_float3, _ col2: simd_float3) -> simd_float3x3 {
    simd_float3x3(col0, col1, col2)
}

/// From rows.
@inlinable public func simd_matrix_from_rows(
    _ row0: simd_float4, _ row1: simd_float4, _ row2: simd_float4, _ row3: simd_float4
) -> simd_float4x4 {
    simd_float4x4(row0, row1, row2, row3).transpose
}

/// From rows.
@inlinable public func simd_matrix_from_rows(
    _ row0: simd_float3, _ row1: simd_float3, _ row2: simd_float3
) -> simd_float3x3 {
    simd_float3x3(row0, row1, row2).transpose
}

/// `x` on the diagonal, zero elsewhere.
@inlinable public func simd_diagonal_matrix(_ x: simd_float4) -> simd_float4x4 { simd_float4x4(diagonal: x) }
/// `x` on the diagonal, zero elsewhere.
@inlinable public func simd_diagonal_matrix(_ x: simd_float3) -> simd_float3x3 { simd_float3x3(diagonal: x) }

/// The rotation of a unit quaternion.
public func simd_matrix3x3(_ q: simd_quatf) -> simd_float3x3 { simd_float3x3(q) }

/// The rotation of a unit quaternion, without translation.
public func simd_matrix4x4(_ q: simd_quatf) -> simd_float4x4 { simd_float4x4(q) }
