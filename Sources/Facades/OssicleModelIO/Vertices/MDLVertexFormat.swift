/// How a vertex attribute is stored: the low byte of the raw value counts the components, the upper part names their
/// kind.
public enum MDLVertexFormat: UInt, Sendable {
    /// None: the attribute is not stored.
    case invalid = 0

    /// One 8-bit integer without sign.
    case uChar = 0x10001
    /// Two 8-bit integers without sign.
    case uChar2 = 0x10002
    /// Three 8-bit integers without sign.
    case uChar3 = 0x10003
    /// Four 8-bit integers without sign.
    case uChar4 = 0x10004

    /// One 8-bit integer.
    case char = 0x20001
    /// Two 8-bit integers.
    case char2 = 0x20002
    /// Three 8-bit integers.
    case char3 = 0x20003
    /// Four 8-bit integers.
    case char4 = 0x20004

    /// One 8-bit integer without sign, divided by the largest: 0 … 1.
    case uCharNormalized = 0x30001
    /// Two 8-bit integers without sign, divided by the largest: 0 … 1.
    case uChar2Normalized = 0x30002
    /// Three 8-bit integers without sign, divided by the largest: 0 … 1.
    case uChar3Normalized = 0x30003
    /// Four 8-bit integers without sign, divided by the largest: 0 … 1.
    case uChar4Normalized = 0x30004

    /// One 8-bit integer, divided by the largest: −1 … 1.
    case charNormalized = 0x40001
    /// Two 8-bit integers, divided by the largest: −1 … 1.
    case char2Normalized = 0x40002
    /// Three 8-bit integers, divided by the largest: −1 … 1.
    case char3Normalized = 0x40003
    /// Four 8-bit integers, divided by the largest: −1 … 1.
    case char4Normalized = 0x40004

    /// One 16-bit integer without sign.
    case uShort = 0x50001
    /// Two 16-bit integers without sign.
    case uShort2 = 0x50002
    /// Three 16-bit integers without sign.
    case uShort3 = 0x50003
    /// Four 16-bit integers without sign.
    case uShort4 = 0x50004

    /// One 16-bit integer.
    case short = 0x60001
    /// Two 16-bit integers.
    case short2 = 0x60002
    /// Three 16-bit integers.
    case short3 = 0x60003
    /// Four 16-bit integers.
    case short4 = 0x60004

    /// One 16-bit integer without sign, divided by the largest: 0 … 1.
    case uShortNormalized = 0x70001
    /// Two 16-bit integers without sign, divided by the largest: 0 … 1.
    case uShort2Normalized = 0x70002
    /// Three 16-bit integers without sign, divided by the largest: 0 … 1.
    case uShort3Normalized = 0x70003
    /// Four 16-bit integers without sign, divided by the largest: 0 … 1.
    case uShort4Normalized = 0x70004

    /// One 16-bit integer, divided by the largest: −1 … 1.
    case shortNormalized = 0x80001
    /// Two 16-bit integers, divided by the largest: −1 … 1.
    case short2Normalized = 0x80002
    /// Three 16-bit integers, divided by the largest: −1 … 1.
    case short3Normalized = 0x80003
    /// Four 16-bit integers, divided by the largest: −1 … 1.
    case short4Normalized = 0x80004

    /// One 32-bit integer without sign.
    case uInt = 0x90001
    /// Two 32-bit integers without sign.
    case uInt2 = 0x90002
    /// Three 32-bit integers without sign.
    case uInt3 = 0x90003
    /// Four 32-bit integers without sign.
    case uInt4 = 0x90004

    /// One 32-bit integer.
    case int = 0xA0001
    /// Two 32-bit integers.
    case int2 = 0xA0002
    /// Three 32-bit integers.
    case int3 = 0xA0003
    /// Four 32-bit integers.
    case int4 = 0xA0004

    /// One 16-bit float (IEEE 754).
    case half = 0xB0001
    /// Two 16-bit floats (IEEE 754).
    case half2 = 0xB0002
    /// Three 16-bit floats (IEEE 754).
    case half3 = 0xB0003
    /// Four 16-bit floats (IEEE 754).
    case half4 = 0xB0004

    /// One 32-bit float.
    case float = 0xC0001
    /// Two 32-bit floats.
    case float2 = 0xC0002
    /// Three 32-bit floats.
    case float3 = 0xC0003
    /// Four 32-bit floats.
    case float4 = 0xC0004
}

/// IEEE 754 binary16, which not every processor's Swift has as a type: 1 sign bit, 5 bits of exponent (bias 15), 10 of
/// fraction.
enum HalfFloat {
    static func value(of bits: UInt16) -> Double {
        let fraction = Double(bits & 0x3FF) / 1024
        let magnitude: Double =
            switch (bits >> 10) & 0x1F {
            case 0: fraction * 0x1p-14
            case 31: fraction == 0 ? .infinity : .nan
            case let exponent: Double(sign: .plus, exponent: Int(exponent) - 15, significand: 1 + fraction)
            }
        return bits >> 15 == 0 ? magnitude : -magnitude
    }

