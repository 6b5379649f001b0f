// Lengths, angles and products of `Double` vectors, under the names of the Swift overlay and of C.
// Sums run from the first lane to the last. Normalising zero gives NaN, as in Apple's library.

/// The sum of the products of equal lanes.
@inlinable public func dot(_ x: SIMD2<Double>, _ y: SIMD2<Double>) -> Double { x.x * y.x + x.y * y.y }
/// The square of the length.
@inlinable public func length_squared(_ x: SIMD2<Double>) -> Double { dot(x, x) }
@inlinable public func length(_ x: SIMD2<Double>) -> Double { dot(x, x).squareRoot() }
@inlinable public func distance_squared(_ x: SIMD2<Double>, _ y: SIMD2<Double>) -> Double { length_squared(x - y) }
@inlinable public func distance(_ x: SIMD2<Double>, _ y: SIMD2<Double>) -> Double { length(x - y) }
/// The same direction with length 1.
@inlinable public func normalize(_ x: SIMD2<Double>) -> SIMD2<Double> { x / length(x) }
/// The part of `x` along `y`.
@inlinable public func project(_ x: SIMD2<Double>, _ y: SIMD2<Double>) -> SIMD2<Double> { y * (dot(x, y) / dot(y, y)) }
/// `x` mirrored in the plane through the origin with unit normal `n`.
@inlinable public func reflect(_ x: SIMD2<Double>, n: SIMD2<Double>) -> SIMD2<Double> { x - n * (2 * dot(x, n)) }

@inlinable public func simd_dot(_ x: simd_double2, _ y: simd_double2) -> Double { dot(x, y) }
@inlinable public func simd_length_squared(_ x: simd_double2) -> Double { length_squared(x) }
@inlinable public func simd_length(_ x: simd_double2) -> Double { length(x) }
@inlinable public func simd_distance_squared(_ x: simd_double2, _ y: simd_double2) -> Double { distance_squared(x, y) }
@inlinable public func simd_distance(_ x: simd_double2, _ y: simd_double2) -> Double { distance(x, y) }
@inlinable public func simd_normalize(_ x: simd_double2) -> simd_double2 { normalize(x) }
@inlinable public func simd_project(_ x: simd_double2, _ y: simd_double2) -> simd_double2 { project(x, y) }
@inlinable public func simd_reflect(_ x: simd_double2, _ n: simd_double2) -> simd_double2 { reflect(x, n: n) }

/// The sum of the products of equal lanes.
@inlinable public func dot(_ x: SIMD3<Double>, _ y: SIMD3<Double>) -> Double { x.x * y.x + x.y * y.y + x.z * y.z }
/// The square of the length.
@inlinable public func length_squared(_ x: SIMD3<Double>) -> Double { dot(x, x) }
@inlinable public func length(_ x: SIMD3<Double>) -> Double { dot(x, x).squareRoot() }
@inlinable public func distance_squared(_ x: SIMD3<Double>, _ y: SIMD3<Double>) -> Double { length_squared(x - y) }
@inlinable public func distance(_ x: SIMD3<Double>, _ y: SIMD3<Double>) -> Double { length(x - y) }
/// The same direction with length 1.
@inlinable public func normalize(_ x: SIMD3<Double>) -> SIMD3<Double> { x / length(x) }
/// The part of `x` along `y`.
@inlinable public func project(_ x: SIMD3<Double>, _ y: SIMD3<Double>) -> SIMD3<Double> { y * (dot(x, y) / dot(y, y)) }
/// `x` mirrored in the plane through the origin with unit normal `n`.
@inlinable public func reflect(_ x: SIMD3<Double>, n: SIMD3<Double>) -> SIMD3<Double> { x - n * (2 * dot(x, n)) }

