// The header of a frame of MPEG audio.

import OssicleCodecs

/// ISO/IEC 11172-3, 2.4.1.3, and 13818-3, with the rates below those that go by the name of MPEG 2.5.
struct MPEGHeader: FrameHeader {
    static let size = 4

    let isVersion1: Bool
    let layer: Int
    let sampleRate: Int
    /// In bits per second.
    let bitRate: Int
    let channelCount: Int
    let byteCount: Int

    init?(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        let second = bytes[position + 1], third = bytes[position + 2], fourth = bytes[position + 3]
        let version = second >> 3 & 3, layerBits = second >> 1 & 3, bitRateIndex = Int(third >> 4), rateIndex = Int(third >> 2 & 3)
        guard bytes[position] == 0xFF, second & 0xE0 == 0xE0, version != 1, layerBits != 0, (1...14).contains(bitRateIndex), rateIndex < 3 else { return nil }
        isVersion1 = version == 3
        layer = 4 - Int(layerBits)
        sampleRate = [44_100, 48_000, 32_000][rateIndex] >> (version == 3 ? 0 : version == 2 ? 1 : 2)
        bitRate = Self.bitRates[isVersion1 ? layer - 1 : layer == 1 ? 3 : 4][bitRateIndex - 1] * 1000
        channelCount = fourth >> 6 == 3 ? 1 : 2
        let padding = Int(third >> 1 & 1)
        byteCount = layer == 1 ? (12 * bitRate / sampleRate + padding) * 4 : (layer == 3 && !isVersion1 ? 72 : 144) * bitRate / sampleRate + padding
    }

    var framesPerPacket: Int { layer == 1 ? 384 : layer == 3 && !isVersion1 ? 576 : 1152 }
    var codec: AudioCodec { layer == 1 ? .mp1 : layer == 2 ? .mp2 : .mp3 }
    /// Bytes between the header and the main data of layer III.
    var sideInformationSize: Int { isVersion1 ? channelCount == 1 ? 17 : 32 : channelCount == 1 ? 9 : 17 }

    func isAkin(to other: MPEGHeader) -> Bool { layer == other.layer && sampleRate == other.sampleRate && channelCount == other.channelCount }

    /// Whether a frame without a bit rate of its own, as the standard allows, begins at `position`.
    static func isFreeFormat(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count >= 4 && bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 && bytes[1] >> 3 & 3 != 1 && bytes[1] >> 1 & 3 != 0 && bytes[2] >> 4 == 0 && bytes[2] >> 2 & 3 != 3
    }

    /// In thousands of bits per second: layers I, II, III; then layer I and layers II, III at the lower rates.
    private static let bitRates = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448], [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320], [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]
}

/// What encoders tell in a first frame without sound, by the names "Xing", "Info" and "VBRI".
struct MPEGInfoFrame {
    /// Frames of MPEG audio behind this one, and their bytes; `nil` when not told.
    var packetCount: Int64?
    var byteCount: Int64?
    /// Samples the encoder put before and behind the recording; `nil` when not told.
    var delay: Int?
    var padding: Int?

    init?(_ frame: UnsafeRawBufferPointer, _ header: MPEGHeader) {
        guard header.layer == 3 else { return nil }
        var cursor = ByteCursor(frame, from: 4 + header.sideInformationSize), vbri = ByteCursor(frame, from: 36)
        let name = cursor.name()
        if name == "Xing" || name == "Info" { readXing(&cursor) } else if vbri.name() == "VBRI" { readVBRI(&vbri) } else { return nil }
    }

    private mutating func readXing(_ cursor: inout ByteCursor) {
        guard let flags = cursor.big(UInt32.self) else { return }
        if flags & 1 != 0 { packetCount = cursor.big(UInt32.self).map { Int64($0) } }
        if flags & 2 != 0 { byteCount = cursor.big(UInt32.self).map { Int64($0) } }
        if flags & 4 != 0 { cursor.skip(100) }
        if flags & 8 != 0 { cursor.skip(4) }
        guard let encoder = cursor.big(UInt32.self), encoder != 0, cursor.skip(17), let first = cursor.big(UInt8.self), let last = cursor.big(UInt16.self) else { return }
        delay = Int(first) << 4 | Int(last >> 12)
        padding = Int(last & 0xFFF)
    }

    private mutating func readVBRI(_ cursor: inout ByteCursor) {
        cursor.skip(6)
        byteCount = cursor.big(UInt32.self).map { Int64($0) }
        packetCount = cursor.big(UInt32.self).map { Int64($0) }
    }
}
