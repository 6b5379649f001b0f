// The codecs, each with all that is known of it.

import OssicleChannels

extension AudioCodec {
    /// The row of this codec in the table; `descriptor` keeps it.
    var described: CodecDescriptor {
        switch self {
        case .pcm8, .pcm8Unsigned: linear(bits: 8)
        case .pcm16: linear(bits: 16)
        case .pcm24: linear(bits: 24)
        case .pcm32: linear(bits: 32)
        case .float32: linear(bits: 32, peak: .infinity)
        case .float64: linear(bits: 64, peak: .infinity)
        case .muLaw: companded("µ-law 2:1", 0x756C_6177, law: .mu)
        case .aLaw: companded("A-law 2:1", 0x616C_6177, law: .a)
        case .ima4:
            CodecDescriptor(
                name: "IMA 4:1", formatID: 0x696D_6134, packet: { _, channels in (64, 34 * channels) },
                decoder: { format throws(CodecError) in try IMA4Decoder(format) },
                encoder: { format, _ throws(CodecError) in try IMA4Encoder(format) }, encoderRange: Self.plainRange)
        case .imaADPCM: CodecDescriptor(name: "DVI/Intel IMA ADPCM", formatID: 0x6D73_0011)
        case .microsoftADPCM: CodecDescriptor(name: "Microsoft ADPCM", formatID: 0x6D73_0002)
        case .alac16: appleLossless(bits: 16)
        case .alac20: appleLossless(bits: 20)
        case .alac24: appleLossless(bits: 24)
        case .alac32: appleLossless(bits: 32)
        case .flac8: flac(bits: 8)
        case .flac16: flac(bits: 16)
        case .flac24: flac(bits: 24)
        case .aac: aac("MPEG-4 AAC", 0x6161_6320, frames: 1024)
        case .heAAC: aac("MPEG-4 HE AAC", 0x6161_6368, frames: 2048)
        case .heAACv2: aac("MPEG-4 HE AAC v2", 0x6161_6370, frames: 2048)
        case .vorbis:
            CodecDescriptor(
                name: "Vorbis", formatID: 0x766F_7262, decodedPeak: DecodedRange.lossyPeak, order: ChannelOrder.vorbis,
                decoder: FFmpegCodecs.makeDecoder, cure: "Write an .ogg file instead, or choose Opus.")
        case .opus:
            CodecDescriptor(
                name: "Opus", formatID: 0x6F70_7573, decodedPeak: DecodedRange.lossyPeak,
                largestPacket: { 1275 * 48 * $0 }, order: ChannelOrder.vorbis,
                decoder: { format throws(CodecError) in try OpusPacketDecoder(format) },
                encoder: { format, settings throws(CodecError) in try OpusPacketEncoder(format, settings) },
                encoderRange: { _, channels in OpusRange.encoderRange(channels) })
        case .mp1: mpeg(1, 0x2E6D_7031) { _ in 384 }
        case .mp2: mpeg(2, 0x2E6D_7032) { _ in 1152 }
        case .mp3: mpeg(3, 0x2E6D_7033) { $0 < 32_000 ? 576 : 1152 }
        case .other: CodecDescriptor(name: rawValue, decodedPeak: DecodedRange.lossyPeak)
        }
    }

    private func linear(bits: Int, peak: Double = DecodedRange.integerPeak) -> CodecDescriptor {
        CodecDescriptor(
            name: rawValue, bitDepth: bits, decodedPeak: peak,
            cure: "Linear samples are converted, not decoded: use a converter between PCM formats.")
    }

    private func companded(_ name: String, _ formatID: UInt32, law: CompandingLaw) -> CodecDescriptor {
        CodecDescriptor(
            name: name, formatID: formatID, packet: { _, channels in (1, channels) },
            decoder: { format throws(CodecError) in try G711Decoder(format, law) },
            encoder: { format, _ throws(CodecError) in try G711Encoder(format, law) }, encoderRange: Self.plainRange)
    }

    private func appleLossless(bits: Int) -> CodecDescriptor {
        CodecDescriptor(
            name: "Apple Lossless", formatID: SourceDepth.appleLossless, bitDepth: bits, packet: { _, _ in (4096, 0) },
            order: ChannelOrder.mpeg4, decoder: { format throws(CodecError) in try ALACPacketDecoder(format) },
            encoder: { format, _ throws(CodecError) in try ALACPacketEncoder(format) },
            encoderRange: { _, _ in EncoderRange(channelCounts: ALACPacketEncoder.channelCounts) })
    }

    private func flac(bits: Int) -> CodecDescriptor {
        CodecDescriptor(
            name: "FLAC", formatID: SourceDepth.flac, bitDepth: bits, order: ChannelOrder.flac,
            decoder: { format throws(CodecError) in try FLACPacketDecoder(format) },
            encoder: { format, settings throws(CodecError) in try FLACPacketEncoder(format, settings) },
            encoderRange: { _, _ in EncoderRange(channelCounts: FLACPacketEncoder.channelCounts) })
    }

    private func aac(_ name: String, _ formatID: UInt32, frames: Int) -> CodecDescriptor {
        CodecDescriptor(
            name: name, formatID: formatID, decodedPeak: DecodedRange.lossyPeak, packet: { _, _ in (frames, 0) },
            largestPacket: { 768 * $0 }, decoder: FFmpegCodecs.makeDecoder, encoder: FFmpegCodecs.makeEncoder,
            encoderRange: { rate, channels in FFmpegCodecs.encoderRange(self, sampleRate: rate, channelCount: channels)
            })
    }

    private func mpeg(
        _ layer: Int, _ formatID: UInt32, frames: @escaping @Sendable (_ sampleRate: Double) -> Int
    ) -> CodecDescriptor {
        CodecDescriptor(
            name: "MPEG Layer \(layer)", formatID: formatID, decodedPeak: DecodedRange.lossyPeak,
            packet: { rate, _ in (frames(rate), 0) }, largestPacket: { _ in 2881 },
            decoder: { format throws(CodecError) in try MPEGPacketDecoder(format) },
            cure: "Write a .mp3 file instead, whose packets can be read back, or choose Opus.")
    }

    private static let plainRange: @Sendable (Double, Int) -> EncoderRange? = { _, _ in
        EncoderRange(channelCounts: PacketFormat.plainChannelCounts)
    }
}
