// The C functions of `simd_quatd`. Each does what the initialiser, operator or property of the same meaning does.

@_disfavoredOverload @inlinable public func simd_quaternion(_ ix: Double, _ iy: Double, _ iz: Double, _ r: Double) -> simd_quatd { simd_quatd(ix: ix, iy: iy, iz: iz, r: r) }
@inlinable public func simd_quaternion(_ xyzr: simd_double4) -> simd_quatd { simd_quatd(vector: xyzr) }
public func simd_quaternion(_ angle: Double, _ axis: simd_double3) -> simd_quatd { simd_quatd(angle: angle, axis: axis) }
public func simd_quaternion(_ from: simd_double3, _ to: simd_double3) -> simd_quatd { simd_quatd(from: from, to: to) }
public func simd_quaternion(_ matrix: simd_double3x3) -> simd_quatd { simd_quatd(matrix) }
public func simd_quaternion(_ matrix: simd_double4x4) -> simd_quatd { simd_quatd(matrix) }

@inlinable public func simd_real(_ q: simd_quatd) -> Double { q.real }
@inlinable public func simd_imag(_ q: simd_quatd) -> simd_double3 { q.imag }
public func simd_angle(_ q: simd_quatd) -> Double { q.angle }
public func simd_axis(_ q: simd_quatd) -> simd_double3 { q.axis }
@inlinable public func simd_conjugate(_ q: simd_quatd) -> simd_quatd { q.conjugate }
@inlinable public func simd_inverse(_ q: simd_quatd) -> simd_quatd { q.inverse }
public func simd_normalize(_ q: simd_quatd) -> simd_quatd { q.normalized }
@inlinable public func simd_length(_ q: simd_quatd) -> Double { q.length }
@inlinable public func simd_dot(_ p: simd_quatd, _ q: simd_quatd) -> Double { dot(p.vector, q.vector) }
@inlinable public func simd_act(_ q: simd_quatd, _ v: simd_double3) -> simd_double3 { q.act(v) }

@inlinable public func simd_mul(_ p: simd_quatd, _ q: simd_quatd) -> simd_quatd { p * q }
@inlinable public func simd_mul(_ q: simd_quatd, _ a: Double) -> simd_quatd { q * a }
@inlinable public func simd_mul(_ a: Double, _ q: simd_quatd) -> simd_quatd { a * q }
@inlinable public func simd_add(_ p: simd_quatd, _ q: simd_quatd) -> simd_quatd { p + q }
@inlinable public func simd_sub(_ p: simd_quatd, _ q: simd_quatd) -> simd_quatd { p - q }
@inlinable public func simd_negate(_ q: simd_quatd) -> simd_quatd { -q }

/// From `q0` (t = 0) to `q1` (t = 1) at constant speed, the short way round.
public func simd_slerp(_ q0: simd_quatd, _ q1: simd_quatd, _ t: Double) -> simd_quatd {
    simd_quatd(vector: QuaternionMath.slerp(q0.vector, q1.vector, t, theLongWay: false))
}

/// From `q0` (t = 0) to `q1` (t = 1) at constant speed, the long way round.
public func simd_slerp_longest(_ q0: simd_quatd, _ q1: simd_quatd, _ t: Double) -> simd_quatd {
    simd_quatd(vector: QuaternionMath.slerp(q0.vector, q1.vector, t, theLongWay: true))
}
