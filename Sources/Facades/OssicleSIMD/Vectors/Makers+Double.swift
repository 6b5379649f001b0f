// Makers of `Double` vectors: parts in order; a short argument is continued with zeros, a long one is cut.

@inlinable public func simd_make_double2(_ x: Double, _ y: Double) -> simd_double2 { simd_double2(x, y) }
@inlinable public func simd_make_double2(_ other: Double) -> simd_double2 { simd_double2(other, 0) }
@inlinable public func simd_make_double2(_ other: simd_double2) -> simd_double2 { other }
@inlinable public func simd_make_double2(_ other: simd_double3) -> simd_double2 { simd_double2(other.x, other.y) }
@inlinable public func simd_make_double2(_ other: simd_double4) -> simd_double2 { simd_double2(other.x, other.y) }

@inlinable public func simd_make_double3(_ x: Double, _ y: Double, _ z: Double) -> simd_double3 { simd_double3(x, y, z) }
@inlinable public func simd_make_double3(_ x: Double, _ yz: simd_double2) -> simd_double3 { simd_double3(x, yz.x, yz.y) }
@inlinable public func simd_make_double3(_ xy: simd_double2, _ z: Double) -> simd_double3 { simd_double3(xy, z) }
@inlinable public func simd_make_double3(_ other: Double) -> simd_double3 { simd_double3(other, 0, 0) }
@inlinable public func simd_make_double3(_ other: simd_double2) -> simd_double3 { simd_double3(other, 0) }
@inlinable public func simd_make_double3(_ other: simd_double3) -> simd_double3 { other }
@inlinable public func simd_make_double3(_ other: simd_double4) -> simd_double3 { simd_double3(other.x, other.y, other.z) }

@inlinable public func simd_make_double4(_ x: Double, _ y: Double, _ z: Double, _ w: Double) -> simd_double4 { simd_double4(x, y, z, w) }
@inlinable public func simd_make_double4(_ x: Double, _ y: Double, _ zw: simd_double2) -> simd_double4 { simd_double4(x, y, zw.x, zw.y) }
@inlinable public func simd_make_double4(_ x: Double, _ yz: simd_double2, _ w: Double) -> simd_double4 { simd_double4(x, yz.x, yz.y, w) }
@inlinable public func simd_make_double4(_ xy: simd_double2, _ z: Double, _ w: Double) -> simd_double4 { simd_double4(xy.x, xy.y, z, w) }
@inlinable public func simd_make_double4(_ x: Double, _ yzw: simd_double3) -> simd_double4 { simd_double4(x, yzw.x, yzw.y, yzw.z) }
@inlinable public func simd_make_double4(_ xy: simd_double2, _ zw: simd_double2) -> simd_double4 { simd_double4(lowHalf: xy, highHalf: zw) }
@inlinable public func simd_make_double4(_ xyz: simd_double3, _ w: Double) -> simd_double4 { simd_double4(xyz, w) }
@inlinable public func simd_make_double4(_ other: Double) -> simd_double4 { simd_double4(other, 0, 0, 0) }
@inlinable public func simd_make_double4(_ other: simd_double2) -> simd_double4 { simd_double4(other.x, other.y, 0, 0) }
@inlinable public func simd_make_double4(_ other: simd_double3) -> simd_double4 { simd_double4(other, 0) }
@inlinable public func simd_make_double4(_ other: simd_double4) -> simd_double4 { other }

@inlinable public func vector2(_ x: Double, _ y: Double) -> simd_double2 { simd_double2(x, y) }
@inlinable public func vector3(_ x: Double, _ y: Double, _ z: Double) -> simd_double3 { simd_double3(x, y, z) }
@inlinable public func vector3(_ xy: simd_double2, _ z: Double) -> simd_double3 { simd_double3(xy, z) }
@inlinable public func vector4(_ x: Double, _ y: Double, _ z: Double, _ w: Double) -> simd_double4 { simd_double4(x, y, z, w) }
@inlinable public func vector4(_ xyz: simd_double3, _ w: Double) -> simd_double4 { simd_double4(xyz, w) }
