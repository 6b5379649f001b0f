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
