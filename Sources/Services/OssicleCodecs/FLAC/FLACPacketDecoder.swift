// FLAC through libFLAC.

import CFlac
import OssicleChannels
import OssicleCore

/// Decodes FLAC (RFC 9639): each packet is a frame of its own, so packets may come from anywhere.
final class FLACPacketDecoder: PacketDecoder {
    let format: PacketFormat
    let delay = 0
    private let decoder: OpaquePointer
    private let frame: FLACFrame

    init(_ format: PacketFormat) throws(CodecError) {
        guard let info = FLACStreamInfo(cookie: format.cookie) else {
            throw .damagedCookie(
                "flac decoder", found: "a cookie of \(format.cookie.count) bytes",
                rule: "It is a STREAMINFO block (RFC 9639, 8.2).")
        }
        let order = Self.order(format.channelLabels, info.channelCount)
        var result = format
        result.codec = .flac(bits: info.bitsPerSample)
        (result.sampleRate, result.channelCount) = (Double(info.sampleRate), info.channelCount)
        result.framesPerPacket = info.minimumBlockSize == info.maximumBlockSize ? info.maximumBlockSize : 0
        result.channelLabels = order.labels
        try CodecError.load(.flac, for: "flac decoder")
        guard let decoder = FLAC__stream_decoder_new() else { throw .memory("flac decoder") }
        self.format = result
        self.decoder = decoder
        frame = FLACFrame(channelCount: info.channelCount, longest: info.maximumBlockSize, sources: order.sources)
        let client = Unmanaged.passUnretained(frame).toOpaque()
        let status = FLAC__stream_decoder_init_stream(
            decoder, FLACFrame.read, nil, nil, nil, nil, FLACFrame.write, nil, FLACFrame.fail, client)
        guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else { throw .memory("flac decoder") }
        try read(info.streamHead)
    }

    deinit { FLAC__stream_decoder_delete(decoder) }

    /// Labels that are not FLAC's belong to a stream that was made without regard to them: its channels are left as
    /// they come.
    private static func order(_ labels: [UInt32]?, _ channelCount: Int) -> CodecChannelOrder {
        let own = ChannelOrder.flac(channelCount) ?? []
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
            throw .damagedCookie(
                "flac decoder", found: "a STREAMINFO that libFLAC refuses", rule: "It has the form of RFC 9639, 8.2.")
        }
    }

    func decode(_ packet: UnsafeRawBufferPointer) throws(CodecError) -> PlanarFrames {
        guard FLAC__stream_decoder_flush(decoder) != 0 else { throw .memory("flac decoder") }
        frame.begin(packet)
        let isAlive = FLAC__stream_decoder_process_single(decoder) != 0
        guard isAlive, frame.failure == nil, frame.count > 0 else {
            throw .damagedPacket(
                "flac decoder", found: frame.failure ?? "\(packet.count) bytes without a whole frame",
                rule: "A packet is a frame (RFC 9639, 9) with the stream's channels and the right sum of its bytes.")
        }
        return frame.memory.frames(frame.count)
    }

    func drain() -> PlanarFrames { .none }
    func reset() {}
}

/// What goes into libFLAC's decoder and what comes out, by way of its callbacks: the bytes of a packet, the samples of
/// a frame.
final class FLACFrame {
    let memory: PlaneMemory
    /// Frames that came out.
    private(set) var count = 0
    /// What was wrong, or `nil`.
    private(set) var failure: String?
    private let sources: [Int]
    /// The bytes that are left of the packet; they stay valid for the length of a call.
    private var input = UnsafeRawBufferPointer(start: nil, count: 0)

    /// - Parameter sources: for each coded channel, which plane it fills.
    init(channelCount: Int, longest: Int, sources: [Int]) {
        memory = PlaneMemory(channelCount: channelCount, capacity: longest)
        self.sources = sources
    }

    func begin(_ packet: UnsafeRawBufferPointer) {
        (input, count, failure) = (packet, 0, nil)
    }

    static let read: FLAC__StreamDecoderReadCallback = { _, buffer, count, client in
        guard let frame = FLACFrame.of(client), let buffer, let count, !frame.input.isEmpty else {
            count?.pointee = 0
            return FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
        }
        let piece = UnsafeRawBufferPointer(rebasing: frame.input.prefix(count.pointee))
        UnsafeMutableRawBufferPointer(start: buffer, count: piece.count).copyMemory(from: piece)
        frame.input = UnsafeRawBufferPointer(rebasing: frame.input.dropFirst(piece.count))
        count.pointee = piece.count
        return FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
    }

    static let write: FLAC__StreamDecoderWriteCallback = { _, frame, planes, client in
        guard let frame, let planes else { return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT }
        FLACFrame.of(client)?.take(frame.pointee.header, planes)
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
    }

    static let fail: FLAC__StreamDecoderErrorCallback = { _, status, client in
        FLACFrame.of(client)?.failure =
            switch status {
            case FLAC__STREAM_DECODER_ERROR_STATUS_LOST_SYNC: "no start of a frame"
            case FLAC__STREAM_DECODER_ERROR_STATUS_BAD_HEADER: "a damaged header"
            case FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH: "a wrong checksum"
            default: "what libFLAC cannot read"
            }
    }

    private static func of(_ client: UnsafeMutableRawPointer?) -> FLACFrame? {
        client.map { Unmanaged<FLACFrame>.fromOpaque($0).takeUnretainedValue() }
    }

    private func take(_ header: FLAC__FrameHeader, _ planes: UnsafePointer<UnsafePointer<Int32>?>) {
        guard Int(header.channels) == sources.count else {
            failure = "a frame of \(header.channels) channels"
            return
        }
        let quantizer = SampleQuantizer(bits: Int(header.bits_per_sample))
        memory.reserve(Int(header.blocksize))
        for (channel, wanted) in sources.enumerated() {
            guard let samples = planes[channel] else { continue }
            for index in 0..<Int(header.blocksize) {
                memory.planes[wanted][index] = quantizer.sample(clamping: samples[index])
            }
        }
        count = Int(header.blocksize)
    }
}
