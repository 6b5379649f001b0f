// The C functions of `simd_quatf`. Each does what the initialiser, operator or property of the same meaning does.

@inlinable public func simd_quaternion(_ ix: Float, _ iy: Float, _ iz: Float, _ r: Float) -> simd_quatf { simd_quatf(ix: ix, iy: iy, iz: iz, r: r) }
@inlinable public func simd_quaternion(_ xyzr: simd_float4) -> simd_quatf { simd_quatf(vector: xyzr) }
public func simd_quaternion(_ angle: Float, _ axis: simd_float3) -> simd_quatf { simd_quatf(angle: angle, axis: axis) }
public func simd_quaternion(_ from: simd_float3, _ to: simd_float3) -> simd_quatf { simd_quatf(from: from, to: to) }
public func simd_quaternion(_ matrix: simd_float3x3) -> simd_quatf { simd_quatf(matrix) }
public func simd_quaternion(_ matrix: simd_float4x4) -> simd_quatf { simd_quatf(matrix) }

@inlinable public func simd_real(_ q: simd_quatf) -> Float { q.real }
@inlinable public func simd_imag(_ q: simd_quatf) -> simd_float3 { q.imag }
public func simd_angle(_ q: simd_quatf) -> Float { q.angle }
public func simd_axis(_ q: simd_quatf) -> simd_float3 { q.axis }
@inlinable public func simd_conjugate(_ q: simd_quatf) -> simd_quatf { q.conjugate }
@inlinable public func simd_inverse(_ q: simd_quatf) -> simd_quatf { q.inverse }
public func simd_normalize(_ q: simd_quatf) -> simd_quatf { q.normalized }
@inlinable public func simd_length(_ q: simd_quatf) -> Float { q.length }
@inlinable public func simd_dot(_ p: simd_quatf, _ q: simd_quatf) -> Float { dot(p.vector, q.vector) }
@inlinable public func simd_act(_ q: simd_quatf, _ v: simd_float3) -> simd_float3 { q.act(v) }

@inlinable public func simd_mul(_ p: simd_quatf, _ q: simd_quatf) -> simd_quatf { p * q }
@inlinable public func simd_mul(_ q: simd_quatf, _ a: Float) -> simd_quatf { q * a }
@inlinable public func simd_mul(_ a: Float, _ q: simd_quatf) -> simd_quatf { a * q }
@inlinable public func simd_add(_ p: simd_quatf, _ q: simd_quatf) -> simd_quatf { p + q }
@inlinable public func simd_sub(_ p: simd_quatf, _ q: simd_quatf) -> simd_quatf { p - q }
@inlinable public func simd_negate(_ q: simd_quatf) -> simd_quatf { -q }

/// From `q0` (t = 0) to `q1` (t = 1) at constant speed, the short way round.
public func simd_slerp(_ q0: simd_quatf, _ q1: simd_quatf, _ t: Float) -> simd_quatf {
    simd_quatf(vector: QuaternionMath.slerp(q0.vector, q1.vector, t, theLongWay: false))
}

/// From `q0` (t = 0) to `q1` (t = 1) at constant speed, the long way round.
public func simd_slerp_longest(_ q0: simd_quatf, _ q1: simd_quatf, _ t: Float) -> simd_quatf {
    simd_quatf(vector: QuaternionMath.slerp(q0.vector, q1.vector, t, theLongWay: true))
}
