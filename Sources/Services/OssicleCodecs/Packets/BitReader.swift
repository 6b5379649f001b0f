// Numbers of any width, from bytes and into bytes, most significant bit first.

/// Reads numbers from bytes. Behind the end there are zeros, and `isPastEnd` tells: a parser reads on without a check
/// at every step and asks once.
package struct BitReader {
    package let bytes: UnsafeRawBufferPointer
    /// Bits from the start.
    package var position: Int

    /// The bytes must stay valid while the reader is used.
    package init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    @inlinable package var bitsLeft: Int { bytes.count * 8 - position }
    @inlinable package var isPastEnd: Bool { bitsLeft < 0 }

    /// The next 32 bits, without going on.
    @inlinable @inline(__always) package func peek32() -> UInt32 {
        let byte = position >> 3
        if byte &+ 8 <= bytes.count {
            let window = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: byte, as: UInt64.self))
            return UInt32(truncatingIfNeeded: (window << UInt64(position & 7)) >> 32)
        }
        return peekNearEnd(byte)
    }

    @inline(never) @usableFromInline func peekNearEnd(_ byte: Int) -> UInt32 {
        var window: UInt64 = 0
        for index in byte..<byte + 5 { window = window << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
        return UInt32(truncatingIfNeeded: window >> UInt64(8 - position & 7))
    }

    /// Advances by `count` bits; far behind the end it does not move.
    @inlinable @inline(__always) package mutating func skip(_ count: Int) {
        if position <= bytes.count * 8 { position &+= count }
    }

    /// The next `count` (0 ... 32) bits as a number.
    @inlinable @inline(__always) package mutating func read(_ count: Int) -> UInt32 {
        defer { skip(count) }
        return count == 0 ? 0 : peek32() >> UInt32(32 - count)
    }

    /// The next bit.
    @inlinable @inline(__always) package mutating func flag() -> Bool { read(1) == 1 }

    /// The next `count` (1 ... 32) bits as a number with a sign, in two's complement.
    @inlinable @inline(__always) package mutating func readSigned(_ count: Int) -> Int32 {
        defer { skip(count) }
        return Int32(bitPattern: peek32()) >> Int32(32 - count)
    }

    /// Passes over zeros and the one behind them; false when the bytes end first.
    @inlinable package mutating func skipUnary() -> Bool {
        while !isPastEnd {
            let zeros = peek32().leadingZeroBitCount
            skip(zeros < 32 ? zeros + 1 : 32)
            if zeros < 32 { return !isPastEnd }
        }
        return false
    }
}

/// Puts numbers of any width into bytes, most significant bit first.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var pendingCount = 0

    /// Bits written.
    var bitCount: Int { bytes.count * 8 + pendingCount }

    /// Writes the lowest `count` (0 ... 32) bits of `value`.
    @inline(__always) mutating func write(_ value: UInt32, _ count: Int) {
        pending = pending << UInt64(count) | (UInt64(value) & ((1 << UInt64(count)) - 1))
        pendingCount += count
        while pendingCount >= 8 {
            pendingCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: pending >> UInt64(pendingCount)))
        }
    }

    /// Fills the last byte with zeros.
    mutating func align() {
        if pendingCount > 0 { write(0, 8 - pendingCount) }
    }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        (pending, pendingCount) = (0, 0)
    }
}
