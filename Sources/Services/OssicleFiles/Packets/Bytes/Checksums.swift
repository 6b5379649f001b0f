// The checksums of FLAC and Ogg.

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

    /// Over an Ogg page with its checksum as zeros: the polynomial 0x04C11DB7 (RFC 3533, 6). `sum` goes on from another piece.
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
