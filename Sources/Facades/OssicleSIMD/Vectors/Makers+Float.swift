// Makers of `Float` vectors: parts in order; a short argument is continued with zeros, a long one is cut.

@inlinable public func simd_make_float2(_ x: Float, _ y: Float) -> simd_float2 { simd_float2(x, y) }
@inlinable public func simd_make_float2(_ other: Float) -> simd_float2 { simd_float2(other, 0) }
@inlinable public func simd_make_float2(_ other: simd_float2) -> simd_float2 { other }
@inlinable public func simd_make_float2(_ other: simd_float3) -> simd_float2 { simd_float2(other.x, other.y) }
@inlinable public func simd_make_float2(_ other: simd_float4) -> simd_float2 { simd_float2(other.x, other.y) }

@inlinable public func simd_make_float3(_ x: Float, _ y: Float, _ z: Float) -> simd_float3 { simd_float3(x, y, z) }
@inlinable public func simd_make_float3(_ x: Float, _ yz: simd_float2) -> simd_float3 { simd_float3(x, yz.x, yz.y) }
@inlinable public func simd_make_float3(_ xy: simd_float2, _ z: Float) -> simd_float3 { simd_float3(xy, z) }
@inlinable public func simd_make_float3(_ other: Float) -> simd_float3 { simd_float3(other, 0, 0) }
@inlinable public func simd_make_float3(_ other: simd_float2) -> simd_float3 { simd_float3(other, 0) }
@inlinable public func simd_make_float3(_ other: simd_float3) -> simd_float3 { other }
@inlinable public func simd_make_float3(_ other: simd_float4) -> simd_float3 { simd_float3(other.x, other.y, other.z) }

@inlinable public func simd_make_float4(_ x: Float, _ y: Float, _ z: Float, _ w: Float) -> simd_float4 { simd_float4(x, y, z, w) }
@inlinable public func simd_make_float4(_ x: Float, _ y: Float, _ zw: simd_float2) -> simd_float4 { simd_float4(x, y, zw.x, zw.y) }
@inlinable public func simd_make_float4(_ x: Float, _ yz: simd_float2, _ w: Float) -> simd_float4 { simd_float4(x, yz.x, yz.y, w) }
@inlinable public func simd_make_float4(_ xy: simd_float2, _ z: Float, _ w: Float) -> simd_float4 { simd_float4(xy.x, xy.y, z, w) }
@inlinable public func simd_make_float4(_ x: Float, _ yzw: simd_float3) -> simd_float4 { simd_float4(x, yzw.x, yzw.y, yzw.z) }
@inlinable public func simd_make_float4(_ xy: simd_float2, _ zw: simd_float2) -> simd_float4 { simd_float4(lowHalf: xy, highHalf: zw) }
@inlinable public func simd_make_float4(_ xyz: simd_float3, _ w: Float) -> simd_float4 { simd_float4(xyz, w) }
@inlinable public func simd_make_float4(_ other: Float) -> simd_float4 { simd_float4(other, 0, 0, 0) }
@inlinable public func simd_make_float4(_ other: simd_float2) -> simd_float4 { simd_float4(other.x, other.y, 0, 0) }
@inlinable public func simd_make_float4(_ other: simd_float3) -> simd_float4 { simd_float4(other, 0) }
@inlinable public func simd_make_float4(_ other: simd_float4) -> simd_float4 { other }

@inlinable public func vector2(_ x: Float, _ y: Float) -> simd_float2 { simd_float2(x, y) }
@inlinable public func vector3(_ x: Float, _ y: Float, _ z: Float) -> simd_float3 { simd_float3(x, y, z) }
@inlinable public func vector3(_ xy: simd_float2, _ z: Float) -> simd_float3 { simd_float3(xy, z) }
@inlinable public func vector4(_ x: Float, _ y: Float, _ z: Float, _ w: Float) -> simd_float4 { simd_float4(x, y, z, w) }
@inlinable public func vector4(_ xyz: simd_float3, _ w: Float) -> simd_float4 { simd_float4(xyz, w) }
