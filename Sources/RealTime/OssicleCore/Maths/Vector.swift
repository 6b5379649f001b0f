/// Three-vectors of the engine: metres, right-handed, x right, y up, −z forward.
package typealias Vector = SIMD3<Double>

extension SIMD3 where Scalar: BinaryFloatingPoint {
    @inlinable package func dot(_ other: Self) -> Scalar { x * other.x + y * other.y + z * other.z }

    @inlinable package func cross(_ other: Self) -> Self {
        Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    @inlinable package var lengthSquared: Scalar { dot(self) }
    @inlinable package var magnitude: Scalar { lengthSquared.squareRoot() }

    /// Unit vector in this direction, or nil for a vector too short (or not finite) to have one.
    @inlinable package var direction: Self? {
        let length = magnitude
        return length.isFinite && length > 1e-12 ? self / length : nil
    }

    @inlinable package var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}
