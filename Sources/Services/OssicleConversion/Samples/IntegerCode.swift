/// Integers of 1 ... 32 bits in words of as many bytes or more, signed or offset binary, at the low or the high end of the word.
///
/// −2^(b−1) is −1. Reading is exact. Writing takes the nearest integer, ties to even, clamps what is beyond the range and makes NaN 0.
struct IntegerCode<Word: SampleWord>: SampleCode {
    /// From the bits' place in the word to the high end of 32 bits.
    private let toTop: UInt32
    /// Drops what is below the bits.
    private let mask: UInt32
    /// Turns offset binary into two's complement.
    private let flip: UInt32
    private let scale: Double
    private let highest: Double
    /// Adds the offset of offset binary.
    private let offset: UInt32
    private let fromBottom: UInt32

    init(bits: Int, isSigned: Bool, isAlignedHigh: Bool) {
        let unused = UInt32(clamping: 8 * Word.byteCount - bits)
        toTop = UInt32(clamping: 32 - bits) - (isAlignedHigh ? unused : 0)
        mask = UInt32.max << UInt32(clamping: 32 - bits)
        flip = isSigned ? 0 : 1 << 31
        scale = Double(UInt64(1) << UInt64(clamping: bits - 1))
        highest = scale - 1
        offset = isSigned ? 0 : 1 << UInt32(clamping: bits - 1)
        fromBottom = isAlignedHigh ? unused : 0
    }

    static var byteCount: Int { Word.byteCount }

    func decode(_ source: UnsafeRawPointer) -> Double {
        let top = (Word.load(source) &<< toTop) & mask ^ flip
        return Double(Int32(bitPattern: top)) * 0x1p-31
    }

    func encode(_ sample: Double, _ target: UnsafeMutableRawPointer) {
        // Comparisons in this order let NaN fall through as it is. Adding 1.5·2^52 then leaves the nearest integer, ties to even, in the low bits.
        var scaled = sample * scale
        scaled = scaled < -scale ? -scale : scaled
        scaled = scaled > highest ? highest : scaled
        scaled = scaled == scaled ? scaled : 0
        let integer = UInt32(truncatingIfNeeded: (scaled + 0x1.8p52).bitPattern)
        Word.store((integer &+ offset) &<< fromBottom, target)
    }
}
