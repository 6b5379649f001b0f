import OssicleChannels

/// The encoders and decoders there are.
package enum Codecs {
    /// Whether AAC and what else comes with the package trait FFmpeg is there.
    package static var hasFFmpeg: Bool { FFmpegCodecs.areThere }

    /// A decoder for a stream of `format`.
    package static func makeDecoder(_ format: PacketFormat) throws(CodecError) -> any PacketDecoder {
        guard let make = format.codec.descriptor.decoder else { throw noSuch("decoder", format.codec) }
        return try make(format)
    }

    /// An encoder of `codec`. Channels come in the order of `channelLabels`; when these are `nil`, the encoder's
    /// `format` tells which it chose.
    package static func makeEncoder(
        _ codec: AudioCodec, sampleRate: Double, channelCount: Int, channelLabels: [UInt32]? = nil,
        settings: EncoderSettings = EncoderSettings()
    ) throws(CodecError) -> any PacketEncoder {
        guard let make = codec.descriptor.encoder else { throw noSuch("encoder", codec) }
        return try make(
            PacketFormat(
                codec: codec, sampleRate: sampleRate, channelCount: channelCount, channelLabels: channelLabels),
            settings)
    }

    /// What the encoder of `codec` can do at `sampleRate` with `channelCount` channels; `nil` when there is no such
    /// encoder.
    package static func encoderRange(_ codec: AudioCodec, sampleRate: Double, channelCount: Int) -> EncoderRange? {
        codec.descriptor.encoderRange(sampleRate, channelCount)
    }

    /// For each number of channels the encoder can do, the layout tag of the order in which it takes them; left out
    /// where that has no tag. Empty without an encoder.
    package static func encodedLayoutTags(_ codec: AudioCodec, sampleRate: Double, channelCount: Int) -> [UInt32] {
        let counts = encoderRange(codec, sampleRate: sampleRate, channelCount: channelCount)?.channelCounts ?? []
        return counts.compactMap { channels in
            guard let encoder = try? makeEncoder(codec, sampleRate: sampleRate, channelCount: channels) else {
                return nil
            }
            return (encoder.format.channelLabels ?? ChannelLabel.usual(channels)).flatMap(ChannelOrder.tag)
        }
    }

    /// The order in which `codec` keeps `channelCount` channels; `nil` where it has none of its own. FLAC and Opus put
    /// channels into it and take them out again, in the order of the labels or, without any, in Apple's usual one (L R
    /// C LFE Ls Rs and so on, by rising label). Apple Lossless and the plain codecs keep the order they are given, and
    /// only a container with a layout tells it.
    package static func channelLabels(of codec: AudioCodec, channelCount: Int) -> [UInt32]? {
        codec.descriptor.order(channelCount)
    }

    private static func noSuch(_ object: String, _ codec: AudioCodec) -> CodecError {
        CodecError(
            .unsupported, object: "\(codec) \(object)", found: "there is none",
            rule: "Some codecs are read and written in whole files only, or not at all.",
            cure: codec.descriptor.cure)
    }
}
