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
        guard cursor.name() == "OggS", cursor.big(UInt8.self) == 0, let flags = cursor.big(UInt8.self), let granule = cursor.little(Int64.self),
              let serial = cursor.little(UInt32.self), let sequence = cursor.little(UInt32.self), let sum = cursor.little(UInt32.self),
              let count = cursor.big(UInt8.self) else { return .none }
        guard let segments = cursor.take(Int(count)) else { return .incomplete(headerSize + Int(count)) }
        let page = OggPage(isContinued: flags & 1 != 0, isFirst: flags & 2 != 0, isLast: flags & 4 != 0, granule: granule, serial: serial, sequence: sequence,
                           segments: Array(segments))
        guard bytes.count >= page.byteCount else { return .incomplete(page.byteCount) }
        return checksum(UnsafeRawBufferPointer(rebasing: bytes[..<page.byteCount])) == sum ? .page(page) : .none
    }

    /// The bytes of a page with `body`.
    static func bytes(flags: UInt8, granule: Int64, serial: UInt32, sequence: UInt32, segments: [UInt8], body: [UInt8]) -> [UInt8] {
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
