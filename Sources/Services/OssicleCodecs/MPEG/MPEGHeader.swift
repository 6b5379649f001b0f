/// The four bytes at the start of each frame of MPEG audio: ISO/IEC 11172-3, 2.4.1.3; 13818-3 for half the rates; a
/// quarter of them is in use by the name of MPEG 2.5.
package struct MPEGHeader: Equatable, Sendable {
    package static let size = 4

    /// Whether it is MPEG-1, with the full rates.
    package let isVersion1: Bool
    /// 1, 2 or 3.
    package let layer: Int
    /// In hertz.
    package let sampleRate: Int
    package let channelCount: Int
    /// In bits per second; 0 is a free one, known from the distance between frames.
    package let bitRate: Int
    package let framesPerPacket: Int
    /// Bytes of the frame with its header; 0 when the bit rate is free.
    package let byteCount: Int

    package var codec: AudioCodec { layer == 1 ? .mp1 : layer == 2 ? .mp2 : .mp3 }
    /// Bytes between the header and the main data of layer III.
    package var sideInformationSize: Int { isVersion1 ? channelCount == 1 ? 17 : 32 : channelCount == 1 ? 9 : 17 }

    /// `nil` when the bytes are no header.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count >= Self.size else { return nil }
        self.init(bytes.prefix(Self.size).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }

    /// The header in the number of its four bytes; `nil` when it is none.
    package init?(_ head: UInt32) {
        let version = head >> 19 & 3, layerBits = head >> 17 & 3, rateIndex = Int(head >> 10 & 3),
            bitRateIndex = Int(head >> 12 & 15)
        guard head >> 21 == 0x7FF, version != 1, layerBits != 0, rateIndex < 3, bitRateIndex < 15 else { return nil }
        isVersion1 = version == 3
        let padding = Int(head >> 9 & 1)
        layer = 4 - Int(layerBits)
        sampleRate = [44_100, 48_000, 32_000][rateIndex] >> (isVersion1 ? 0 : version == 2 ? 1 : 2)
        channelCount = head >> 6 & 3 == 3 ? 1 : 2
        bitRate = 1000 * Self.kilobits[15 * (isVersion1 ? layer - 1 : layer == 1 ? 3 : 4) + bitRateIndex]
        framesPerPacket = layer == 1 ? 384 : layer == 3 && !isVersion1 ? 576 : 1152
        let slot = layer == 1 ? 4 : 1
        byteCount = bitRate == 0 ? 0 : (framesPerPacket / 8 / slot * bitRate / sampleRate + padding) * slot
    }

    /// In thousands of bits per second, rows of fifteen: layers I, II, III; then layer I and layers II, III at the lower
    /// rates.
    private static let kilobits = [
        0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448,
        0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384,
        0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
        0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256,
        0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160,
    ]
}
