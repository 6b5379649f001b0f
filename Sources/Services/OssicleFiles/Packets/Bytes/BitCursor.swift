/// Takes bits out of memory, most significant first; beyond the end they are zeros, which `isBeyondEnd` tells.
struct BitCursor {
    private let bytes: UnsafeRawBufferPointer
    /// In bits.
    var position = 0

    init(_ bytes: UnsafeRawBufferPointer, at position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    var isBeyondEnd: Bool { position > bytes.count * 8 }

    /// The next 57 bits or more, at the high end of the word.
    private var word: UInt64 {
        let index = position >> 3
        if index + 8 <= bytes.count {
            return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) << UInt64(position & 7)
        }
        var value: UInt64 = 0
        for step in 0..<8 { value = value << 8 | (index + step < bytes.count ? UInt64(bytes[index + step]) : 0) }
        return value << UInt64(position & 7)
    }

    /// A number of up to 32 bits.
    mutating func read(_ count: Int) -> UInt32 {
        guard count > 0 else { return 0 }
        let value = word >> UInt64(64 - count)
        position += count
        return UInt32(truncatingIfNeeded: value)
    }

    mutating func flag() -> Bool { read(1) == 1 }

    /// Passes over zeros and the one behind them; false when the memory ends first.
    mutating func skipUnary() -> Bool {
        while !isBeyondEnd {
            let zeros = word.leadingZeroBitCount
            if zeros < 57 {
                position += zeros + 1
                return !isBeyondEnd
            }
            position += 57
        }
        return false
    }
}
