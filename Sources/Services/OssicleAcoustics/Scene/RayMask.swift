import OssicleCore

/// A bit for each of up to 128 rays.
typealias RayMask = SIMD2<UInt64>

extension RayMask {
    @inline(__always) var isEmpty: Bool { x | y == 0 }
    /// Of a mask that is not empty.
    var firstBit: Int { x != 0 ? x.trailingZeroBitCount : 64 + y.trailingZeroBitCount }

    /// One bit alone.
    @inline(__always)
    init(bit: Int) {
        let isLow: UInt64 = bit < 64 ? 1 : 0
        self.init(isLow << UInt64(bit & 63), (1 &- isLow) << UInt64(bit & 63))
    }

    @inline(__always) mutating func set(_ bit: Int) { self |= RayMask(bit: bit) }

    @inline(__always)
    func holds(_ bit: Int) -> Bool { (bit < 64 ? x : y) >> UInt64(bit & 63) & 1 != 0 }

    @inline(__always) mutating func remove(_ bit: Int) { self &= ~RayMask(bit: bit) }

    @inline(__always)
    func forEachBit(_ visit: (Int) -> Void) {
        var word = x
        while word != 0 {
            visit(word.trailingZeroBitCount)
            word &= word - 1
        }
        word = y
        while word != 0 {
            visit(64 + word.trailingZeroBitCount)
            word &= word - 1
        }
    }
}
