// What follows from a format.

import OssicleCodecs

extension StreamFormat {
    /// The same stream with its channels named; `nil` where the labels do not fit.
    func labelled(_ labels: [UInt32]) -> StreamFormat? {
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
    var packets: PacketFormat? {
        guard case .packets(let format) = self else { return nil }
        return format
    }

    /// Whether it is linear PCM.
    var isPCM: Bool { packets == nil }

    /// Buffers a list for this stream has.
    var bufferCount: Int {
        switch self {
        case .pcm(let format): format.bufferCount
        case .packets: 1
        }
    }

    /// Channels in each of them.
    var channelsPerBuffer: Int { bufferCount > 1 ? 1 : channelCount }

    /// Bytes of a packet in one buffer; 0 when packets differ.
    var bytesPerPacket: Int {
        switch self {
        case .pcm(let format): format.bytesPerFrame
        case .packets(let format): format.bytesPerPacket
        }
    }

    /// Frames of a packet; 0 when packets differ.
    var framesPerPacket: Int {
        switch self {
        case .pcm: 1
        case .packets(let format): format.framesPerPacket
        }
    }

    /// Whether a client needs descriptions to find the packets.
    var needsPacketDescriptions: Bool { bytesPerPacket == 0 || framesPerPacket == 0 }

    /// No packet is larger, in bytes; a bound from the codec where packets differ.
    var largestPacket: Int { bytesPerPacket > 0 ? bytesPerPacket : packets?.largestPacket ?? 0 }

    /// How the coding is called.
    var name: String {
        switch self {
        case .pcm(let format):
            "Linear PCM, \(format.bits)-bit \(format.isBigEndian ? "big" : "little")-endian "
                + (format.kind == .float ? "floating point" : format.kind == .signed ? "signed integer" : "unsigned integer")
        case .packets(let format): format.codec.name
        }
    }

    /// Planar double precision, in which samples travel inside.
    static func planes(sampleRate: Double, channelCount: Int, channelLabels: [UInt32]?) -> StreamFormat {
        .pcm(PCMFormat(sampleRate: sampleRate, channelCount: channelCount, bits: 64, channelLabels: channelLabels))
    }
}

extension PacketFormat {
    /// Bits that a packet takes at most: what the standard allows, or the plain samples and a little more for lossless codings.
    fileprivate var largestPacket: Int {
        let samples = (framesPerPacket > 0 ? framesPerPacket : 16_384).multipliedReportingOverflow(by: channelCount)
        switch codec {
        case .aac, .heAAC, .heAACv2: return 768 * channelCount
        case .mp1, .mp2, .mp3: return 2881
        case .opus: return 1275 * 48 * channelCount
        default:
            let plain = samples.partialValue.multipliedReportingOverflow(by: max(codec.bitDepth / 8, 4))
            return samples.overflow || plain.overflow ? 0 : plain.partialValue + 64 * channelCount
        }
    }
}

extension AudioCodec {
    /// How people call it.
    fileprivate var name: String {
        switch self {
        case .alac16, .alac20, .alac24, .alac32: "Apple Lossless"
        case .flac8, .flac16, .flac24: "FLAC"
        case .aac: "MPEG-4 AAC"
        case .heAAC: "MPEG-4 HE AAC"
        case .heAACv2: "MPEG-4 HE AAC v2"
        case .mp1: "MPEG Layer 1"
        case .mp2: "MPEG Layer 2"
        case .mp3: "MPEG Layer 3"
        case .muLaw: "µ-law 2:1"
        case .aLaw: "A-law 2:1"
        case .ima4: "IMA 4:1"
        case .imaADPCM: "DVI/Intel IMA ADPCM"
        case .microsoftADPCM: "Microsoft ADPCM"
        case .opus: "Opus"
        case .vorbis: "Vorbis"
        default: rawValue
        }
    }
}
