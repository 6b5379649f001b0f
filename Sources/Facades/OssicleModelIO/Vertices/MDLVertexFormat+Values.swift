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
        for index in 0..<componentCount { Self.write(value[index], kind, bytes + index * kind.byteCount) }
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

    private static func write(_ value: Double, _ kind: Kind, _ bytes: UnsafeMutableRawPointer) {
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
