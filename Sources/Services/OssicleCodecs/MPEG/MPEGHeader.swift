/// The four bytes at the start of each frame of MPEG audio: ISO/IEC 11172-3, 2.4.1.3; 13818-3 for half the rates; a quarter of them is in use by the
/// name of MPEG 2.5.
package struct MPEGHeader: Equatable, Sendable {
    /// 1, 2 or 3.
    package let layer: Int
    /// In hertz.
    package let sampleRate: Int
    package let channelCount: Int
    /// In bits per second; 0 is a free one, told by the distance between frames.
    package let bitRate: Int
    package let framesPerPacket: Int
    /// Bytes of the frame with its header; 0 when the bit rate is free.
    package let byteCount: Int

    /// `nil` when the bytes are no header.
    package init?(_ bytes: some Collection<UInt8>) {
        let head = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let version = head >> 19 & 3, layerBits = head >> 17 & 3, rateIndex = Int(head >> 10 & 3), bitRateIndex = Int(head >> 12 & 15)
        guard bytes.count >= 4, head >> 21 == 0x7FF, version != 1, layerBits != 0, rateIndex < 3, bitRateIndex < 15 else { return nil }
        let isFull = version == 3
        let padding = Int(head >> 9 & 1)
        layer = 4 - Int(layerBits)
        sampleRate = [44_100, 48_000, 32_000][rateIndex] >> (isFull ? 0 : version == 2 ? 1 : 2)
        channelCount = head >> 6 & 3 == 3 ? 1 : 2
        bitRate = 1000 * Self.kilobits(layer, isFull)[bitRateIndex]
        framesPerPacket = layer == 1 ? 384 : layer == 3 && !isFull ? 576 : 1152
        let slot = layer == 1 ? 4 : 1
        byteCount = bitRate == 0 ? 0 : (framesPerPacket / 8 / slot * bitRate / sampleRate + padding) * slot
    }

    private static func kilobits(_ layer: Int, _ isFull: Bool) -> [Int] {
        switch (layer, isFull) {
        case (1, true): [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
        case (2, true): [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
        case (_, true): [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        case (1, false): [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
        default: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
        }
    }
}
