/// The codecs that come with the package trait FFmpeg: AAC, and decoding Vorbis. Without it every call says so.
enum FFmpegCodecs {
    #if FFmpeg
    static let areThere = true

    @Sendable static func makeDecoder(_ format: PacketFormat) throws(CodecError) -> any PacketDecoder {
        try FFmpegPacketDecoder(format)
    }

    @Sendable static func makeEncoder(
        _ format: PacketFormat, _ settings: EncoderSettings
    ) throws(CodecError) -> any PacketEncoder {
        guard format.codec == .aac else {
            throw CodecError(
                .unsupported, object: "encoder of \(format.codec.rawValue)",
                found: "FFmpeg's encoder does AAC-LC alone",
                rule: "HE-AAC can be decoded here, not encoded.", cure: "Encode AAC-LC, or Opus at low bit rates.")
        }
        return try FFmpegAACEncoder(
            sampleRate: format.sampleRate, channelCount: format.channelCount, channelLabels: format.channelLabels,
            settings: settings)
    }

    static func encoderRange(_ codec: AudioCodec, sampleRate: Double, channelCount: Int) -> EncoderRange? {
        guard codec == .aac, (1...8).contains(channelCount) else { return nil }
        let rate = FFmpegAACSettings.sampleRates.min { abs($0 - sampleRate) < abs($1 - sampleRate) } ?? sampleRate
        return EncoderRange(
            bitRates: FFmpegAACSettings.bitRates(sampleRate: rate, channelCount: channelCount),
            sampleRates: FFmpegAACSettings.sampleRates,
            channelCounts: 1...8)
    }
    #else
    static let areThere = false

    @Sendable static func makeDecoder(_ format: PacketFormat) throws(CodecError) -> any PacketDecoder {
        throw .needsFFmpeg("decoder", found: "a stream of \(format.codec)")
    }

    @Sendable static func makeEncoder(
        _ format: PacketFormat, _ settings: EncoderSettings
    ) throws(CodecError) -> any PacketEncoder {
        throw .needsFFmpeg("encoder", found: "a stream of \(format.codec)")
    }

    static func encoderRange(_ codec: AudioCodec, sampleRate: Double, channelCount: Int) -> EncoderRange? { nil }
    #endif
}