@inlinable public func simd_dot(_ x: simd_double3, _ y: simd_double3) -> Double { dot(x, y) }
@inlinable public func simd_length_squared(_ x: simd_double3) -> Double { length_squared(x) }
@inlinable public func simd_length(_ x: simd_double3) -> Double { length(x) }
@inlinable public func simd_distance_squared(_ x: simd_double3, _ y: simd_double3) -> Double { distance_squared(x, y) }
@inlinable public func simd_distance(_ x: simd_double3, _ y: simd_double3) -> Double { distance(x, y) }
@inlinable public func simd_normalize(_ x: simd_double3) -> simd_double3 { normalize(x) }
@inlinable public func simd_project(_ x: simd_double3, _ y: simd_double3) -> simd_double3 { project(x, y) }
@inlinable public func simd_reflect(_ x: simd_double3, _ n: simd_double3) -> simd_double3 { reflect(x, n: n) }

/// The sum of the products of equal lanes.
@inlinable public func dot(_ x: SIMD4<Double>, _ y: SIMD4<Double>) -> Double { x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w }
/// The square of the length.
@inlinable public func length_squared(_ x: SIMD4<Double>) -> Double { dot(x, x) }
@inlinable public func length(_ x: SIMD4<Double>) -> Double { dot(x, x).squareRoot() }
@inlinable public func distance_squared(_ x: SIMD4<Double>, _ y: SIMD4<Double>) -> Double { length_squared(x - y) }
@inlinable public func distance(_ x: SIMD4<Double>, _ y: SIMD4<Double>) -> Double { length(x - y) }
/// The same direction with length 1.
@inlinable public func normalize(_ x: SIMD4<Double>) -> SIMD4<Double> { x / length(x) }
/// The part of `x` along `y`.
@inlinable public func project(_ x: SIMD4<Double>, _ y: SIMD4<Double>) -> SIMD4<Double> { y * (dot(x, y) / dot(y, y)) }
/// `x` mirrored in the plane through the origin with unit normal `n`.
@inlinable public func reflect(_ x: SIMD4<Double>, n: SIMD4<Double>) -> SIMD4<Double> { x - n * (2 * dot(x, n)) }

@inlinable public func simd_dot(_ x: simd_double4, _ y: simd_double4) -> Double { dot(x, y) }
@inlinable public func simd_length_squared(_ x: simd_double4) -> Double { length_squared(x) }
@inlinable public func simd_length(_ x: simd_double4) -> Double { length(x) }
@inlinable public func simd_distance_squared(_ x: simd_double4, _ y: simd_double4) -> Double { distance_squared(x, y) }
@inlinable public func simd_distance(_ x: simd_double4, _ y: simd_double4) -> Double { distance(x, y) }
@inlinable public func simd_normalize(_ x: simd_double4) -> simd_double4 { normalize(x) }
@inlinable public func simd_project(_ x: simd_double4, _ y: simd_double4) -> simd_double4 { project(x, y) }
@inlinable public func simd_reflect(_ x: simd_double4, _ n: simd_double4) -> simd_double4 { reflect(x, n: n) }

/// At right angles to both, by the right-hand rule.
@inlinable public func cross(_ x: SIMD3<Double>, _ y: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
}
/// The third component of the cross product of two vectors in the plane.
@inlinable public func cross(_ x: SIMD2<Double>, _ y: SIMD2<Double>) -> SIMD3<Double> { SIMD3(0, 0, x.x * y.y - x.y * y.x) }
@inlinable public func simd_cross(_ x: simd_double3, _ y: simd_double3) -> simd_double3 { cross(x, y) }
@inlinable public func simd_cross(_ x: simd_double2, _ y: simd_double2) -> simd_double3 { cross(x, y) }

/// `x`, `low` where below it, `high` where above it.
@inlinable public func simd_clamp(_ x: Double, _ low: Double, _ high: Double) -> Double { min(max(x, low), high) }
@inlinable public func simd_min(_ x: Double, _ y: Double) -> Double { min(x, y) }
@inlinable public func simd_max(_ x: Double, _ y: Double) -> Double { max(x, y) }
/// From `x` (t = 0) to `y` (t = 1) along a line.
@inlinable public func simd_mix(_ x: Double, _ y: Double, _ t: Double) -> Double { x + (y - x) * t }
