// What is done to every lane alike, for vectors of any width, under the names of the Swift overlay.

/// The magnitude of each lane.
@inlinable public func abs<V: SIMD>(_ x: V) -> V where V.Scalar: SignedNumeric & Comparable {
    lanewise(x) { $0 < 0 ? -$0 : $0 == 0 ? 0 : $0 }
}
/// The smaller of each pair of lanes.
@inlinable public func min<V: SIMD>(_ x: V, _ y: V) -> V where V.Scalar: Comparable { pointwiseMin(x, y) }
/// The smaller of each lane and `y`.
@inlinable public func min<V: SIMD>(_ x: V, _ y: V.Scalar) -> V where V.Scalar: Comparable {
    pointwiseMin(x, V(repeating: y))
}
/// The larger of each pair of lanes.
@inlinable public func max<V: SIMD>(_ x: V, _ y: V) -> V where V.Scalar: Comparable { pointwiseMax(x, y) }
/// The larger of each lane and `y`.
@inlinable public func max<V: SIMD>(_ x: V, _ y: V.Scalar) -> V where V.Scalar: Comparable {
    pointwiseMax(x, V(repeating: y))
}

/// Each lane limited to `min`...`max`; `max` wins where they cross.
@inlinable public func clamp<V: SIMD>(_ x: V, min: V, max: V) -> V where V.Scalar: Comparable {
    pointwiseMin(pointwiseMax(x, min), max)
}
/// Each lane limited to `min`...`max`; `max` wins where they cross.
@inlinable public func clamp<V: SIMD>(_ x: V, min: V.Scalar, max: V.Scalar) -> V where V.Scalar: Comparable {
    clamp(x, min: V(repeating: min), max: V(repeating: max))
}

/// From `x` (t = 0) to `y` (t = 1) along a line.
@inlinable public func mix<V: SIMD>(_ x: V, _ y: V, t: V) -> V where V.Scalar: FloatingPoint { x + (y - x) * t }
/// From `x` (t = 0) to `y` (t = 1) along a line.
@inlinable public func mix<V: SIMD>(_ x: V, _ y: V, t: V.Scalar) -> V where V.Scalar: FloatingPoint { x + (y - x) * t }

/// 0 below the edge, 1 from it on.
@inlinable public func step<V: SIMD>(_ x: V, edge: V) -> V where V.Scalar: FloatingPoint {
    V(repeating: 1).replacing(with: 0, where: x .< edge)
}
/// 0 below `edge0`, 1 above `edge1`, the cubic 3t^2 - 2t^3 between them.
@inlinable public func smoothstep<V: SIMD>(_ x: V, edge0: V, edge1: V) -> V where V.Scalar: FloatingPoint {
    let t = clamp((x - edge0) / (edge1 - edge0), min: 0, max: 1)
    return t * t * (3 - (t + t))
}

/// -1, 0 or 1.
@inlinable public func sign<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint {
    lanewise(x) { $0 < 0 ? -1 : $0 > 0 ? 1 : 0 }
}
/// One over each lane.
@inlinable public func recip<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint { 1 / x }
/// One over the square root of each lane.
@inlinable public func rsqrt<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint { 1 / x.squareRoot() }
/// What is left above the next lower whole number.
@inlinable public func fract<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint { x - x.rounded(.down) }
/// The next whole number below each lane, or the lane itself.
@inlinable public func floor<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint { x.rounded(.down) }
/// The next whole number above each lane, or the lane itself.
@inlinable public func ceil<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint { x.rounded(.up) }
/// Each lane without what is behind its point.
@inlinable public func trunc<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint { x.rounded(.towardZero) }
/// The square root of each lane.
@inlinable public func sqrt<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint { x.squareRoot() }

/// The sum of all lanes, from the first to the last. Whole numbers wrap round.
@inlinable public func reduce_add<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint { reduce(x, +) }
/// The sum of all lanes; it wraps round.
@inlinable public func reduce_add<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FixedWidthInteger { reduce(x, &+) }
/// The smallest and the largest lane.
@inlinable public func reduce_min<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: Comparable { x.min() }
/// The largest lane.
@inlinable public func reduce_max<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: Comparable { x.max() }

/// The sum of the magnitudes.
@inlinable public func norm_one<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint { reduce_add(abs(x)) }
/// The largest magnitude.
@inlinable public func norm_inf<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint { reduce_max(abs(x)) }

@inlinable
func lanewise<V: SIMD>(_ x: V, _ function: (V.Scalar) -> V.Scalar) -> V {
    var result = V()
    for lane in x.indices { result[lane] = function(x[lane]) }
    return result
}

@inlinable
func reduce<V: SIMD>(_ x: V, _ combine: (V.Scalar, V.Scalar) -> V.Scalar) -> V.Scalar {
    var result = x[0]
    for lane in 1..<x.scalarCount { result = combine(result, x[lane]) }
    return result
}

// What is done to every lane alike, under the names of C.

