/// A quaternion of `Float`; one of unit length is a rotation.
public struct simd_quatf: Sendable {
    /// (ix, iy, iz, r)
    public var vector: simd_float4

    /// All zero, which is not the identity rotation.
    @inlinable
    public init() { vector = .zero }

    /// From (ix, iy, iz, r).
    @inlinable
    public init(vector: simd_float4) { self.vector = vector }

    /// From its four parts.
    @inlinable
    public init(ix: Float, iy: Float, iz: Float, r: Float) { vector = SIMD4(ix, iy, iz, r) }

    /// From the real and the imaginary part.
    @inlinable
    public init(real: Float, imag: SIMD3<Float>) { vector = SIMD4(imag, real) }

    /// The rotation by `angle` in radians, counter-clockwise about `axis`, which must have unit length.
    public init(angle: Float, axis: SIMD3<Float>) { vector = QuaternionMath.rotation(angle: angle, axis: axis) }

    /// The shortest rotation that takes one direction to another; both of unit length.
    ///
    /// Between opposite directions it is a half turn about some axis at right angles to them.
    public init(from: SIMD3<Float>, to: SIMD3<Float>) { vector = QuaternionMath.rotation(from: from, to: to) }

    /// The rotation that an orthonormal matrix with determinant 1 stands for.
    public init(_ rotationMatrix: simd_float3x3) { vector = QuaternionMath.rotation(axes: rotationMatrix.columns) }

    /// The rotation in the upper left three rows and columns.
    public init(_ rotationMatrix: simd_float4x4) {
        let (x, y, z, _) = rotationMatrix.columns
        vector = QuaternionMath.rotation(axes: (SIMD3(x.x, x.y, x.z), SIMD3(y.x, y.y, y.z), SIMD3(z.x, z.y, z.z)))
    }

    /// The part without unit: the cosine of half the angle.
    @inlinable
    public var real: Float {
        get { vector.w }
        set { vector.w = newValue }
    }

    /// The part with units i, j, k: the axis times the sine of half the angle.
    @inlinable
    public var imag: SIMD3<Float> {
        get { SIMD3(vector.x, vector.y, vector.z) }
        set { vector = SIMD4(newValue, vector.w) }
    }

    /// The angle of the rotation in radians, 0...2 pi.
    public var angle: Float { QuaternionMath.angle(of: vector) }

    /// The unit axis of the rotation; NaN where there is none, as for the identity.
    public var axis: SIMD3<Float> { normalize(imag) }

    /// The imaginary part negated: the opposite rotation, for unit length.
    @inlinable
    public var conjugate: simd_quatf { simd_quatf(vector: vector * SIMD4(-1, -1, -1, 1)) }

    /// The conjugate over the squared length; NaN for zero.
    @inlinable
    public var inverse: simd_quatf { simd_quatf(vector: conjugate.vector / dot(vector, vector)) }

    /// With unit length. Zero becomes the identity rotation.
    public var normalized: simd_quatf { simd_quatf(vector: QuaternionMath.normalized(vector)) }

    /// The square root of the sum of all four squares.
    @inlinable
    public var length: Float { dot(vector, vector).squareRoot() }

    /// `vector` rotated by this unit quaternion.
    @inlinable
    public func act(_ vector: SIMD3<Float>) -> SIMD3<Float> {
        let turned = 2 * cross(imag, vector)
        return vector + real * turned + cross(imag, turned)
    }
}

extension simd_quatf: Hashable {}

extension simd_quatf: Codable {
    /// Reads [ix, iy, iz, r].
    public init(from decoder: any Decoder) throws { self.init(vector: try SIMD4(from: decoder)) }

    /// Writes [ix, iy, iz, r].
    public func encode(to encoder: any Encoder) throws { try vector.encode(to: encoder) }
}

extension simd_quatf: CustomDebugStringConvertible {
    /// The real and the imaginary part.
    public var debugDescription: String { "simd_quatf(real: \(real), imag: \(imag))" }
}

extension simd_quatf {
    /// The sum, part by part.
    @inlinable
    public static func + (lhs: simd_quatf, rhs: simd_quatf) -> simd_quatf {
        simd_quatf(vector: lhs.vector + rhs.vector)
    }

    /// The difference, part by part.
    @inlinable
    public static func - (lhs: simd_quatf, rhs: simd_quatf) -> simd_quatf {
        simd_quatf(vector: lhs.vector - rhs.vector)
    }

    /// Every part negated.
    @inlinable
    public static prefix func - (rhs: simd_quatf) -> simd_quatf { simd_quatf(vector: -rhs.vector) }

    /// The rotation that first does `rhs`, then `lhs`.
    @inlinable
    public static func * (lhs: simd_quatf, rhs: simd_quatf) -> simd_quatf {
        let (p, q) = (lhs.vector, rhs.vector)
        return simd_quatf(
            ix: p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
            iy: p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
            iz: p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
            r: p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z)
    }

    /// Every part times the number.
    @inlinable
    public static func * (lhs: simd_quatf, rhs: Float) -> simd_quatf { simd_quatf(vector: lhs.vector * rhs) }

    /// Every part times the number.
    @inlinable
    public static func * (lhs: Float, rhs: simd_quatf) -> simd_quatf { simd_quatf(vector: lhs * rhs.vector) }

