import OssicleCodecs

extension PCMFormat {
    /// The loops over this format's samples; `nil` when there is no such sample.
    var sampleLoops: SampleLoops? { isBigEndian ? loops(BigEndian.self) : loops(LittleEndian.self) }

    @inline(__always)
    private func loops<Order: ByteOrder>(_: Order.Type) -> SampleLoops? {
        switch (kind, bytesPerSample) {
        case (.float, 4): bits == 32 ? SampleLoops(Float32Code<Order>()) : nil
        case (.float, 8): bits == 64 ? SampleLoops(Float64Code<Order>()) : nil
        case (.float, _): nil
        case (_, 1): integers(Word<UInt8, Order>.self)
        case (_, 2): integers(Word<UInt16, Order>.self)
        case (_, 3): integers(ThreeBytes<Order>.self)
        case (_, 4): integers(Word<UInt32, Order>.self)
        default: nil
        }
    }

    @inline(__always)
    private func integers<Word: SampleWord>(_: Word.Type) -> SampleLoops? {
        guard bits >= 1, bits <= 8 * Word.byteCount else { return nil }
        return SampleLoops(IntegerCode<Word>(bits: bits, isSigned: kind == .signed, isAlignedHigh: isAlignedHigh))
    }
}