/// The magnitude of each lane.
@inlinable public func simd_abs<V: SIMD>(_ x: V) -> V where V.Scalar: SignedNumeric & Comparable { abs(x) }
/// The smaller of each pair of lanes.
@inlinable public func simd_min<V: SIMD>(_ x: V, _ y: V) -> V where V.Scalar: Comparable { pointwiseMin(x, y) }
/// The larger of each pair of lanes.
@inlinable public func simd_max<V: SIMD>(_ x: V, _ y: V) -> V where V.Scalar: Comparable { pointwiseMax(x, y) }
/// Each lane limited to `low`...`high`.
@inlinable public func simd_clamp<V: SIMD>(_ x: V, _ low: V, _ high: V) -> V where V.Scalar: Comparable {
    clamp(x, min: low, max: high)
}
/// From `x` (t = 0) to `y` (t = 1) along a line.
@inlinable public func simd_mix<V: SIMD>(_ x: V, _ y: V, _ t: V) -> V where V.Scalar: FloatingPoint { mix(x, y, t: t) }
/// 0 below the edge, 1 from it on.
@inlinable public func simd_step<V: SIMD>(_ edge: V, _ x: V) -> V where V.Scalar: FloatingPoint { step(x, edge: edge) }
/// 0 below `edge0`, 1 above `edge1`, the cubic 3t^2 - 2t^3 between them.
@inlinable public func simd_smoothstep<V: SIMD>(_ edge0: V, _ edge1: V, _ x: V) -> V where V.Scalar: FloatingPoint {
    smoothstep(x, edge0: edge0, edge1: edge1)
}
/// -1, 0 or 1 for each lane.
@inlinable public func simd_sign<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint { sign(x) }
/// One over each lane.
@inlinable public func simd_recip<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint { recip(x) }
/// One over the square root of each lane.
@inlinable public func simd_rsqrt<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint { rsqrt(x) }
/// What is left of each lane above the next lower whole number.
@inlinable public func simd_fract<V: SIMD>(_ x: V) -> V where V.Scalar: FloatingPoint { fract(x) }
/// The sum of all lanes, from the first to the last.
@inlinable public func simd_reduce_add<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint { reduce_add(x) }
/// The sum of all lanes, from the first to the last.
@inlinable public func simd_reduce_add<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FixedWidthInteger { reduce_add(x) }
/// The smallest lane.
@inlinable public func simd_reduce_min<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: Comparable { x.min() }
/// The largest lane.
@inlinable public func simd_reduce_max<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: Comparable { x.max() }
/// The sum of the magnitudes of all lanes.
@inlinable public func simd_norm_one<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint { norm_one(x) }
/// The largest magnitude of any lane.
@inlinable public func simd_norm_inf<V: SIMD>(_ x: V) -> V.Scalar where V.Scalar: FloatingPoint { norm_inf(x) }

// Makers of integer vectors.

/// Two lanes, of these parts in order.
@inlinable public func simd_make_int2(_ x: Int32, _ y: Int32) -> simd_int2 { simd_int2(x, y) }
/// Three lanes, of these parts in order.
@inlinable public func simd_make_int3(_ x: Int32, _ y: Int32, _ z: Int32) -> simd_int3 { simd_int3(x, y, z) }
/// Four lanes, of these parts in order.
@inlinable public func simd_make_int4(_ x: Int32, _ y: Int32, _ z: Int32, _ w: Int32) -> simd_int4 {
    simd_int4(x, y, z, w)
}
/// Two lanes, of these parts in order.
@inlinable public func simd_make_uint2(_ x: UInt32, _ y: UInt32) -> simd_uint2 { simd_uint2(x, y) }
/// Three lanes, of these parts in order.
@inlinable public func simd_make_uint3(_ x: UInt32, _ y: UInt32, _ z: UInt32) -> simd_uint3 { simd_uint3(x, y, z) }
/// Four lanes, of these parts in order.
@inlinable public func simd_make_uint4(_ x: UInt32, _ y: UInt32, _ z: UInt32, _ w: UInt32) -> simd_uint4 {
    simd_uint4(x, y, z, w)
}

/// Two lanes, of these parts in order.
@inlinable public func vector2(_ x: Int32, _ y: Int32) -> simd_int2 { simd_int2(x, y) }
/// Three lanes, of these parts in order.
@inlinable public func vector3(_ x: Int32, _ y: Int32, _ z: Int32) -> simd_int3 { simd_int3(x, y, z) }
/// Four lanes, of these parts in order.
@inlinable public func vector4(_ x: Int32, _ y: Int32, _ z: Int32, _ w: Int32) -> simd_int4 { simd_int4(x, y, z, w) }
/// Two lanes, of these parts in order.
@inlinable public func vector2(_ x: UInt32, _ y: UInt32) -> simd_uint2 { simd_uint2(x, y) }
/// Three lanes, of these parts in order.
@inlinable public func vector3(_ x: UInt32, _ y: UInt32, _ z: UInt32) -> simd_uint3 { simd_uint3(x, y, z) }
/// Four lanes, of these parts in order.
@inlinable public func vector4(_ x: UInt32, _ y: UInt32, _ z: UInt32, _ w: UInt32) -> simd_uint4 {
    simd_uint4(x, y, z, w)
}

/// From its four parts. Where literals would fit both, `Float` is meant.
@inlinable public func simd_quaternion(_ ix: Float, _ iy: Float, _ iz: Float, _ r: Float) -> simd_quatf {
    simd_quatf(ix: ix, iy: iy, iz: iz, r: r)
}
/// From its four parts.
@_disfavoredOverload @inlinable public func simd_quaternion(
    _ ix: Double, _ iy: Double, _ iz: Double, _ r: Double
) -> simd_quatd { simd_quatd(ix: ix, iy: iy, iz: iz, r: r) }
