// FLAC through libFLAC.

import CFlac

/// Decodes FLAC (RFC 9639): each packet is a frame of its own, so packets may come from anywhere.
final class FLACPacketDecoder: PacketDecoder {
    let format: PacketFormat
    let delay = 0
    private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
    private let frame: FLACFrame

    init(_ format: PacketFormat) throws(CodecError) {
        guard let info = FLACStreamInfo(cookie: format.cookie) else {
            throw .damagedCookie("flac decoder", found: "a cookie of \(format.cookie.count) bytes", rule: "It is a STREAMINFO block (RFC 9639, 8.2).")
        }
        let order = Self.order(format.channelLabels, info.channelCount)
        var result = format
        result.codec = .flac(bits: info.bitsPerSample)
        (result.sampleRate, result.channelCount) = (Double(info.sampleRate), info.channelCount)
        result.framesPerPacket = info.minimumBlockSize == info.maximumBlockSize ? info.maximumBlockSize : 0
        result.channelLabels = order.labels
        guard let decoder = FLAC__stream_decoder_new() else { throw .memory("flac decoder") }
        self.format = result
        self.decoder = decoder
        frame = FLACFrame(channelCount: info.channelCount, longest: info.maximumBlockSize, sources: order.sources)
        let client = Unmanaged.passUnretained(frame).toOpaque()
        let status = FLAC__stream_decoder_init_stream(decoder, FLACFrame.read, nil, nil, nil, nil, FLACFrame.write, nil, FLACFrame.fail, client)
        guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else { throw .memory("flac decoder") }
        try read(info.streamHead)
    }

    deinit { FLAC__stream_decoder_delete(decoder) }

    /// Labels that are not FLAC's belong to a stream that was made without regard to them: its channels are left as they come.
    private static func order(_ labels: [UInt32]?, _ channelCount: Int) -> CodecChannelOrder {
        let own = CodecChannelOrder.flac(channelCount) ?? []
        guard let labels, labels.count == channelCount else { return .usual(codec: own) }
        return CodecChannelOrder(labels, codec: own) ?? .asCoded(channelCount, labels)
    }

    /// Lets the library know the stream: frames may leave to STREAMINFO what they do not tell.
    private func read(_ head: [UInt8]) throws(CodecError) {
        let isRead = head.withUnsafeBytes { bytes in
            frame.begin(bytes)
            return FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0
        }
        guard isRead, frame.failure == nil else {
            throw .damagedCookie("flac decoder", found: "a STREAMINFO that libFLAC refuses", rule: "It has the form of RFC 9639, 8.2.")
        }
    }

    func decode(_ packet: UnsafeRawBufferPointer) throws(CodecError) -> PlanarFrames {
        guard FLAC__stream_decoder_flush(decoder) != 0 else { throw .memory("flac decoder") }
        frame.begin(packet)
        let isAlive = FLAC__stream_decoder_process_single(decoder) != 0
        guard isAlive, frame.failure == nil, frame.count > 0 else {
            throw .damagedPacket("flac decoder", found: frame.failure ?? "\(packet.count) bytes without a whole frame",
                                 rule: "A packet is a frame (RFC 9639, 9) with the stream's channels and the right sum of its bytes.")
        }
        return frame.memory.frames(frame.count)
    }

    func drain() -> PlanarFrames { .none }
    func reset() {}
}
