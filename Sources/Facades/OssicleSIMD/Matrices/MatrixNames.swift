// The other names of the matrices, and the identities.

public typealias float3x3 = simd_float3x3
public typealias float4x4 = simd_float4x4
public typealias double3x3 = simd_double3x3
public typealias double4x4 = simd_double4x4
public typealias matrix_float3x3 = simd_float3x3
public typealias matrix_float4x4 = simd_float4x4
public typealias matrix_double3x3 = simd_double3x3
public typealias matrix_double4x4 = simd_double4x4

/// The matrices that change nothing.
public let matrix_identity_float3x3 = simd_float3x3(1)
public let matrix_identity_float4x4 = simd_float4x4(1)
public let matrix_identity_double3x3 = simd_double3x3(1)
public let matrix_identity_double4x4 = simd_double4x4(1)
