import CFlac

/// What goes into libFLAC's decoder and what comes out, by way of its callbacks: the bytes of a packet, the samples of a frame.
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
        FLACFrame.of(client)?.failure = switch status {
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
            for index in 0..<Int(header.blocksize) { memory.planes[wanted][index] = quantizer.sample(clamping: samples[index]) }
        }
        count = Int(header.blocksize)
    }
}
