#if FFmpeg
// A decoder of FFmpeg's, whatever the codec.

import CFFmpeg

/// Packets in, planes out. The same packets after making or resetting it give the same samples, so both begin from
/// nothing: FFmpeg's own flush keeps the state of the noise that AAC substitutes. For one thread at a time.
package final class FFmpegDecoder {
    /// What comes out; known from the stream's first frame, and the same for all.
    package struct Shape: Equatable {
        /// In hertz.
        package var sampleRate: Double
        package var channelCount: Int
        /// One label per plane; `nil` when the stream does not tell.
        package var labels: [UInt32]?
    }

    package private(set) var shape: Shape?
    private let parameters: UnsafeMutablePointer<AVCodecParameters>
    private let wanted: [UInt32]?
    private let object: String
    private var context: UnsafeMutablePointer<AVCodecContext>
    private var frame: UnsafeMutablePointer<AVFrame>
    private var layout: AVChannelLayout?
    private var places: [Int] = []
    private let planes = FFmpegPlanes()
    /// The largest magnitude of a sample: bounded where the codec loses something in any case.
    private let peak: Double

    /// A decoder for `parameters`, which are copied.
    /// - Parameters:
    ///   - labels: the order in which planes are wanted; `nil` takes MPEG's order for AAC and Apple Lossless, FFmpeg's
    ///     for the rest.
    ///   - object: what errors call the stream.
    package init(
        _ parameters: UnsafePointer<AVCodecParameters>, labels: [UInt32]? = nil, object: String
    ) throws(CodecError) {
        try FFmpegLibrary.load(for: object)
        guard let copy = avcodec_parameters_alloc() else { throw .memory(object) }
        avcodec_parameters_copy(copy, parameters)
        var context: UnsafeMutablePointer<AVCodecContext>?
        do throws(CodecError) { context = try Self.open(copy, object) } catch {
            var copy: UnsafeMutablePointer<AVCodecParameters>? = copy
            avcodec_parameters_free(&copy)
            throw error
        }
        guard let context, let frame = av_frame_alloc() else { throw .memory(object) }
        self.parameters = copy
        self.context = context
        self.frame = frame
        self.object = object
        wanted = labels
        let properties = avcodec_descriptor_get(parameters.pointee.codec_id)?.pointee.props ?? 0
        peak = properties & AV_CODEC_PROP_LOSSLESS == 0 ? DecodedRange.lossyPeak : .infinity
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context, frame: UnsafeMutablePointer<AVFrame>? = frame
        var parameters: UnsafeMutablePointer<AVCodecParameters>? = parameters
        avcodec_free_context(&context)
        av_frame_free(&frame)
        avcodec_parameters_free(&parameters)
    }

    /// Significant bits of a sample, where the stream tells.
    package var bitsPerSample: Int {
        Int(max(context.pointee.bits_per_raw_sample, context.pointee.bits_per_coded_sample))
    }

    /// The profile the stream turned out to have, as FFmpeg numbers them.
    package var profile: Int32 { context.pointee.profile }

    /// The frames of one packet, or with `nil` those left inside. Valid until the next call. The next packet can be
    /// decoded after an error.
    package func decode(_ packet: UnsafePointer<AVPacket>?) throws(CodecError) -> PlanarFrames {
        planes.removeAll()
        var failure = avcodec_send_packet(context, packet)
        while failure == 0 {
            failure = avcodec_receive_frame(context, frame)
            if failure == 0 { try take() }
        }
        guard failure == ossicle_averror_again() || failure == ossicle_averror_end() else {
            throw .damagedPacket(
                object, found: "a packet of \(packet?.pointee.size ?? 0) bytes: \(FFmpegLibrary.words(failure))",
                rule: "Every packet must make sense to FFmpeg's decoder.")
        }
        return planes.frames
    }

    /// Forgets the past.
    package func reset() throws(CodecError) {
        var old: UnsafeMutablePointer<AVCodecContext>? = context
        context = try Self.open(parameters, object)
        avcodec_free_context(&old)
    }

    private func take() throws(CodecError) {
        defer { av_frame_unref(frame) }
        if layout.map({ isSame($0) }) != true || Double(frame.pointee.sample_rate) != shape?.sampleRate { try adopt() }
        guard planes.append(frame, places: places, peak: peak) else {
            throw CodecError(
                .unsupported, object: object, found: "samples in the form \(frame.pointee.format)",
                rule: "Samples are integers or floating point.",
                cure: "Convert the stream.")
        }
    }

    private func isSame(_ layout: AVChannelLayout) -> Bool {
        var layout = layout
        return withUnsafePointer(to: &frame.pointee.ch_layout) { av_channel_layout_compare(&layout, $0) } == 0
    }

    /// Learns the stream's shape from its first frame, and keeps later ones to it.
    private func adopt() throws(CodecError) {
        let count = Int(frame.pointee.ch_layout.nb_channels), native = nativeLabels(count)
        let isMPEG = [AV_CODEC_ID_AAC, AV_CODEC_ID_ALAC].contains(parameters.pointee.codec_id)
        let order = wanted ?? (isMPEG ? native.map(FFmpegChannels.mpegOrder) : native)
        let found = Shape(sampleRate: Double(frame.pointee.sample_rate), channelCount: count, labels: order)
        guard shape == nil || shape == found, count > 0, order.map({ $0.count == count }) ?? true else {
            throw CodecError(
                .damaged, object: object, found: "\(count) channels at \(frame.pointee.sample_rate) Hz in the middle",
                rule: "A stream keeps its channels and its rate.", cure: "Cut it where they change.")
        }
        places =
            try order.map { (wanted) throws(CodecError) in try self.places(of: wanted, in: native ?? []) }
            ?? Array(0..<count)
        shape = found
        layout = frame.pointee.ch_layout.order == AV_CHANNEL_ORDER_CUSTOM ? nil : frame.pointee.ch_layout
    }

    /// AAC of seven channels describes them in a way that FFmpeg does not name; they come in the order in which its
    /// encoder takes them.
    private func nativeLabels(_ count: Int) -> [UInt32]? {
        let isSeven = parameters.pointee.codec_id == AV_CODEC_ID_AAC && count == 7
        return FFmpegChannels.labels(frame.pointee.ch_layout) ?? (isSeven ? FFmpegChannels.encoderOrder(count) : nil)
    }

    /// For each label that is wanted, the channel of FFmpeg's.
    private func places(of wanted: [UInt32], in native: [UInt32]) throws(CodecError) -> [Int] {
        guard let order = CodecChannelOrder(wanted, codec: native) else {
            throw .labels(object, found: wanted, allowed: native)
        }
        return wanted.indices.compactMap { order.sources.firstIndex(of: $0) }
    }

    /// Bit-exact arithmetic, no trimming behind our back, and AAC's channel configurations as the standard has them.
    private static func open(
        _ parameters: UnsafePointer<AVCodecParameters>, _ object: String
    ) throws(CodecError) -> UnsafeMutablePointer<AVCodecContext> {
        guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw CodecError(
                .unsupported, object: object, found: "FFmpeg's codec \(parameters.pointee.codec_id.rawValue)",
                rule: "This build of FFmpeg has no such decoder.", cure: "Convert the stream elsewhere.")
        }
        var context = avcodec_alloc_context3(codec)
        guard let opened = context else { throw .memory(object) }
        avcodec_parameters_to_context(opened, parameters)
        opened.pointee.flags |= AV_CODEC_FLAG_BITEXACT
        opened.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
        opened.pointee.strict_std_compliance = FF_COMPLIANCE_STRICT
        opened.pointee.thread_count = 1
        let failure = avcodec_open2(opened, codec, nil)
        guard failure >= 0 else {
            avcodec_free_context(&context)
            throw .damagedCookie(
                object, found: "a description that FFmpeg's decoder refuses: \(FFmpegLibrary.words(failure))",
                rule: "The cookie must describe the stream.")
        }
        return opened
    }
}
#endif
