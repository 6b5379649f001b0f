/// Reads numbers of any width from bytes, most significant bit first. Behind the end there are zeros, and `isPastEnd` tells: a parser
/// reads on without a check at every step and asks once.
struct BitReader {
    private let bytes: UnsafeRawBufferPointer
    /// Bits from the start.
    private(set) var position = 0

    /// The bytes must stay valid while the reader is used.
    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var bitsLeft: Int { bytes.count * 8 - position }
    var isPastEnd: Bool { bitsLeft < 0 }

    /// The next 32 bits, without going on.
    @inline(__always) func peek32() -> UInt32 {
        let byte = position >> 3
        if byte &+ 8 <= bytes.count {
            let window = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: byte, as: UInt64.self))
            return UInt32(truncatingIfNeeded: (window << UInt64(position & 7)) >> 32)
        }
        return peekNearEnd(byte)
    }

    @inline(never) private func peekNearEnd(_ byte: Int) -> UInt32 {
        var window: UInt64 = 0
        for index in byte..<byte + 5 { window = window << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
        return UInt32(truncatingIfNeeded: window >> UInt64(8 - position & 7))
    }

    /// Goes on by `count` bits; far behind the end it stands still.
    @inline(__always) mutating func skip(_ count: Int) {
        if position <= bytes.count * 8 { position &+= count }
    }

    /// The next `count` (0 ... 32) bits as a number.
    @inline(__always) mutating func read(_ count: Int) -> UInt32 {
        defer { skip(count) }
        return count == 0 ? 0 : peek32() >> UInt32(32 - count)
    }

    /// The next `count` (1 ... 32) bits as a number with a sign, in two's complement.
    @inline(__always) mutating func readSigned(_ count: Int) -> Int32 {
        defer { skip(count) }
        return Int32(bitPattern: peek32()) >> Int32(32 - count)
    }
}