    /// Rounded to nearest, ties to even; infinite beyond 65504.
    static func bits(of value: Double) -> UInt16 {
        let sign: UInt16 = value.sign == .minus ? 0x8000 : 0
        let magnitude = value.magnitude
        if magnitude.isNaN { return 0x7E00 }
        if magnitude >= 65520 { return sign | 0x7C00 }
        // Steps of the finest unit at this size; carrying into the exponent is what rounding up to the next power
        // means.
        let exponent = max(magnitude == 0 ? -14 : Int(magnitude.exponent), -14)
        let steps = Double(sign: .plus, exponent: 10 - exponent, significand: magnitude).rounded(.toNearestOrEven)
        return sign | (UInt16(exponent + 14) << 10) &+ UInt16(steps)
    }
}

/// Components as numbers. Every kind of component fits a `Double` exactly, so that nothing is lost on the way.
extension MDLVertexFormat {
    /// How one component is stored; the raw value is the upper part of the format's.
    private enum Kind: UInt {
        case uChar = 1, char, uCharNormalized, charNormalized
        case uShort, short, uShortNormalized, shortNormalized
        case uInt, int, half, float

        var byteCount: Int {
            switch self {
            case .uChar, .char, .uCharNormalized, .charNormalized: 1
            case .uShort, .short, .uShortNormalized, .shortNormalized, .half: 2
            case .uInt, .int, .float: 4
            }
        }
    }

    var componentCount: Int { Int(rawValue & 0xFF) }

    /// Bytes of one value; 0 for `.invalid`.
    var byteCount: Int { (Kind(rawValue: rawValue >> 16)?.byteCount ?? 0) * componentCount }

    /// The value at `bytes`; components that are not stored are (0, 0, 0, 1).
    func read(_ bytes: UnsafeRawPointer) -> SIMD4<Double> {
        var value = SIMD4<Double>(0, 0, 0, 1)
        guard let kind = Kind(rawValue: rawValue >> 16) else { return value }
        for index in 0..<componentCount { value[index] = Self.read(kind, bytes + index * kind.byteCount) }
        return value
    }

    /// Stores a value, each component rounded and limited to what its kind can hold.
    func write(_ value: SIMD4<Double>, to bytes: UnsafeMutableRawPointer) {
        guard let kind = Kind(rawValue: rawValue >> 16) else { return }
        for index in 0..<componentCount { Self.write(value[index], kind, bytes: bytes + index * kind.byteCount) }
    }

    private static func read(_ kind: Kind, _ bytes: UnsafeRawPointer) -> Double {
        switch kind {
        case .uChar: Double(bytes.loadUnaligned(as: UInt8.self))
        case .char: Double(bytes.loadUnaligned(as: Int8.self))
        case .uCharNormalized: Double(bytes.loadUnaligned(as: UInt8.self)) / 255
        case .charNormalized: max(-1, Double(bytes.loadUnaligned(as: Int8.self)) / 127)
        case .uShort: Double(bytes.loadUnaligned(as: UInt16.self))
        case .short: Double(bytes.loadUnaligned(as: Int16.self))
        case .uShortNormalized: Double(bytes.loadUnaligned(as: UInt16.self)) / 65535
        case .shortNormalized: max(-1, Double(bytes.loadUnaligned(as: Int16.self)) / 32767)
        case .uInt: Double(bytes.loadUnaligned(as: UInt32.self))
        case .int: Double(bytes.loadUnaligned(as: Int32.self))
        case .half: HalfFloat.value(of: bytes.loadUnaligned(as: UInt16.self))
        case .float: Double(bytes.loadUnaligned(as: Float.self))
        }
    }

    private static func write(_ value: Double, _ kind: Kind, bytes: UnsafeMutableRawPointer) {
        switch kind {
        case .uChar: bytes.storeBytes(of: whole(value), as: UInt8.self)
        case .char: bytes.storeBytes(of: whole(value), as: Int8.self)
        case .uCharNormalized: bytes.storeBytes(of: whole(value * 255), as: UInt8.self)
        case .charNormalized: bytes.storeBytes(of: whole(max(-1, value) * 127), as: Int8.self)
        case .uShort: bytes.storeBytes(of: whole(value), as: UInt16.self)
        case .short: bytes.storeBytes(of: whole(value), as: Int16.self)
        case .uShortNormalized: bytes.storeBytes(of: whole(value * 65535), as: UInt16.self)
        case .shortNormalized: bytes.storeBytes(of: whole(max(-1, value) * 32767), as: Int16.self)
        case .uInt: bytes.storeBytes(of: whole(value), as: UInt32.self)
        case .int: bytes.storeBytes(of: whole(value), as: Int32.self)
        case .half: bytes.storeBytes(of: HalfFloat.bits(of: value), as: UInt16.self)
        case .float: bytes.storeBytes(of: Float(value), as: Float.self)
        }
    }

    /// The nearest whole number within the type; 0 for NaN.
    private static func whole<Whole: FixedWidthInteger>(_ value: Double) -> Whole {
        value.isNaN ? 0 : Whole(min(max(value.rounded(), Double(Whole.min)), Double(Whole.max)))
    }
}
