// Numbers out of bytes and into bytes.

/// Takes numbers out of memory, one after the other; `nil` where the memory ends. Copies are cheap and go their own
/// way.
struct ByteCursor {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position: Int

    init(_ bytes: UnsafeRawBufferPointer, from position: Int = 0) {
        self.bytes = bytes
        self.position = min(max(position, 0), bytes.count)
    }

    var remaining: Int { bytes.count - position }

    /// False, and at the end, when there are not so many.
    @discardableResult
    mutating func skip(_ count: Int) -> Bool {
        let isThere = count >= 0 && count <= remaining
        position = isThere ? position + count : bytes.count
        return isThere
    }

    /// The next `count` bytes.
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard count >= 0, count <= remaining else { return nil }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    /// All that remains.
    mutating func rest() -> UnsafeRawBufferPointer {
        defer { position = bytes.count }
        return UnsafeRawBufferPointer(rebasing: bytes[position...])
    }

    /// A number, most significant byte first.
    mutating func big<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T? {
        guard remaining >= MemoryLayout<T>.size else { return nil }
        defer { position += MemoryLayout<T>.size }
        return T(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: T.self))
    }

    /// A number, least significant byte first.
    mutating func little<T: FixedWidthInteger>(_ type: T.Type = T.self) -> T? {
        big(T.self)?.byteSwapped
    }

    mutating func name() -> FourCC? { big(UInt32.self).map { FourCC($0) } }

    /// A number in groups of seven bits, each but the last with its high bit set: at most nine groups.
    mutating func grouped() -> Int64? {
        var value: Int64 = 0
        for _ in 0..<9 {
            guard let byte = big(UInt8.self) else { return nil }
            value = value << 7 | Int64(byte & 0x7F)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }

    /// Text up to a zero byte or the end.
    mutating func text() -> String {
        let field = rest(), end = field.firstIndex(of: 0) ?? field.endIndex
        position = min(bytes.count, bytes.count - field.count + end + 1)
        return String(decoding: field[..<end], as: UTF8.self)
    }
}

/// Bytes that are put together number by number.
struct ByteBuilder {
    private(set) var bytes: [UInt8] = []

    var count: Int { bytes.count }

    mutating func name(_ code: FourCC) { big(code.value) }
    mutating func big(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
    mutating func little(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
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
