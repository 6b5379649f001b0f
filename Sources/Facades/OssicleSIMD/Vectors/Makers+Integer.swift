// Makers of integer vectors.

@inlinable public func simd_make_int2(_ x: Int32, _ y: Int32) -> simd_int2 { simd_int2(x, y) }
@inlinable public func simd_make_int3(_ x: Int32, _ y: Int32, _ z: Int32) -> simd_int3 { simd_int3(x, y, z) }
@inlinable public func simd_make_int4(_ x: Int32, _ y: Int32, _ z: Int32, _ w: Int32) -> simd_int4 { simd_int4(x, y, z, w) }
@inlinable public func simd_make_uint2(_ x: UInt32, _ y: UInt32) -> simd_uint2 { simd_uint2(x, y) }
@inlinable public func simd_make_uint3(_ x: UInt32, _ y: UInt32, _ z: UInt32) -> simd_uint3 { simd_uint3(x, y, z) }
@inlinable public func simd_make_uint4(_ x: UInt32, _ y: UInt32, _ z: UInt32, _ w: UInt32) -> simd_uint4 { simd_uint4(x, y, z, w) }

@inlinable public func vector2(_ x: Int32, _ y: Int32) -> simd_int2 { simd_int2(x, y) }
@inlinable public func vector3(_ x: Int32, _ y: Int32, _ z: Int32) -> simd_int3 { simd_int3(x, y, z) }
@inlinable public func vector4(_ x: Int32, _ y: Int32, _ z: Int32, _ w: Int32) -> simd_int4 { simd_int4(x, y, z, w) }
@inlinable public func vector2(_ x: UInt32, _ y: UInt32) -> simd_uint2 { simd_uint2(x, y) }
@inlinable public func vector3(_ x: UInt32, _ y: UInt32, _ z: UInt32) -> simd_uint3 { simd_uint3(x, y, z) }
@inlinable public func vector4(_ x: UInt32, _ y: UInt32, _ z: UInt32, _ w: UInt32) -> simd_uint4 { simd_uint4(x, y, z, w) }
