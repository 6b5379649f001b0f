// FLAC through libFLAC.

import CFlac

/// Encodes to FLAC in packets of 4096 frames, the last of which may be shorter. After `finish` its cookie tells the number of frames and the
/// signature of the samples.
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
    private var encoder: UnsafeMutablePointer<FLAC__StreamEncoder>?
    private var integers: [Int32]
    private var isFinished = false

    static let framesPerPacket = 4096
    static let channelCounts = 1...8
    static let sampleRates = 1...655_350

    init(_ format: PacketFormat, _ settings: EncoderSettings) throws(CodecError) {
        let object = "\(format.codec) encoder", channels = format.channelCount, bits = format.codec.bitDepth
        guard let own = CodecChannelOrder.flac(channels) else { throw .channels(object, found: channels, allowed: Self.channelCounts) }
        guard let order = format.channelLabels.map({ CodecChannelOrder($0, codec: own) }) ?? .usual(codec: own) else {
            throw .labels(object, found: format.channelLabels ?? [], allowed: own)
        }
        guard let rate = Int(exactly: format.sampleRate), Self.sampleRates.contains(rate) else {
            throw .rate(object, found: format.sampleRate, rule: "FLAC takes whole numbers from 1 to 655350 Hz.")
        }
        self.order = order
        effort = UInt32((8 * (settings.qualityInRange ?? 5 / 8)).rounded())
        let info = FLACStreamInfo(sampleRate: rate, channelCount: channels, bitsPerSample: bits)
        self.format = PacketFormat(codec: format.codec, sampleRate: format.sampleRate, channelCount: channels, framesPerPacket: Self.framesPerPacket,
                                   cookie: info.bytes, channelLabels: order.labels)
        block = PacketBlock(channelCount: channels, size: Self.framesPerPacket)
        quantizer = SampleQuantizer(bits: bits)
        maximumPacketSize = Self.largestHeader + channels * (Self.framesPerPacket * (bits + 1) / 8 + 2)
        integers = [Int32](repeating: 0, count: Self.framesPerPacket * channels)
        try begin()
    }

    deinit { encoder.map { FLAC__stream_encoder_delete($0) } }

    /// The header of a frame, and its checksum. Sound that does not shrink is kept as it is, with a byte or two for each channel.
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
            throw CodecError(.unsupported, object: "\(format.codec) encoder", found: "\(format.sampleRate) Hz, \(format.channelCount) channels",
                             rule: "libFLAC must take the format.", cure: "Choose a usual rate, such as 48000 Hz.")
        }
        packets.removeAll()
    }

    func encode(_ planes: [UnsafePointer<Double>], frames: Int, _ emit: (UnsafeRawBufferPointer, Int) -> Void) throws(CodecError) {
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
            for frame in 0..<block.count { integers[frame * block.planes.count + channel] = quantizer.quantize(plane[frame]) }
        }
        try check(FLAC__stream_encoder_process_interleaved(encoder, integers, UInt32(block.count)) != 0)
        packets.handOut(emit)
    }

    private func check(_ isGood: Bool) throws(CodecError) {
        guard !isGood else { return }
        throw CodecError(.failed, object: "\(format.codec) encoder", found: "libFLAC's failure \(FLAC__stream_encoder_get_state(encoder).rawValue)",
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
