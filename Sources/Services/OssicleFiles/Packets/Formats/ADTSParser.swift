// AAC in ADTS.

import OssicleChannels
import OssicleCodecs

/// The header in front of each packet (ISO/IEC 14496-3, 1.A.2.2).
struct ADTSHeader: FrameHeader {
    static let size = 7

    /// What the header tells in the place of an AudioSpecificConfig.
    let configuration: [UInt8]
    let headerSize: Int
    let byteCount: Int
    let blockCount: Int

    init?(_ bytes: UnsafeRawBufferPointer, at position: Int) {
        guard bytes[position] == 0xFF, bytes[position + 1] & 0xF6 == 0xF0 else { return nil }
        let third = bytes[position + 2], fourth = bytes[position + 3], fifth = bytes[position + 4],
            sixth = bytes[position + 5]
        let objectType = third >> 6 + 1, rate = third >> 2 & 15, channels = (third & 1) << 2 | fourth >> 6
        headerSize = bytes[position + 1] & 1 == 1 ? 7 : 9
        byteCount = Int(fourth & 3) << 11 | Int(fifth) << 3 | Int(sixth >> 5)
        blockCount = Int(bytes[position + 6] & 3) + 1
        configuration = [objectType << 3 | rate >> 1, rate << 7 | channels << 3]
        guard rate < 13, byteCount > headerSize else { return nil }
    }

    func isAkin(to other: ADTSHeader) -> Bool { configuration == other.configuration }

    /// The header of a packet of `byteCount` bytes; `nil` when the configuration or the size has none.
    static func bytes(_ configuration: AACConfiguration, byteCount: Int) -> [UInt8]? {
        let config = configuration.audioSpecificConfig, size = byteCount + 7
        let rate = AACConfiguration.sampleRates.firstIndex(of: configuration.coreSampleRate)
        guard config.count >= 2, let rate, (1...4).contains(configuration.objectType),
            (1...7).contains(configuration.channelConfiguration), byteCount >= 0,
            size < 1 << 13
        else { return nil }
        let channels = UInt8(configuration.channelConfiguration)
        return [
            0xFF, 0xF1, UInt8(configuration.objectType - 1) << 6 | UInt8(rate) << 2 | channels >> 2,
            channels << 6 | UInt8(size >> 11),
            UInt8(size >> 3 & 0xFF), UInt8(size & 7) << 5 | 0x1F, 0xFC,
        ]
    }
}

/// A stream of AAC packets, each behind a header, which is no part of the packet.
struct ADTSParser: ContainerParser {
    private var finder = FrameFinder<ADTSHeader>()
    private var average = AveragePackets()

    mutating func step(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) -> ParserStep {
        let isFirst = finder.known == nil
        switch finder.next(window) {
        case .step(let step): return step
        case .frame(let header, let position):
            if isFirst { try report(header, window.offset + Int64(position), window: window, found: found) }
            let frames = AACLayout.framesPerPacket * header.blockCount
            found.packet(
                in: window, at: position + header.headerSize, count: header.byteCount - header.headerSize,
                frames: frames)
            average.add(header.byteCount)
            return .pass(Int64(position + header.byteCount))
        }
    }

    private mutating func report(
        _ header: ADTSHeader, _ offset: Int64, window: ParserWindow, found: ParserFindings
    ) throws(AudioFileError) {
        guard let configuration = AACConfiguration(cookie: header.configuration), configuration.channelCount > 0 else {
            throw window.unsupported(
                "AAC whose header does not tell its channels",
                rule: "ADTS is read with the channel configurations 1 to 7.")
        }
        average.offset = offset
        found.events += [
            .container(.adts), .format(.packets(AACLayout.format(configuration))),
            .data(offset: offset, byteCount: window.fileSize.map { $0 - offset }, packetCount: nil),
        ]
    }

    mutating func restart(at packet: Int64?) { finder.restart() }
    func byteOffset(ofPacket packet: Int64) -> (offset: Int64, isEstimate: Bool)? {
        average.byteOffset(ofPacket: packet)
    }
}

/// AAC as a stream of packets.
enum AACLayout {
    /// Frames of the core in a packet.
    static let framesPerPacket = 1024

    static func format(_ configuration: AACConfiguration) -> PacketFormat {
        PacketFormat(
            codec: configuration.codec, sampleRate: configuration.sampleRate, channelCount: configuration.channelCount,
            framesPerPacket: configuration.framesPerPacket, cookie: configuration.elementaryStreamDescriptor,
            channelLabels: ChannelOrder.aac(configuration: configuration.channelConfiguration))
    }
}
