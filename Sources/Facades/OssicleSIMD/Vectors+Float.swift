// Makers of `Float` vectors: parts in order; a short argument is continued with zeros, a long one is cut.

/// Two lanes, of these parts in order.
@inlinable public func simd_make_float2(_ x: Float, _ y: Float) -> simd_float2 { simd_float2(x, y) }
/// `other` in the first lane, zeros behind it.
@inlinable public func simd_make_float2(_ other: Float) -> simd_float2 { simd_float2(other, 0) }
/// `other` itself.
@inlinable public func simd_make_float2(_ other: simd_float2) -> simd_float2 { other }
/// The first two lanes of `other`.
@inlinable public func simd_make_float2(_ other: simd_float3) -> simd_float2 { simd_float2(other.x, other.y) }
/// The first two lanes of `other`.
@inlinable public func simd_make_float2(_ other: simd_float4) -> simd_float2 { simd_float2(other.x, other.y) }

/// Three lanes, of these parts in order.
@inlinable public func simd_make_float3(_ x: Float, _ y: Float, _ z: Float) -> simd_float3 { simd_float3(x, y, z) }
/// Three lanes, of these parts in order.
@inlinable public func simd_make_float3(_ x: Float, _ yz: simd_float2) -> simd_float3 { simd_float3(x, yz.x, yz.y) }
/// Three lanes, of these parts in order.
@inlinable public func simd_make_float3(_ xy: simd_float2, _ z: Float) -> simd_float3 { simd_float3(xy, z) }
/// `other` in the first lane, zeros behind it.
@inlinable public func simd_make_float3(_ other: Float) -> simd_float3 { simd_float3(other, 0, 0) }
/// The lanes of `other`, then zeros.
@inlinable public func simd_make_float3(_ other: simd_float2) -> simd_float3 { simd_float3(other, 0) }
/// `other` itself.
@inlinable public func simd_make_float3(_ other: simd_float3) -> simd_float3 { other }
/// The first three lanes of `other`.
@inlinable public func simd_make_float3(_ other: simd_float4) -> simd_float3 { simd_float3(other.x, other.y, other.z) }

/// Four lanes, of these parts in order.
@inlinable public func simd_make_float4(_ x: Float, _ y: Float, _ z: Float, _ w: Float) -> simd_float4 {
    simd_float4(x, y, z, w)
}
/// Four lanes, of these parts in order.
@inlinable public func simd_make_float4(_ x: Float, _ y: Float, _ zw: simd_float2) -> simd_float4 {
    simd_float4(x, y, zw.x, zw.y)
}
/// Four lanes, of these parts in order.
@inlinable public func simd_make_float4(_ x: Float, _ yz: simd_float2, _ w: Float) -> simd_float4 {
    simd_float4(x, yz.x, yz.y, w)
}
/// Four lanes, of these parts in order.
@inlinable public func simd_make_float4(_ xy: simd_float2, _ z: Float, _ w: Float) -> simd_float4 {
    simd_float4(xy.x, xy.y, z, w)
}
/// Four lanes, of these parts in order.
@inlinable public func simd_make_float4(_ x: Float, _ yzw: simd_float3) -> simd_float4 {
    simd_float4(x, yzw.x, yzw.y, yzw.z)
}
/// Four lanes, of these parts in order.
@inlinable public func simd_make_float4(_ xy: simd_float2, _ zw: simd_float2) -> simd_float4 {
    simd_float4(lowHalf: xy, highHalf: zw)
}
/// Four lanes, of these parts in order.
@inlinable public func simd_make_float4(_ xyz: simd_float3, _ w: Float) -> simd_float4 { simd_float4(xyz, w) }
/// `other` in the first lane, zeros behind it.
@inlinable public func simd_make_float4(_ other: Float) -> simd_float4 { simd_float4(other, 0, 0, 0) }
/// The lanes of `other`, then zeros.
@inlinable public func simd_make_float4(_ other: simd_float2) -> simd_float4 { simd_float4(other.x, other.y, 0, 0) }
/// The lanes of `other`, then zeros.
@inlinable public func simd_make_float4(_ other: simd_float3) -> simd_float4 { simd_float4(other, 0) }
/// `other` itself.
@inlinable public func simd_make_float4(_ other: simd_float4) -> simd_float4 { other }

/// Two lanes, of these parts in order.
@inlinable public func vector2(_ x: Float, _ y: Float) -> simd_float2 { simd_float2(x, y) }
/// Three lanes, of these parts in order.
@inlinable public func vector3(_ x: Float, _ y: Float, _ z: Float) -> simd_float3 { simd_float3(x, y, z) }
/// Three lanes, of these parts in order.
@inlinable public func vector3(_ xy: simd_float2, _ z: Float) -> simd_float3 { simd_float3(xy, z) }
/// Four lanes, of these parts in order.
@inlinable public func vector4(_ x: Float, _ y: Float, _ z: Float, _ w: Float) -> simd_float4 {
    simd_float4(x, y, z, w)
}
/// Four lanes, of these parts in order.
@inlinable public func vector4(_ xyz: simd_float3, _ w: Float) -> simd_float4 { simd_float4(xyz, w) }

