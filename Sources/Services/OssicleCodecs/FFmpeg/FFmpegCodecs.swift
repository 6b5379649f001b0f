/// The codecs that come with the package trait FFmpeg: AAC, and decoding Vorbis. Without it every call says so.
enum FFmpegCodecs {
    #if FFmpeg
    static let areThere = true

    static func makeDecoder(_ format: PacketFormat) throws(CodecError) -> any PacketDecoder { try FFmpegPacketDecoder(format) }

    static func makeEncoder(_ codec: AudioCodec, sampleRate: Double, channelCount: Int, channelLabels: [UInt32]?,
                            settings: EncoderSettings) throws(CodecError) -> any PacketEncoder {
        guard codec == .aac else {
            throw CodecError(.unsupported, object: "encoder of \(codec.rawValue)", found: "FFmpeg's encoder does AAC-LC alone",
                             rule: "HE-AAC can be decoded here, not encoded.", cure: "Encode AAC-LC, or Opus at low bit rates.")
        }
        return try FFmpegAACEncoder(sampleRate: sampleRate, channelCount: channelCount, channelLabels: channelLabels, settings: settings)
    }

    static func encoderRange(_ codec: AudioCodec, sampleRate: Double, channelCount: Int) -> EncoderRange? {
        guard codec == .aac, (1...8).contains(channelCount) else { return nil }
        let rate = FFmpegAACSettings.sampleRates.min { abs($0 - sampleRate) < abs($1 - sampleRate) } ?? sampleRate
        return EncoderRange(bitRates: FFmpegAACSettings.bitRates(sampleRate: rate, channelCount: channelCount), sampleRates: FFmpegAACSettings.sampleRates,
                            channelCounts: Array(1...8))
    }
    #else
    static let areThere = false

    static func makeDecoder(_ format: PacketFormat) throws(CodecError) -> any PacketDecoder {
        throw .needsFFmpeg("decoder", found: "a stream of \(format.codec)")
    }

    static func makeEncoder(_ codec: AudioCodec, sampleRate: Double, channelCount: Int, channelLabels: [UInt32]?,
                            settings: EncoderSettings) throws(CodecError) -> any PacketEncoder {
        throw .needsFFmpeg("encoder", found: "a stream of \(codec)")
    }

    static func encoderRange(_ codec: AudioCodec, sampleRate: Double, channelCount: Int) -> EncoderRange? { nil }
    #endif
}
