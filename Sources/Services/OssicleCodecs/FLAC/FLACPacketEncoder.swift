// FLAC through libFLAC.

import CFlac
import OssicleChannels
import OssicleCore

/// Encodes to FLAC in packets of 4096 frames, the last of which may be shorter. After `finish` its cookie tells the
/// number of frames and the signature of the samples.
final class FLACPacketEncoder: PacketEncoder {
    private(set) var format: PacketFormat
    let primingFrames = 0
    let remainderFrames = 0
    let maximumPacketSize: Int
    private let order: CodecChannelOrder
    private let effort: UInt32
    private let block: PacketBlock
    private let quantizer: SampleQuantizer
    private let packets = FLACPackets()
    private var encoder: OpaquePointer?
    private var integers: [Int32]
    private var isFinished = false

    static let framesPerPacket = 4096
    static let channelCounts = 1...8
    static let sampleRates = 1...655_350

    init(_ format: PacketFormat, _ settings: EncoderSettings) throws(CodecError) {
        let object = "\(format.codec) encoder", channels = format.channelCount, bits = format.codec.bitDepth
        guard let own = ChannelOrder.flac(channels) else {
            throw .channels(object, found: channels, allowed: Self.channelCounts)
        }
        guard let order = format.channelLabels.map({ CodecChannelOrder($0, codec: own) }) ?? .usual(codec: own) else {
            throw .labels(object, found: format.channelLabels ?? [], allowed: own)
        }
        guard let rate = Int(exactly: format.sampleRate), Self.sampleRates.contains(rate) else {
            throw .rate(object, found: format.sampleRate, rule: "FLAC takes whole numbers from 1 to 655350 Hz.")
        }
        try CodecError.load(.flac, for: object)
        self.order = order
        effort = UInt32((8 * (settings.qualityInRange ?? 5 / 8)).rounded())
        let info = FLACStreamInfo(sampleRate: rate, channelCount: channels, bitsPerSample: bits)
        self.format = PacketFormat(
            codec: format.codec, sampleRate: format.sampleRate, channelCount: channels,
            framesPerPacket: Self.framesPerPacket,
            cookie: info.bytes, channelLabels: order.labels)
        block = PacketBlock(channelCount: channels, size: Self.framesPerPacket)
        quantizer = SampleQuantizer(bits: bits)
        maximumPacketSize = Self.largestHeader + channels * (Self.framesPerPacket * (bits + 1) / 8 + 2)
        integers = [Int32](repeating: 0, count: Self.framesPerPacket * channels)
        try begin()
    }

    deinit { encoder.map { FLAC__stream_encoder_delete($0) } }

    /// The header of a frame, and its checksum. Sound that does not shrink is kept as it is, with a byte or two for
    /// each channel.
    private static let largestHeader = 16 + 2

    private func begin() throws(CodecError) {
        guard let fresh = FLAC__stream_encoder_new() else { throw .memory("\(format.codec) encoder") }
        encoder = fresh
        FLAC__stream_encoder_set_channels(fresh, UInt32(format.channelCount))
        FLAC__stream_encoder_set_bits_per_sample(fresh, UInt32(format.codec.bitDepth))
        FLAC__stream_encoder_set_sample_rate(fresh, UInt32(format.sampleRate))
        FLAC__stream_encoder_set_streamable_subset(fresh, 0)
        FLAC__stream_encoder_set_compression_level(fresh, effort)
        FLAC__stream_encoder_set_blocksize(fresh, UInt32(Self.framesPerPacket))
        let client = Unmanaged.passUnretained(packets).toOpaque()
        let status = FLAC__stream_encoder_init_stream(fresh, FLACPackets.write, nil, nil, FLACPackets.summarize, client)
        guard status == FLAC__STREAM_ENCODER_INIT_STATUS_OK else {
            throw CodecError(
                .unsupported, object: "\(format.codec) encoder",
                found: "\(format.sampleRate) Hz, \(format.channelCount) channels",
                rule: "libFLAC must take the format.", cure: "Choose a usual rate, such as 48000 Hz.")
        }
        packets.removeAll()
    }

