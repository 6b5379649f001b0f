// `import simd` brings the mathematics of C: `sinf`, `powf`, `M_PI` and so on. On Apple's systems simd's own header
// includes them.
#if canImport(Darwin)
@_exported import Darwin
#elseif canImport(Glibc)
@_exported import Glibc
#elseif canImport(Musl)
@_exported import Musl
#elseif canImport(Android)
@_exported import Android
#elseif os(Windows)
@_exported import ucrt
#endif

// The C names of the standard library's vectors.

/// Two, three and four `Float` lanes.
public typealias simd_float2 = SIMD2<Float>
/// Three `Float` lanes.
public typealias simd_float3 = SIMD3<Float>
/// Four `Float` lanes.
public typealias simd_float4 = SIMD4<Float>

/// Two, three and four `Double` lanes.
public typealias simd_double2 = SIMD2<Double>
/// Three `Double` lanes.
public typealias simd_double3 = SIMD3<Double>
/// Four `Double` lanes.
public typealias simd_double4 = SIMD4<Double>

/// Two, three and four `Int32` lanes.
public typealias simd_int2 = SIMD2<Int32>
/// Three `Int32` lanes.
public typealias simd_int3 = SIMD3<Int32>
/// Four `Int32` lanes.
public typealias simd_int4 = SIMD4<Int32>

/// Two, three and four `UInt32` lanes.
public typealias simd_uint2 = SIMD2<UInt32>
/// Three `UInt32` lanes.
public typealias simd_uint3 = SIMD3<UInt32>
/// Four `UInt32` lanes.
public typealias simd_uint4 = SIMD4<UInt32>

/// The same vectors under the names older interfaces use.
public typealias vector_float2 = SIMD2<Float>
/// Three `Float` lanes.
public typealias vector_float3 = SIMD3<Float>
/// Four `Float` lanes.
public typealias vector_float4 = SIMD4<Float>
/// Two `Double` lanes.
public typealias vector_double2 = SIMD2<Double>
/// Three `Double` lanes.
public typealias vector_double3 = SIMD3<Double>
/// Four `Double` lanes.
public typealias vector_double4 = SIMD4<Double>
/// Two `Int32` lanes.
public typealias vector_int2 = SIMD2<Int32>
/// Three `Int32` lanes.
public typealias vector_int3 = SIMD3<Int32>
/// Four `Int32` lanes.
public typealias vector_int4 = SIMD4<Int32>
/// Two `UInt32` lanes.
public typealias vector_uint2 = SIMD2<UInt32>
/// Three `UInt32` lanes.
public typealias vector_uint3 = SIMD3<UInt32>
/// Four `UInt32` lanes.
public typealias vector_uint4 = SIMD4<UInt32>

/// The short names of the first Swift overlay. Prefer `SIMD3<Float>` in new code.
public typealias float2 = SIMD2<Float>
/// Three `Float` lanes.
public typealias float3 = SIMD3<Float>
/// Four `Float` lanes.
public typealias float4 = SIMD4<Float>
/// Two `Double` lanes.
public typealias double2 = SIMD2<Double>
/// Three `Double` lanes.
public typealias double3 = SIMD3<Double>
/// Four `Double` lanes.
public typealias double4 = SIMD4<Double>

// The other names of the matrices, and the identities.

/// `simd_float3x3`, under a shorter name.
public typealias float3x3 = simd_float3x3
/// `simd_float4x4`, under a shorter name.
public typealias float4x4 = simd_float4x4
/// `simd_double3x3`, under a shorter name.
public typealias double3x3 = simd_double3x3
/// `simd_double4x4`, under a shorter name.
public typealias double4x4 = simd_double4x4
/// `simd_float3x3`, under an older name.
public typealias matrix_float3x3 = simd_float3x3
/// `simd_float4x4`, under an older name.
public typealias matrix_float4x4 = simd_float4x4
/// `simd_double3x3`, under an older name.
public typealias matrix_double3x3 = simd_double3x3
/// `simd_double4x4`, under an older name.
public typealias matrix_double4x4 = simd_double4x4

/// The matrices that change nothing.
public let matrix_identity_float3x3 = simd_float3x3(1)
/// One on the diagonal, zero elsewhere.
public let matrix_identity_float4x4 = simd_float4x4(1)
/// One on the diagonal, zero elsewhere.
public let matrix_identity_double3x3 = simd_double3x3(1)
/// One on the diagonal, zero elsewhere.
public let matrix_identity_double4x4 = simd_double4x4(1)