// Lengths, angles and products of `Float` vectors, under the names of the Swift overlay and of C.
// Sums run from the first lane to the last. Normalising zero gives NaN, as in Apple's library.

/// The sum of the products of equal lanes.
@inlinable public func dot(_ x: SIMD2<Float>, _ y: SIMD2<Float>) -> Float { x.x * y.x + x.y * y.y }
/// The square of the length.
@inlinable public func length_squared(_ x: SIMD2<Float>) -> Float { dot(x, x) }
/// The square root of the sum of all squares.
@inlinable public func length(_ x: SIMD2<Float>) -> Float { dot(x, x).squareRoot() }
/// The square of the distance.
@inlinable public func distance_squared(_ x: SIMD2<Float>, _ y: SIMD2<Float>) -> Float { length_squared(x - y) }
/// The length of the difference.
@inlinable public func distance(_ x: SIMD2<Float>, _ y: SIMD2<Float>) -> Float { length(x - y) }
/// The same direction with length 1.
@inlinable public func normalize(_ x: SIMD2<Float>) -> SIMD2<Float> { x / length(x) }
/// The part of `x` along `y`.
@inlinable public func project(_ x: SIMD2<Float>, _ y: SIMD2<Float>) -> SIMD2<Float> { y * (dot(x, y) / dot(y, y)) }
/// `x` mirrored in the plane through the origin with unit normal `n`.
@inlinable public func reflect(_ x: SIMD2<Float>, n: SIMD2<Float>) -> SIMD2<Float> { x - n * (2 * dot(x, n)) }

/// The sum of the products of equal lanes.
@inlinable public func simd_dot(_ x: simd_float2, _ y: simd_float2) -> Float { dot(x, y) }
/// The square of the length.
@inlinable public func simd_length_squared(_ x: simd_float2) -> Float { length_squared(x) }
/// The square root of the sum of all squares.
@inlinable public func simd_length(_ x: simd_float2) -> Float { length(x) }
/// The square of the distance.
@inlinable public func simd_distance_squared(_ x: simd_float2, _ y: simd_float2) -> Float { distance_squared(x, y) }
/// The length of the difference.
@inlinable public func simd_distance(_ x: simd_float2, _ y: simd_float2) -> Float { distance(x, y) }
/// The same direction with length 1; NaN for zero.
@inlinable public func simd_normalize(_ x: simd_float2) -> simd_float2 { normalize(x) }
/// The part of `x` along `y`.
@inlinable public func simd_project(_ x: simd_float2, _ y: simd_float2) -> simd_float2 { project(x, y) }
/// `x` as a mirror with the unit normal `n` throws it back.
@inlinable public func simd_reflect(_ x: simd_float2, _ n: simd_float2) -> simd_float2 { reflect(x, n: n) }

/// The sum of the products of equal lanes.
@inlinable public func dot(_ x: SIMD3<Float>, _ y: SIMD3<Float>) -> Float { x.x * y.x + x.y * y.y + x.z * y.z }
/// The square of the length.
@inlinable public func length_squared(_ x: SIMD3<Float>) -> Float { dot(x, x) }
/// The square root of the sum of all squares.
@inlinable public func length(_ x: SIMD3<Float>) -> Float { dot(x, x).squareRoot() }
/// The square of the distance.
@inlinable public func distance_squared(_ x: SIMD3<Float>, _ y: SIMD3<Float>) -> Float { length_squared(x - y) }
/// The length of the difference.
@inlinable public func distance(_ x: SIMD3<Float>, _ y: SIMD3<Float>) -> Float { length(x - y) }
/// The same direction with length 1.
@inlinable public func normalize(_ x: SIMD3<Float>) -> SIMD3<Float> { x / length(x) }
/// The part of `x` along `y`.
@inlinable public func project(_ x: SIMD3<Float>, _ y: SIMD3<Float>) -> SIMD3<Float> { y * (dot(x, y) / dot(y, y)) }
/// `x` mirrored in the plane through the origin with unit normal `n`.
@inlinable public func reflect(_ x: SIMD3<Float>, n: SIMD3<Float>) -> SIMD3<Float> { x - n * (2 * dot(x, n)) }

