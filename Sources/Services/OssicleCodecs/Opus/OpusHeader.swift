import OssicleChannels

/// The identification header of an Opus stream (RFC 7845, 5.1).
package struct OpusHeader: Equatable, Sendable {
    package var channelCount: Int
    /// Frames at 48 kHz to drop at the beginning.
    package var preSkip: Int
    /// The rate of what was encoded, in hertz; 0 when not stated.
    package var inputSampleRate: Int
    /// In 1/256 dB, to apply to what is decoded.
    package var outputGain = 0
    /// 0: one or two channels; 1: the order of Vorbis; 255: no order.
    package var mappingFamily: Int
    /// Opus streams in a packet, and how many of them have two channels.
    package var streamCount: Int
    package var coupledCount: Int
    /// For each channel which coded one it is; 255 is silence.
    package var mapping: [UInt8]

    package init(
        channelCount: Int, preSkip: Int, inputSampleRate: Int, mappingFamily: Int, streamCount: Int, coupledCount: Int,
        mapping: [UInt8]
    ) {
        self.channelCount = channelCount
        self.preSkip = preSkip
        self.inputSampleRate = inputSampleRate
        self.mappingFamily = mappingFamily
        self.streamCount = streamCount
        self.coupledCount = coupledCount
        self.mapping = mapping
    }

    /// One stream of one or two channels, as when there is no header.
    package init(plainChannels channelCount: Int) {
        self.init(
            channelCount: channelCount, preSkip: 0, inputSampleRate: 0, mappingFamily: 0, streamCount: 1,
            coupledCount: channelCount - 1,
            mapping: (0..<channelCount).map { UInt8($0) })
    }

    /// Reads a header; `nil` when the bytes are none or no decoder can follow it.
    package init?(cookie: [UInt8]) {
        self.init(identification: cookie)
        let coded = streamCount + coupledCount
        let isInRange = mapping.allSatisfy { $0 == 255 || Int($0) < coded }
        guard mapping.count == channelCount, streamCount > 0, coupledCount <= streamCount, coded <= 255, isInRange
        else { return nil }
    }

    /// Reads a header that may have a mapping no decoder can follow, or none where it has to have one; `nil` when the
    /// bytes are no header.
    package init?(identification bytes: [UInt8]) {
        guard bytes.count >= 19, bytes.starts(with: "OpusHead".utf8), bytes[8] & 0xF0 == 0, bytes[9] > 0 else {
            return nil
        }
        func little(_ range: Range<Int>) -> Int { range.reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) } }
        let channels = Int(bytes[9])
        self.init(plainChannels: min(channels, 2))
        channelCount = channels
        preSkip = little(10..<12)
        inputSampleRate = little(12..<16)
        outputGain = Int(Int16(truncatingIfNeeded: little(16..<18)))
        mappingFamily = Int(bytes[18])
        guard mappingFamily > 0 else { return }
        mapping = []
        guard bytes.count >= 21 + channels else { return }
        streamCount = Int(bytes[19])
        coupledCount = Int(bytes[20])
        mapping = Array(bytes[21..<21 + channels])
    }

    package var bytes: [UInt8] {
        func little(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let start =
            Array("OpusHead".utf8) + [1, UInt8(truncatingIfNeeded: channelCount)] + little(preSkip, 2)
            + little(inputSampleRate, 4)
            + little(outputGain, 2) + [UInt8(truncatingIfNeeded: mappingFamily)]
        return mappingFamily == 0
            ? start
            : start + [UInt8(truncatingIfNeeded: streamCount), UInt8(truncatingIfNeeded: coupledCount)] + mapping
    }
}

extension OpusHeader {
    /// The stream that begins with this header, whose bytes are `cookie`. Only mapping family 1 names the channels.
    package func format(cookie: [UInt8]) -> PacketFormat {
        PacketFormat(
            codec: .opus, sampleRate: 48_000, channelCount: channelCount, cookie: cookie,
            channelLabels: mappingFamily == 1 && channelCount > 2 ? ChannelOrder.vorbis(channelCount) : nil)
    }

    /// Frames of a packet at 48 kHz, by its first two bytes (RFC 6716, 3.1); 0 when it makes no sense.
    package static func frames(of packet: [UInt8]) -> Int {
        guard let first = packet.first else { return 0 }
        let configuration = Int(first >> 3), size: Int
        switch configuration {
        case 0..<12: size = [480, 960, 1920, 2880][configuration % 4]
        case 12..<16: size = configuration % 2 == 0 ? 480 : 960
        default: size = 120 << (configuration % 4)
        }
        let count = first & 3 == 0 ? 1 : first & 3 < 3 ? 2 : packet.count > 1 ? Int(packet[1] & 63) : 0
        return count * size <= 5760 ? count * size : 0
    }
}
