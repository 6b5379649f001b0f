#if FFmpeg
import CFFmpeg
import OssicleChannels

/// Decodes AAC of every profile FFmpeg knows, and Vorbis.
///
/// A decoder for plain AAC gives the core alone where the cookie does not tell of spectral band replication, so that
/// rate and frames are those of its format.
final class FFmpegPacketDecoder: PacketDecoder {
    private(set) var format: PacketFormat
    /// None: a decoder gives 1024 frames for the first packet, and all that lies before the recording is the encoder's
    /// priming.
    let delay = 0
    private let decoder: FFmpegDecoder
    private let packet: UnsafeMutablePointer<AVPacket>
    private var failure: CodecError?

    init(_ format: PacketFormat) throws(CodecError) {
        let object = "\(format.codec) decoder"
        guard (1...8).contains(format.channelCount) else {
            throw .channels(object, found: format.channelCount, allowed: 1...8)
        }
        guard (1...768_000).contains(format.sampleRate) else {
            throw .rate(object, found: format.sampleRate, rule: "A rate is 1 to 768000 Hz.")
        }
        try FFmpegLibrary.load(for: object)
        var parameters = avcodec_parameters_alloc()
        guard let described = parameters else { throw .memory(object) }
        defer { avcodec_parameters_free(&parameters) }
        described.pointee.codec_type = AVMEDIA_TYPE_AUDIO
        described.pointee.codec_id = format.codec == .vorbis ? AV_CODEC_ID_VORBIS : AV_CODEC_ID_AAC
        described.pointee.sample_rate = Int32(format.sampleRate)
        av_channel_layout_default(&described.pointee.ch_layout, Int32(format.channelCount))
        described.setExtradata(try Self.extradata(of: format, object))
        let labels = format.channelLabels.flatMap { $0.count == format.channelCount ? $0 : nil }
        decoder = try FFmpegDecoder(described, labels: labels, object: object)
        // The last that can fail: what throws before has nothing to give back.
        guard let packet = av_packet_alloc() else { throw .memory(object) }
        self.packet = packet
        self.format = format
        if format.codec != .vorbis {
            self.format.channelLabels = labels ?? ChannelOrder.mpeg4(format.channelCount)
        }
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
    }

    func decode(_ bytes: UnsafeRawBufferPointer) throws(CodecError) -> PlanarFrames {
        if let failure { throw failure }
        guard let base = bytes.baseAddress, !bytes.isEmpty else { return .none }
        guard let size = Int32(exactly: bytes.count), av_new_packet(packet, size) == 0 else {
            throw .memory("\(format.codec) decoder")
        }
        defer { av_packet_unref(packet) }
        UnsafeMutableRawPointer(packet.pointee.data).copyMemory(from: base, byteCount: bytes.count)
        let frames = try decoder.decode(packet)
        try check()
        return frames
    }

    func drain() throws(CodecError) -> PlanarFrames { try decoder.decode(nil) }

    func reset() {
        do throws(CodecError) {
            try decoder.reset()
            failure = nil
        } catch { failure = error }
    }

    /// What comes out must be what the format promises.
    private func check() throws(CodecError) {
        guard let shape = decoder.shape,
            shape.channelCount != format.channelCount || shape.sampleRate != format.sampleRate
        else { return }
        throw CodecError(
            .damaged, object: "\(format.codec) decoder",
            found: "\(shape.channelCount) channels at \(shape.sampleRate) Hz",
            rule: "The stream was said to have \(format.channelCount) channels at \(format.sampleRate) Hz.",
            cure: "Describe it as it is; HE-AAC may double the rate, and its version 2 the channels.")
    }

    /// The bare configuration. `56 E5 00` behind it says that there is no spectral band replication (ISO/IEC 14496-3,
    /// 1.6.6.2), as plain AAC has none.
    private static func extradata(of format: PacketFormat, _ object: String) throws(CodecError) -> [UInt8] {
        guard format.codec != .vorbis else { return format.cookie }
        guard let configuration = AACConfiguration(cookie: format.cookie) else {
            throw .damagedCookie(
                object, found: "a cookie of \(format.cookie.count) bytes",
                rule: "AAC needs an ES descriptor or an AudioSpecificConfig.")
        }
        let isPlain = format.codec == .aac && !configuration.isSBR
        return configuration.audioSpecificConfig + (isPlain ? [0x56, 0xE5, 0x00] : [])
    }
}

extension UnsafeMutablePointer<AVCodecParameters> {
    /// Gives the parameters a copy of `bytes`, padded as FFmpeg reads it.
    func setExtradata(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, let memory = av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else { return }
        memory.copyMemory(from: bytes, byteCount: bytes.count)
        pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        pointee.extradata_size = Int32(clamping: bytes.count)
    }
}
#endif
