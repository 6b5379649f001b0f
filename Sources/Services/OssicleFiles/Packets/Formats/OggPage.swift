// Pages of Ogg.

/// One page (RFC 3533, 6), checked by its checksum.
struct OggPage {
    enum Found { case page(OggPage), incomplete(Int), none }

    let isContinued: Bool
    let isFirst: Bool
    let isLast: Bool
    /// What the codec counts, at the end of the last packet that ends here; -1 when none does.
    let granule: Int64
    let serial: UInt32
    let sequence: UInt32
    /// Sizes of the segments; one below 255 ends a packet.
    let segments: [UInt8]

    var headerSize: Int { Self.headerSize + segments.count }
    var byteCount: Int { headerSize + segments.reduce(0) { $0 + Int($1) } }
    static let headerSize = 27

    static func read(_ bytes: UnsafeRawBufferPointer) -> Found {
        guard bytes.count >= headerSize else { return .incomplete(headerSize) }
        var cursor = ByteCursor(bytes)
        guard cursor.name() == "OggS", cursor.big(UInt8.self) == 0, let flags = cursor.big(UInt8.self),
            let granule = cursor.little(Int64.self),
            let serial = cursor.little(UInt32.self), let sequence = cursor.little(UInt32.self),
            let sum = cursor.little(UInt32.self),
            let count = cursor.big(UInt8.self)
        else { return .none }
        guard let segments = cursor.take(Int(count)) else { return .incomplete(headerSize + Int(count)) }
        let page = OggPage(
            isContinued: flags & 1 != 0, isFirst: flags & 2 != 0, isLast: flags & 4 != 0, granule: granule,
            serial: serial, sequence: sequence,
            segments: Array(segments))
        guard bytes.count >= page.byteCount else { return .incomplete(page.byteCount) }
        return checksum(UnsafeRawBufferPointer(rebasing: bytes[..<page.byteCount])) == sum ? .page(page) : .none
    }

    /// The bytes of a page with `body`.
    static func bytes(
        flags: UInt8, granule: Int64, serial: UInt32, sequence: UInt32, segments: [UInt8], body: [UInt8]
    ) -> [UInt8] {
        var head = ByteBuilder()
        head.name("OggS")
        head.append([0, flags])
        head.little(granule)
        head.little(serial)
        head.little(sequence)
        var tail = ByteBuilder()
        tail.append([UInt8(segments.count)])
        tail.append(segments)
        tail.append(body)
        let sum = (head.bytes + [0, 0, 0, 0] + tail.bytes).withUnsafeBytes { Checksum.ogg($0) }
        head.little(sum)
        return head.bytes + tail.bytes
    }

    /// The checksum of a page, its own place taken as zeros.
    private static func checksum(_ page: UnsafeRawBufferPointer) -> UInt32 {
        let start = Checksum.ogg(UnsafeRawBufferPointer(rebasing: page[..<22]))
        let zeros = withUnsafeBytes(of: UInt32(0)) { Checksum.ogg($0, from: start) }
        return Checksum.ogg(UnsafeRawBufferPointer(rebasing: page[26...]), from: zeros)
    }
}

/// Cyclic redundancy checks, most significant bit first, starting at zero.
enum Checksum {
    /// Over the header of a FLAC frame: x⁸ + x² + x + 1 (RFC 9639, 9.1.8).
    static func crc8(_ bytes: some Sequence<UInt8>) -> UInt8 {
        bytes.reduce(0) { crc8Table[Int($0 ^ $1)] }
    }

    /// Over a FLAC frame: x¹⁶ + x¹⁵ + x² + 1 (RFC 9639, 9.3).
    static func crc16(_ bytes: UnsafeRawBufferPointer) -> UInt16 {
        var sum: UInt16 = 0
        crc16Table.withUnsafeBufferPointer { table in
            for byte in bytes { sum = sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 8) ^ byte)] }
        }
        return sum
    }

    /// Over an Ogg page with its checksum as zeros: the polynomial 0x04C11DB7 (RFC 3533, 6). `sum` continues another
    /// piece.
    static func ogg(_ bytes: UnsafeRawBufferPointer, from sum: UInt32 = 0) -> UInt32 {
        var sum = sum
        oggTable.withUnsafeBufferPointer { table in
            for byte in bytes { sum = sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)] }
        }
        return sum
    }

    private static let crc8Table: [UInt8] = (0..<256).map { index in
        (0..<8).reduce(UInt8(index)) { sum, _ in sum & 0x80 != 0 ? sum << 1 ^ 0x07 : sum << 1 }
    }
    private static let crc16Table: [UInt16] = (0..<256).map { index in
        (0..<8).reduce(UInt16(index) << 8) { sum, _ in sum & 0x8000 != 0 ? sum << 1 ^ 0x8005 : sum << 1 }
    }
    private static let oggTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
}
