#if FFmpeg
import CFFmpeg

/// Encodes AAC-LC in packets of 1024 frames with FFmpeg's own encoder. For the same sound to become the same bytes it
/// is set to be bit-exact; its vector code may still differ between processors.
final class FFmpegAACEncoder: PacketEncoder {
    private(set) var format: PacketFormat
    private(set) var primingFrames = 0
    private(set) var remainderFrames = 0
    let maximumPacketSize: Int
    private let settings: EncoderSettings
    private let order: CodecChannelOrder
    private let block: PacketBlock
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var inputFrames = 0
    private var codedFrames = 0
    private var isFinished = false
    private static let framesPerPacket = 1024

    init(sampleRate: Double, channelCount: Int, channelLabels: [UInt32]?, settings: EncoderSettings) throws(CodecError)
    {
        try FFmpegLibrary.load(for: FFmpegAACSettings.object)
        order = try FFmpegAACSettings.check(
            sampleRate: sampleRate, channelCount: channelCount, channelLabels: channelLabels, settings: settings)
        self.settings = settings
        format = PacketFormat(
            codec: .aac, sampleRate: sampleRate, channelCount: channelCount, framesPerPacket: Self.framesPerPacket,
            channelLabels: order.labels)
        block = PacketBlock(channelCount: channelCount, size: Self.framesPerPacket)
        // 6144 bits a channel are the standard's limit (ISO/IEC 14496-3, 4.5.3); FFmpeg puts a little beside the
        // channels.
        maximumPacketSize = 6144 / 8 * channelCount + 64
        // Behind the check, because what it throws frees neither.
        (frame, packet) = (av_frame_alloc(), av_packet_alloc())
        try open()
    }

    deinit {
        avcodec_free_context(&context)
        av_frame_free(&frame)
        av_packet_free(&packet)
    }

    func encode(
        _ planes: [UnsafePointer<Double>], frames: Int, emit: (UnsafeRawBufferPointer, Int) -> Void
    ) throws(CodecError) {
        try checkInput(planes, frames, isFinished: isFinished)
        inputFrames += frames
        try block.append(order.toCodec(planes), frames) { () throws(CodecError) in try encodeBlock(emit) }
    }

    /// FFmpeg fills up the last block with silence and gives one packet more.
    func finish(_ emit: (UnsafeRawBufferPointer, Int) -> Void) throws(CodecError) {
        guard !isFinished else { return }
        isFinished = true
        if block.count > 0 { try encodeBlock(emit) }
        try check(avcodec_send_frame(context, nil))
        try receive(emit)
        remainderFrames = max(0, codedFrames - primingFrames - inputFrames)
    }

    func reset() throws(CodecError) {
        avcodec_free_context(&context)
        block.removeAll()
        (inputFrames, codedFrames, remainderFrames, isFinished) = (0, 0, 0, false)
        try open()
    }

    private func open() throws(CodecError) {
        guard let codec = avcodec_find_encoder(AV_CODEC_ID_AAC) else {
            throw CodecError(
                .unsupported, object: FFmpegAACSettings.object, found: "FFmpeg has none",
                rule: "FFmpeg's own encoder makes AAC.",
                cure: "Install a build of FFmpeg with its encoders.")
        }
        context = avcodec_alloc_context3(codec)
        guard let context else { throw .memory(FFmpegAACSettings.object) }
        FFmpegAACSettings.apply(settings, to: context, format: format)
        try check(avcodec_open2(context, codec, nil))
        primingFrames = Int(context.pointee.initial_padding)
        let configuration = Array(
            UnsafeBufferPointer(start: context.pointee.extradata, count: Int(context.pointee.extradata_size)))
        format.cookie = AACConfiguration(cookie: configuration)?.elementaryStreamDescriptor ?? configuration
    }

    private func encodeBlock(_ emit: (UnsafeRawBufferPointer, Int) -> Void) throws(CodecError) {
        guard let frame, let context else { throw .memory(FFmpegAACSettings.object) }
        defer { av_frame_unref(frame) }
        frame.pointee.nb_samples = Int32(block.count)
        frame.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        frame.pointee.sample_rate = context.pointee.sample_rate
        frame.pointee.ch_layout = context.pointee.ch_layout
        try check(av_frame_get_buffer(frame, 0))
        for (channel, plane) in block.planes.enumerated() {
            guard let bytes = frame.pointee.extended_data[channel] else { continue }
            let samples = UnsafeMutableRawPointer(bytes).assumingMemoryBound(to: Float.self)
            for index in 0..<block.count { samples[index] = Float(min(max(plane[index], -Self.loudest), Self.loudest)) }
        }
        try check(avcodec_send_frame(context, frame))
        try receive(emit)
    }

    /// Samples beyond this, 60 dB above full scale, make FFmpeg's encoder give up.
    private static let loudest = 1000.0

    private func receive(_ emit: (UnsafeRawBufferPointer, Int) -> Void) throws(CodecError) {
        guard let packet else { throw .memory(FFmpegAACSettings.object) }
        while true {
            let result = avcodec_receive_packet(context, packet)
            guard result != ossicle_averror_again(), result != ossicle_averror_end() else { return }
            try check(result)
            emit(
                UnsafeRawBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)),
                Self.framesPerPacket)
            codedFrames += Self.framesPerPacket
            av_packet_unref(packet)
        }
    }

    private func check(_ result: Int32) throws(CodecError) {
        guard result < 0 else { return }
        throw CodecError(
            .failed, object: FFmpegAACSettings.object, found: FFmpegLibrary.words(result),
            rule: "FFmpeg's encoder must take every block of sound.",
            cure: "Reset the encoder.")
    }
}
#endif
