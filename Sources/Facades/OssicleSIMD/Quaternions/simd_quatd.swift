/// A quaternion of `Double`; one of unit length is a rotation.
public struct simd_quatd: Sendable {
    /// (ix, iy, iz, r)
    public var vector: simd_double4

    /// All zero, which is not the identity rotation.
    @inlinable
    public init() { vector = .zero }

    /// From (ix, iy, iz, r).
    @inlinable
    public init(vector: simd_double4) { self.vector = vector }

    /// From its four parts.
    @inlinable
    public init(ix: Double, iy: Double, iz: Double, r: Double) { vector = SIMD4(ix, iy, iz, r) }

    /// From the real and the imaginary part.
    @inlinable
    public init(real: Double, imag: SIMD3<Double>) { vector = SIMD4(imag, real) }

    /// The rotation by `angle` in radians, counter-clockwise about `axis`, which must have unit length.
    public init(angle: Double, axis: SIMD3<Double>) { vector = QuaternionMath.rotation(angle: angle, axis: axis) }

    /// The shortest rotation that takes one direction to another; both of unit length.
    ///
    /// Between opposite directions it is a half turn about some axis at right angles to them.
    public init(from: SIMD3<Double>, to: SIMD3<Double>) { vector = QuaternionMath.rotation(from: from, to: to) }

    /// The rotation that an orthonormal matrix with determinant 1 stands for.
    public init(_ rotationMatrix: simd_double3x3) { vector = QuaternionMath.rotation(axes: rotationMatrix.columns) }

    /// The rotation in the upper left three rows and columns.
    public init(_ rotationMatrix: simd_double4x4) {
        let (x, y, z, _) = rotationMatrix.columns
        vector = QuaternionMath.rotation(axes: (SIMD3(x.x, x.y, x.z), SIMD3(y.x, y.y, y.z), SIMD3(z.x, z.y, z.z)))
    }

    /// The part without unit: the cosine of half the angle.
    @inlinable
    public var real: Double {
        get { vector.w }
        set { vector.w = newValue }
    }

    /// The part with units i, j, k: the axis times the sine of half the angle.
    @inlinable
    public var imag: SIMD3<Double> {
        get { SIMD3(vector.x, vector.y, vector.z) }
        set { vector = SIMD4(newValue, vector.w) }
    }

    /// The angle of the rotation in radians, 0...2 pi.
    public var angle: Double { QuaternionMath.angle(of: vector) }

    /// The unit axis of the rotation; NaN where there is none, as for the identity.
    public var axis: SIMD3<Double> { normalize(imag) }

    /// The imaginary part negated: the opposite rotation, for unit length.
    @inlinable
    public var conjugate: simd_quatd { simd_quatd(vector: vector * SIMD4(-1, -1, -1, 1)) }

    /// The conjugate over the squared length; NaN for zero.
    @inlinable
    public var inverse: simd_quatd { simd_quatd(vector: conjugate.vector / dot(vector, vector)) }

    /// With unit length. Zero becomes the identity rotation.
    public var normalized: simd_quatd { simd_quatd(vector: QuaternionMath.normalized(vector)) }

    /// The square root of the sum of all four squares.
    @inlinable
    public var length: Double { dot(vector, vector).squareRoot() }

    /// `vector` rotated by this unit quaternion.
    @inlinable
    public func act(_ vector: SIMD3<Double>) -> SIMD3<Double> {
        let turned = 2 * cross(imag, vector)
        return vector + real * turned + cross(imag, turned)
    }
}

extension simd_quatd: Hashable {}

extension simd_quatd: Codable {
    /// Reads [ix, iy, iz, r].
    public init(from decoder: any Decoder) throws { self.init(vector: try SIMD4(from: decoder)) }

    /// Writes [ix, iy, iz, r].
    public func encode(to encoder: any Encoder) throws { try vector.encode(to: encoder) }
}

extension simd_quatd: CustomDebugStringConvertible {
    public var debugDescription: String { "simd_quatd(real: \(real), imag: \(imag))" }
}