    /// `lhs` times the inverse of `rhs`.
    @inlinable
    public static func / (lhs: simd_quatf, rhs: simd_quatf) -> simd_quatf { lhs * rhs.inverse }

    /// Every part over the number.
    @inlinable
    public static func / (lhs: simd_quatf, rhs: Float) -> simd_quatf { simd_quatf(vector: lhs.vector / rhs) }

    /// Adds part by part.
    @inlinable
    public static func += (lhs: inout simd_quatf, rhs: simd_quatf) { lhs = lhs + rhs }

    /// Subtracts part by part.
    @inlinable
    public static func -= (lhs: inout simd_quatf, rhs: simd_quatf) { lhs = lhs - rhs }

    /// The product takes the place of the left factor.
    @inlinable
    public static func *= (lhs: inout simd_quatf, rhs: simd_quatf) { lhs = lhs * rhs }

    /// Multiplies every part.
    @inlinable
    public static func *= (lhs: inout simd_quatf, rhs: Float) { lhs = lhs * rhs }

    /// Multiplies by the inverse.
    @inlinable
    public static func /= (lhs: inout simd_quatf, rhs: simd_quatf) { lhs = lhs / rhs }

    /// Divides every part.
    @inlinable
    public static func /= (lhs: inout simd_quatf, rhs: Float) { lhs = lhs / rhs }
}

// The C functions of `simd_quatf`. Each does what the initialiser, operator or property of the same meaning does.

/// From (ix, iy, iz, r).
@inlinable public func simd_quaternion(_ xyzr: simd_float4) -> simd_quatf { simd_quatf(vector: xyzr) }
/// The rotation by `angle` in radians, counter-clockwise about `axis`, which must have unit length.
public func simd_quaternion(_ angle: Float, _ axis: simd_float3) -> simd_quatf { simd_quatf(angle: angle, axis: axis) }
/// The shortest rotation that takes one direction to another; both of unit length.
public func simd_quaternion(_ from: simd_float3, _ to: simd_float3) -> simd_quatf { simd_quatf(from: from, to: to) }
/// The rotation that an orthonormal matrix with determinant 1 stands for.
public func simd_quaternion(_ matrix: simd_float3x3) -> simd_quatf { simd_quatf(matrix) }
/// The rotation in the upper left three rows and columns.
public func simd_quaternion(_ matrix: simd_float4x4) -> simd_quatf { simd_quatf(matrix) }

/// The part without unit: the cosine of half the angle.
@inlinable public func simd_real(_ q: simd_quatf) -> Float { q.real }
/// The three parts with units.
@inlinable public func simd_imag(_ q: simd_quatf) -> simd_float3 { q.imag }
/// The angle of the rotation in radians.
public func simd_angle(_ q: simd_quatf) -> Float { q.angle }
/// The axis of the rotation, of unit length.
public func simd_axis(_ q: simd_quatf) -> simd_float3 { q.axis }
/// The imaginary parts negated: of a unit quaternion, the rotation back.
@inlinable public func simd_conjugate(_ q: simd_quatf) -> simd_quatf { q.conjugate }
/// One over `q`: of a rotation, the rotation back.
@inlinable public func simd_inverse(_ q: simd_quatf) -> simd_quatf { q.inverse }
/// The same rotation with length 1; NaN for zero.
public func simd_normalize(_ q: simd_quatf) -> simd_quatf { q.normalized }
/// The square root of the sum of the squares of all parts.
@inlinable public func simd_length(_ q: simd_quatf) -> Float { q.length }
/// The sum of the products of equal parts.
@inlinable public func simd_dot(_ p: simd_quatf, _ q: simd_quatf) -> Float { dot(p.vector, q.vector) }
/// `v`, turned by `q`.
@inlinable public func simd_act(_ q: simd_quatf, _ v: simd_float3) -> simd_float3 { q.act(v) }

/// The product: the rotation `q`, then `p`.
@inlinable public func simd_mul(_ p: simd_quatf, _ q: simd_quatf) -> simd_quatf { p * q }
/// Every part times `a`.
@inlinable public func simd_mul(_ q: simd_quatf, _ a: Float) -> simd_quatf { q * a }
/// Every part times `a`.
@inlinable public func simd_mul(_ a: Float, _ q: simd_quatf) -> simd_quatf { a * q }
/// The sum, part by part.
@inlinable public func simd_add(_ p: simd_quatf, _ q: simd_quatf) -> simd_quatf { p + q }
/// The difference, part by part.
@inlinable public func simd_sub(_ p: simd_quatf, _ q: simd_quatf) -> simd_quatf { p - q }
/// Every part negated: the same rotation.
@inlinable public func simd_negate(_ q: simd_quatf) -> simd_quatf { -q }

/// From `q0` (t = 0) to `q1` (t = 1) at constant speed, the short way round.
public func simd_slerp(_ q0: simd_quatf, _ q1: simd_quatf, _ t: Float) -> simd_quatf {
    simd_quatf(vector: QuaternionMath.slerp(q0.vector, q1.vector, t, theLongWay: false))
}

/// From `q0` (t = 0) to `q1` (t = 1) at constant speed, the long way round.
public func simd_slerp_longest(_ q0: simd_quatf, _ q1: simd_quatf, _ t: Float) -> simd_quatf {
    simd_quatf(vector: QuaternionMath.slerp(q0.vector, q1.vector, t, theLongWay: true))
}
