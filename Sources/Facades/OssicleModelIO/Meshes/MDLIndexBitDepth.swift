import Foundation

/// How wide an index is.
public enum MDLIndexBitDepth: UInt, Sendable {
    case invalid = 0
    case uInt8 = 8
    case uInt16 = 16
    case uInt32 = 32

    /// The same under lower-case names.
    public static var uint8: MDLIndexBitDepth { .uInt8 }
    public static var uint16: MDLIndexBitDepth { .uInt16 }
    public static var uint32: MDLIndexBitDepth { .uInt32 }
}

extension MDLIndexBitDepth {
    var byteCount: Int { Int(rawValue / 8) }

    /// The largest index that fits.
    var largest: UInt32 {
        switch self {
        case .invalid: 0
        case .uInt8: UInt32(UInt8.max)
        case .uInt16: UInt32(UInt16.max)
        case .uInt32: .max
        }
    }

    /// The narrowest width for the vertices of a generated mesh: 16 bits, or 32 if those do not reach.
    static func reaching(vertexCount: Int) -> MDLIndexBitDepth { vertexCount <= 1 << 16 ? .uInt16 : .uInt32 }

    func read(_ bytes: UnsafeRawPointer) -> UInt32 {
        switch self {
        case .invalid: 0
        case .uInt8: UInt32(bytes.loadUnaligned(as: UInt8.self))
        case .uInt16: UInt32(bytes.loadUnaligned(as: UInt16.self))
        case .uInt32: bytes.loadUnaligned(as: UInt32.self)
        }
    }

    /// Indices as bytes; those that do not fit become the largest that does.
    func data(of indices: [UInt32]) -> Data {
        switch self {
        case .invalid: Data()
        case .uInt8: indices.map(UInt8.init(clamping:)).withUnsafeBytes { Data($0) }
        case .uInt16: indices.map(UInt16.init(clamping:)).withUnsafeBytes { Data($0) }
        case .uInt32: indices.withUnsafeBytes { Data($0) }
        }
    }
}