/// The sum of the products of equal lanes.
@inlinable public func simd_dot(_ x: simd_float3, _ y: simd_float3) -> Float { dot(x, y) }
/// The square of the length.
@inlinable public func simd_length_squared(_ x: simd_float3) -> Float { length_squared(x) }
/// The square root of the sum of all squares.
@inlinable public func simd_length(_ x: simd_float3) -> Float { length(x) }
/// The square of the distance.
@inlinable public func simd_distance_squared(_ x: simd_float3, _ y: simd_float3) -> Float { distance_squared(x, y) }
/// The length of the difference.
@inlinable public func simd_distance(_ x: simd_float3, _ y: simd_float3) -> Float { distance(x, y) }
/// The same direction with length 1; NaN for zero.
@inlinable public func simd_normalize(_ x: simd_float3) -> simd_float3 { normalize(x) }
/// The part of `x` along `y`.
@inlinable public func simd_project(_ x: simd_float3, _ y: simd_float3) -> simd_float3 { project(x, y) }
/// `x` as a mirror with the unit normal `n` throws it back.
@inlinable public func simd_reflect(_ x: simd_float3, _ n: simd_float3) -> simd_float3 { reflect(x, n: n) }

/// The sum of the products of equal lanes.
@inlinable public func dot(_ x: SIMD4<Float>, _ y: SIMD4<Float>) -> Float {
    x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w
}
/// The square of the length.
@inlinable public func length_squared(_ x: SIMD4<Float>) -> Float { dot(x, x) }
/// The square root of the sum of all squares.
@inlinable public func length(_ x: SIMD4<Float>) -> Float { dot(x, x).squareRoot() }
/// The square of the distance.
@inlinable public func distance_squared(_ x: SIMD4<Float>, _ y: SIMD4<Float>) -> Float { length_squared(x - y) }
/// The length of the difference.
@inlinable public func distance(_ x: SIMD4<Float>, _ y: SIMD4<Float>) -> Float { length(x - y) }
/// The same direction with length 1.
@inlinable public func normalize(_ x: SIMD4<Float>) -> SIMD4<Float> { x / length(x) }
/// The part of `x` along `y`.
@inlinable public func project(_ x: SIMD4<Float>, _ y: SIMD4<Float>) -> SIMD4<Float> { y * (dot(x, y) / dot(y, y)) }
/// `x` mirrored in the plane through the origin with unit normal `n`.
@inlinable public func reflect(_ x: SIMD4<Float>, n: SIMD4<Float>) -> SIMD4<Float> { x - n * (2 * dot(x, n)) }

/// The sum of the products of equal lanes.
@inlinable public func simd_dot(_ x: simd_float4, _ y: simd_float4) -> Float { dot(x, y) }
/// The square of the length.
@inlinable public func simd_length_squared(_ x: simd_float4) -> Float { length_squared(x) }
/// The square root of the sum of all squares.
@inlinable public func simd_length(_ x: simd_float4) -> Float { length(x) }
/// The square of the distance.
@inlinable public func simd_distance_squared(_ x: simd_float4, _ y: simd_float4) -> Float { distance_squared(x, y) }
/// The length of the difference.
@inlinable public func simd_distance(_ x: simd_float4, _ y: simd_float4) -> Float { distance(x, y) }
/// The same direction with length 1; NaN for zero.
@inlinable public func simd_normalize(_ x: simd_float4) -> simd_float4 { normalize(x) }
/// The part of `x` along `y`.
@inlinable public func simd_project(_ x: simd_float4, _ y: simd_float4) -> simd_float4 { project(x, y) }
/// `x` as a mirror with the unit normal `n` throws it back.
@inlinable public func simd_reflect(_ x: simd_float4, _ n: simd_float4) -> simd_float4 { reflect(x, n: n) }

/// At right angles to both, by the right-hand rule.
@inlinable public func cross(_ x: SIMD3<Float>, _ y: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x)
}
/// The third component of the cross product of two vectors in the plane.
@inlinable public func cross(_ x: SIMD2<Float>, _ y: SIMD2<Float>) -> SIMD3<Float> {
    SIMD3(0, 0, x.x * y.y - x.y * y.x)
}
/// At right angles to both, as long as the parallelogram between them is large.
@inlinable public func simd_cross(_ x: simd_float3, _ y: simd_float3) -> simd_float3 { cross(x, y) }
/// At right angles to both, as long as the parallelogram between them is large.
@inlinable public func simd_cross(_ x: simd_float2, _ y: simd_float2) -> simd_float3 { cross(x, y) }

/// `x`, `low` where below it, `high` where above it.
@inlinable public func simd_clamp(_ x: Float, _ low: Float, _ high: Float) -> Float { min(max(x, low), high) }
/// The smaller of each pair of lanes.
@inlinable public func simd_min(_ x: Float, _ y: Float) -> Float { min(x, y) }
/// The larger of each pair of lanes.
@inlinable public func simd_max(_ x: Float, _ y: Float) -> Float { max(x, y) }
/// From `x` (t = 0) to `y` (t = 1) along a line.
@inlinable public func simd_mix(_ x: Float, _ y: Float, _ t: Float) -> Float { x + (y - x) * t }
