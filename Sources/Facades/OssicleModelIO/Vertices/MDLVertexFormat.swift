/// How a vertex attribute is stored: the low byte of the raw value counts the components, the upper part names their kind.
public enum MDLVertexFormat: UInt, Sendable {
    case invalid = 0

    case uChar = 0x10001
    case uChar2 = 0x10002
    case uChar3 = 0x10003
    case uChar4 = 0x10004

    case char = 0x20001
    case char2 = 0x20002
    case char3 = 0x20003
    case char4 = 0x20004

    case uCharNormalized = 0x30001
    case uChar2Normalized = 0x30002
    case uChar3Normalized = 0x30003
    case uChar4Normalized = 0x30004

    case charNormalized = 0x40001
    case char2Normalized = 0x40002
    case char3Normalized = 0x40003
    case char4Normalized = 0x40004

    case uShort = 0x50001
    case uShort2 = 0x50002
    case uShort3 = 0x50003
    case uShort4 = 0x50004

    case short = 0x60001
    case short2 = 0x60002
    case short3 = 0x60003
    case short4 = 0x60004

    case uShortNormalized = 0x70001
    case uShort2Normalized = 0x70002
    case uShort3Normalized = 0x70003
    case uShort4Normalized = 0x70004

    case shortNormalized = 0x80001
    case short2Normalized = 0x80002
    case short3Normalized = 0x80003
    case short4Normalized = 0x80004

    case uInt = 0x90001
    case uInt2 = 0x90002
    case uInt3 = 0x90003
    case uInt4 = 0x90004

    case int = 0xA0001
    case int2 = 0xA0002
    case int3 = 0xA0003
    case int4 = 0xA0004

    case half = 0xB0001
    case half2 = 0xB0002
    case half3 = 0xB0003
    case half4 = 0xB0004

    case float = 0xC0001
    case float2 = 0xC0002
    case float3 = 0xC0003
    case float4 = 0xC0004
}