    func encode(
        _ planes: [UnsafePointer<Double>], frames: Int, emit: (UnsafeRawBufferPointer, Int) -> Void
    ) throws(CodecError) {
        try checkInput(planes, frames, isFinished: isFinished)
        try block.append(order.toCodec(planes), frames) { () throws(CodecError) in try encodeBlock(emit) }
    }

    func finish(_ emit: (UnsafeRawBufferPointer, Int) -> Void) throws(CodecError) {
        guard !isFinished else { return }
        isFinished = true
        try encodeBlock(emit)
        try check(FLAC__stream_encoder_finish(encoder) != 0)
        packets.handOut(emit)
        if let info = packets.streamInfo { format.cookie = info }
    }

    private func encodeBlock(_ emit: (UnsafeRawBufferPointer, Int) -> Void) throws(CodecError) {
        guard block.count > 0 else { return }
        for (channel, plane) in block.planes.enumerated() {
            for frame in 0..<block.count {
                integers[frame * block.planes.count + channel] = quantizer.quantize(plane[frame])
            }
        }
        try check(FLAC__stream_encoder_process_interleaved(encoder, integers, UInt32(block.count)) != 0)
        packets.handOut(emit)
    }

    private func check(_ isGood: Bool) throws(CodecError) {
        guard !isGood else { return }
        throw CodecError(
            .failed, object: "\(format.codec) encoder",
            found: "libFLAC's failure \(FLAC__stream_encoder_get_state(encoder))",
            rule: "It must take every block of sound.", cure: "Reset the encoder.")
    }

    func reset() throws(CodecError) {
        encoder.map { FLAC__stream_encoder_delete($0) }
        encoder = nil
        block.removeAll()
        isFinished = false
        try begin()
    }
}

/// What libFLAC's encoder gives to its callbacks: packets, and at last the STREAMINFO block.
final class FLACPackets {
    private(set) var streamInfo: [UInt8]?
    private var bytes: [UInt8] = []
    private var spans: [PacketSpan] = []

    /// Emits the packets that came and forgets them.
    func handOut(_ emit: (UnsafeRawBufferPointer, Int) -> Void) {
        bytes.withUnsafeBytes { memory in
            for span in spans {
                emit(
                    UnsafeRawBufferPointer(rebasing: memory[span.offset..<span.offset + span.byteCount]),
                    span.frameCount)
            }
        }
        bytes.removeAll(keepingCapacity: true)
        spans.removeAll(keepingCapacity: true)
    }

    func removeAll() {
        handOut { _, _ in }
        streamInfo = nil
    }

    static let write: FLAC__StreamEncoderWriteCallback = { _, buffer, count, frames, _, client in
        let isPacket = frames > 0
        if isPacket, let packets = FLACPackets.of(client) {
            packets.spans.append(PacketSpan(offset: packets.bytes.count, byteCount: count, frameCount: Int(frames)))
            packets.bytes.append(contentsOf: UnsafeBufferPointer(start: buffer, count: count))
        }
        return FLAC__STREAM_ENCODER_WRITE_STATUS_OK
    }

    static let summarize: FLAC__StreamEncoderMetadataCallback = { _, metadata, client in
        guard let metadata, metadata.pointee.type == FLAC__METADATA_TYPE_STREAMINFO else { return }
        let stated = metadata.pointee.data.stream_info
        var info = FLACStreamInfo(
            sampleRate: Int(stated.sample_rate), channelCount: Int(stated.channels),
            bitsPerSample: Int(stated.bits_per_sample))
        (info.minimumBlockSize, info.maximumBlockSize) = (Int(stated.min_blocksize), Int(stated.max_blocksize))
        (info.minimumFrameSize, info.maximumFrameSize) = (Int(stated.min_framesize), Int(stated.max_framesize))
        info.frameCount = Int64(clamping: stated.total_samples)
        info.signature = withUnsafeBytes(of: stated.md5sum) { Array($0) }
        FLACPackets.of(client)?.streamInfo = info.bytes
    }

    private static func of(_ client: UnsafeMutableRawPointer?) -> FLACPackets? {
        client.map { Unmanaged<FLACPackets>.fromOpaque($0).takeUnretainedValue() }
    }
}
