// What a stream is: samples or packets.

/// A stream of audio.
package enum StreamFormat: Equatable, Sendable {
    case pcm(PCMFormat)
    case packets(PacketFormat)

    /// Frames per second, in hertz.
    package var sampleRate: Double {
        switch self {
        case .pcm(let format): format.sampleRate
        case .packets(let format): format.sampleRate
        }
    }

    package var channelCount: Int {
        switch self {
        case .pcm(let format): format.channelCount
        case .packets(let format): format.channelCount
        }
    }

    package var channelLabels: [UInt32]? {
        switch self {
        case .pcm(let format): format.channelLabels
        case .packets(let format): format.channelLabels
        }
    }
}

extension StreamFormat {
    /// The same stream with its channels named; `nil` where the labels do not fit.
    package func labelled(_ labels: [UInt32]) -> StreamFormat? {
        guard labels.count == channelCount else { return nil }
        switch self {
        case .pcm(var format):
            format.channelLabels = labels
            return .pcm(format)
        case .packets(var format):
            format.channelLabels = labels
            return .packets(format)
        }
    }

    /// The packets, when it is a compressed stream.
    package var packets: PacketFormat? {
        guard case .packets(let format) = self else { return nil }
        return format
    }

    /// Significant bits of a sample; 0 where the coding has no such number.
    package var bits: Int {
        switch self {
        case .pcm(let format): format.bits
        case .packets(let format): format.codec.bitDepth
        }
    }

    /// What a decoder needs besides; empty for linear PCM.
    package var cookie: [UInt8] {
        if case .packets(let format) = self { format.cookie } else { [] }
    }

    /// Whether it is linear PCM.
    package var isPCM: Bool { packets == nil }

    /// Buffers a list for this stream has.
    package var bufferCount: Int {
        switch self {
        case .pcm(let format): format.bufferCount
        case .packets: 1
        }
    }

    /// Channels in each of them.
    package var channelsPerBuffer: Int { bufferCount > 1 ? 1 : channelCount }

    /// Bytes of a packet in one buffer; 0 when packets differ.
    package var bytesPerPacket: Int {
        switch self {
        case .pcm(let format): format.bytesPerFrame
        case .packets(let format): format.bytesPerPacket
        }
    }

    /// Frames of a packet; 0 when packets differ.
    package var framesPerPacket: Int {
        switch self {
        case .pcm: 1
        case .packets(let format): format.framesPerPacket
        }
    }

    /// Whether a client needs descriptions to find the packets.
    package var needsPacketDescriptions: Bool { bytesPerPacket == 0 || framesPerPacket == 0 }

    /// No packet is larger, in bytes; a bound from the codec where packets differ.
    package var largestPacket: Int { bytesPerPacket > 0 ? bytesPerPacket : packets?.largestPacket ?? 0 }

    /// How the coding is called.
    package var name: String {
        switch self {
        case .pcm(let format):
            "Linear PCM, \(format.bits)-bit \(format.isBigEndian ? "big" : "little")-endian "
                + (format.kind == .float
                    ? "floating point" : format.kind == .signed ? "signed integer" : "unsigned integer")
        case .packets(let format): format.codec.descriptor.name
        }
    }

    /// Planar double precision, in which samples travel inside.
    package static func planes(sampleRate: Double, channelCount: Int, channelLabels: [UInt32]?) -> StreamFormat {
        .pcm(PCMFormat(sampleRate: sampleRate, channelCount: channelCount, bits: 64, channelLabels: channelLabels))
    }
}

extension PacketFormat {
    /// Bytes that a packet takes at most: what the standard allows, or the plain samples and a little more for lossless
    /// codings.
    fileprivate var largestPacket: Int {
        if let largest = codec.descriptor.largestPacket(channelCount) { return largest }
        let samples = (framesPerPacket > 0 ? framesPerPacket : 16_384).multipliedReportingOverflow(by: channelCount)
        let plain = samples.partialValue.multipliedReportingOverflow(by: max(codec.bitDepth / 8, 4))
        return samples.overflow || plain.overflow ? 0 : plain.partialValue + 64 * channelCount
    }
}

/// A stream of linear PCM: rate, channels and the form of a sample.
package struct PCMFormat: Equatable, Sendable {
    package enum Kind: Sendable { case float, signed, unsigned }

    /// Frames per second, in hertz.
    package var sampleRate: Double
    package var channelCount: Int
    package var kind: Kind
    /// Significant bits of a sample.
    package var bits: Int
    /// Bytes a sample takes; may be more than its bits need.
    package var bytesPerSample: Int
    package var isBigEndian: Bool
    /// Whether bits that do not fill their bytes lie at the high end.
    package var isAlignedHigh: Bool
    /// Whether the channels of a frame lie side by side in one buffer; otherwise each channel has a buffer of its own.
    package var isInterleaved: Bool
    /// One label per channel, numbered as in the channel layout chunk of the Core Audio Format specification; `nil`
    /// when not stated.
    package var channelLabels: [UInt32]?

    package init(
        sampleRate: Double, channelCount: Int, kind: Kind = .float, bits: Int = 32, bytesPerSample: Int? = nil,
        isBigEndian: Bool = false,
        isAlignedHigh: Bool = false, isInterleaved: Bool = false, channelLabels: [UInt32]? = nil
    ) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.kind = kind
        self.bits = bits
        self.bytesPerSample = bytesPerSample ?? (bits + 7) / 8
        self.isBigEndian = isBigEndian
        self.isAlignedHigh = isAlignedHigh
        self.isInterleaved = isInterleaved
        self.channelLabels = channelLabels
    }

    /// Buffers a piece of this stream consists of.
    package var bufferCount: Int { isInterleaved ? 1 : channelCount }
    /// Bytes of a frame in one of them.
    package var bytesPerFrame: Int { isInterleaved ? bytesPerSample * channelCount : bytesPerSample }
}
