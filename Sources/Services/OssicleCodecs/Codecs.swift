/// The encoders and decoders there are.
package enum Codecs {
    /// Whether AAC and what else comes with the package trait FFmpeg is there.
    package static var hasFFmpeg: Bool { FFmpegCodecs.areThere }

    /// A decoder for a stream of `format`.
    package static func makeDecoder(_ format: PacketFormat) throws(CodecError) -> any PacketDecoder {
        switch format.codec {
        case .muLaw: try G711Decoder(format, .mu)
        case .aLaw: try G711Decoder(format, .a)
        case .ima4: try IMA4Decoder(format)
        case .opus: try OpusPacketDecoder(format)
        case .flac8, .flac16, .flac24: try FLACPacketDecoder(format)
        case .alac16, .alac20, .alac24, .alac32: try ALACPacketDecoder(format)
        case .mp1, .mp2, .mp3: try MPEGPacketDecoder(format)
        case .aac, .heAAC, .heAACv2, .vorbis: try FFmpegCodecs.makeDecoder(format)
        default: throw noSuch("decoder", format.codec)
        }
    }

    /// An encoder of `codec`. Channels come in the order of `channelLabels`; when these are `nil`, the encoder's `format` tells which it chose.
    package static func makeEncoder(_ codec: AudioCodec, sampleRate: Double, channelCount: Int, channelLabels: [UInt32]? = nil,
                                    settings: EncoderSettings = EncoderSettings()) throws(CodecError) -> any PacketEncoder {
        let format = PacketFormat(codec: codec, sampleRate: sampleRate, channelCount: channelCount, channelLabels: channelLabels)
        return switch codec {
        case .muLaw: try G711Encoder(format, .mu)
        case .aLaw: try G711Encoder(format, .a)
        case .ima4: try IMA4Encoder(format)
        case .opus: try OpusPacketEncoder(format, settings)
        case .flac8, .flac16, .flac24: try FLACPacketEncoder(format, settings)
        case .alac16, .alac20, .alac24, .alac32: try ALACPacketEncoder(format)
        case .aac, .heAAC, .heAACv2:
            try FFmpegCodecs.makeEncoder(codec, sampleRate: sampleRate, channelCount: channelCount, channelLabels: channelLabels, settings: settings)
        default: throw noSuch("encoder", codec)
        }
    }

    /// What the encoder of `codec` can do at `sampleRate` with `channelCount` channels; `nil` when there is no such encoder.
    package static func encoderRange(_ codec: AudioCodec, sampleRate: Double, channelCount: Int) -> EncoderRange? {
        switch codec {
        case .muLaw, .aLaw, .ima4: EncoderRange(bitRates: nil, sampleRates: [], channelCounts: Array(PacketFormat.plainChannelCounts))
        case .opus:
            EncoderRange(bitRates: OpusRange.bitRates(channelCount), sampleRates: OpusRange.sampleRates,
                         channelCounts: Array(OpusRange.channelCounts))
        case .flac8, .flac16, .flac24: EncoderRange(bitRates: nil, sampleRates: [], channelCounts: Array(FLACPacketEncoder.channelCounts))
        case .alac16, .alac20, .alac24, .alac32: EncoderRange(bitRates: nil, sampleRates: [], channelCounts: Array(ALACPacketEncoder.channelCounts))
        case .aac, .heAAC, .heAACv2: FFmpegCodecs.encoderRange(codec, sampleRate: sampleRate, channelCount: channelCount)
        default: nil
        }
    }

    /// The order in which `codec` keeps `channelCount` channels; `nil` where it has none of its own. FLAC and Opus put channels into it and take
    /// them out again, in the order of the labels or, without any, in Apple's usual one (L R C LFE Ls Rs and so on, by rising label). Apple Lossless
    /// and the plain codecs keep the order they are given, and only a container with a layout tells it.
    package static func channelLabels(of codec: AudioCodec, channelCount: Int) -> [UInt32]? {
        switch codec {
        case .opus, .vorbis: CodecChannelOrder.vorbis(channelCount)
        case .flac8, .flac16, .flac24: CodecChannelOrder.flac(channelCount)
        case .alac16, .alac20, .alac24, .alac32: CodecChannelOrder.alac(channelCount)
        default: nil
        }
    }

    private static func noSuch(_ object: String, _ codec: AudioCodec) -> CodecError {
        let cure = switch codec {
        case _ where codec.isLinear: "Linear samples are converted, not decoded: use a converter between PCM formats."
        case .mp1, .mp2, .mp3: "Write a .mp3 file instead, whose packets can be read back, or choose Opus."
        case .vorbis: "Write an .ogg file instead, or choose Opus."
        default: "Read or write it as a whole sound file, or choose Apple Lossless, FLAC, Opus or AAC."
        }
        return CodecError(.unsupported, object: "\(codec) \(object)", found: "there is none",
                          rule: "Some codecs are read and written in whole files only, or not at all.", cure: cure)
    }
}
