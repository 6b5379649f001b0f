/// The pages of an Ogg stream (RFC 3533).
enum OggPages {
    /// The same pages with checksums that fit what is in them.
    static func withRightChecksums(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes, start = 0
        while start + 27 <= bytes.count {
            guard bytes[start..<start + 4].elementsEqual("OggS".utf8) else {
                start += 1
                continue
            }
            let segments = Int(bytes[start + 26]), table = start + 27..<min(start + 27 + segments, bytes.count)
            let end = min(start + 27 + segments + bytes[table].reduce(0) { $0 + Int($1) }, bytes.count)
            for index in 22..<26 { bytes[start + index] = 0 }
            let sum = bytes[start..<end].reduce(UInt32(0)) { $0 << 8 ^ Self.table[Int(UInt8($0 >> 24) ^ $1)] }
            for index in 0..<4 { bytes[start + 22 + index] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * index)) }
            start = end
        }
        return bytes
    }

    /// Remainders of the generator 0x04C11DB7.
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { sum, _ in sum >> 31 == 1 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
}
