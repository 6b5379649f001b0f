/// Bytes that are put together number by number.
struct ByteBuilder {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    mutating func name(_ code: FourCC) { big(code.value) }
    mutating func big(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) } }
    mutating func little(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
    mutating func append(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }
    mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: max(0, count))) }

    /// A number in groups of seven bits, each but the last with its high bit set; at least `width` groups.
    mutating func grouped(_ number: Int64, width: Int = 1) {
        var groups: [UInt8] = [], rest = UInt64(max(0, number))
        repeat {
            groups.append(UInt8(rest & 0x7F) | (groups.isEmpty ? 0 : 0x80))
            rest >>= 7
        } while rest > 0 || groups.count < width
        append(groups.reversed())
    }
}
