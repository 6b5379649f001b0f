/// A name of four characters, as chunks and boxes carry it.
struct FourCC: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    let value: UInt32

    init(_ value: UInt32) { self.value = value }

    init(stringLiteral text: StaticString) {
        value = text.withUTF8Buffer { $0.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// The characters; a question mark for those that are not ASCII.
    var description: String {
        String(decoding: stride(from: 24, through: 0, by: -8).map { shift in
            let byte = UInt8(truncatingIfNeeded: value >> UInt32(shift))
            return (0x20...0x7E).contains(byte) ? byte : 0x3F
        }, as: UTF8.self)
    }
}
