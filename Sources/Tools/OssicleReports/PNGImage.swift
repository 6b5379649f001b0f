/// A PNG (ISO/IEC 15948) of palette indices, one byte each, written without a compression library.
///
/// The pixel data sits in stored deflate blocks (RFC 1951, 3.2.4): larger than compressed, and the same bytes
/// everywhere.
package struct PNGImage {
    package let bytes: [UInt8]

    /// - Parameters:
    ///   - pixels: `width × height` palette indices, rows from the top. - palette: up to 256 colours.
    package init(width: Int, height: Int, pixels: [UInt8], palette: [Colour]) {
        var rows: [UInt8] = []
        rows.reserveCapacity((width + 1) * height)
        for y in 0..<height {
            rows.append(0) // filter: none
            rows.append(contentsOf: pixels[(y * width)..<((y + 1) * width)])
        }
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header = PNGImage.bigEndian(UInt32(width)) + PNGImage.bigEndian(UInt32(height)) + [8, 3, 0, 0, 0]
        bytes += PNGImage.chunk("IHDR", header)
        bytes += PNGImage.chunk("PLTE", palette.prefix(256).flatMap { [$0.red, $0.green, $0.blue] })
        bytes += PNGImage.chunk("IDAT", PNGImage.stored(rows))
        bytes += PNGImage.chunk("IEND", [])
        self.bytes = bytes
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return bigEndian(UInt32(data.count)) + body + bigEndian(cyclicRedundancyCheck(body))
    }

    /// A zlib stream (RFC 1950) of stored blocks of at most 65535 bytes.
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: data.count, by: 65535) {
            let block = data[start..<min(start + 65535, data.count)]
            let length = UInt16(block.count)
            stream.append(start + block.count == data.count ? 1 : 0)
            for value in [length, ~length] { stream += [UInt8(value & 0xFF), UInt8(value >> 8)] }
            stream += block
        }
        return stream + bigEndian(adler32(data))
    }

    private static func adler32(_ data: [UInt8]) -> UInt32 {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in data {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        return b << 16 | a
    }

    private static let redundancyTable: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func cyclicRedundancyCheck(_ data: [UInt8]) -> UInt32 {
        ~data.reduce(0xFFFF_FFFF) { redundancyTable[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) }
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}
