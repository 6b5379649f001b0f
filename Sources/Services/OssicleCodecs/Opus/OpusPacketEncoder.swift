// Opus through libopus.

import COpus
import OssicleChannels

/// Encodes to Opus in packets of 20 ms. One or two channels make one stream; more are coupled and mapped by libopus in
/// the order of Vorbis, and it limits the band of the low-frequency channel. libopus picks its vector code by
/// processor: another machine may make other bytes of the same sound.
final class OpusPacketEncoder: PacketEncoder {
    let format: PacketFormat
    let primingFrames: Int
    private(set) var remainderFrames = 0
    let maximumPacketSize: Int
    private let settings: EncoderSettings
    private let order: CodecChannelOrder
    private let block: PacketBlock
    private var encoder: OpaquePointer
    private var interleaved: [Float]
    private var packet: [UInt8]
    private var inputFrames = 0
    private var codedFrames = 0
    private var isFinished = false

    init(_ format: PacketFormat, _ settings: EncoderSettings) throws(CodecError) {
        let channels = format.channelCount
        try OpusRange.check(format.sampleRate, "opus encoder")
        guard let own = ChannelOrder.vorbis(channels) else {
            throw .channels("opus encoder", found: channels, allowed: OpusRange.channelCounts)
        }
        guard let order = format.channelLabels.map({ CodecChannelOrder($0, codec: own) }) ?? .usual(codec: own) else {
            throw .labels("opus encoder", found: format.channelLabels ?? [], allowed: own)
        }
        try settings.checkBitRate("opus encoder", OpusRange.bitRates(channels))
        try CodecError.load(.opus, for: "opus encoder")
        self.order = order
        self.settings = settings
        var header = OpusHeader(plainChannels: min(channels, 2))
        encoder = try Self.makeEncoder(Int32(format.sampleRate), Int32(channels), settings: settings, header: &header)
        var lookahead: Int32 = 0
        _ = ossicle_opus_encoder_get(encoder, OPUS_GET_LOOKAHEAD_REQUEST, &lookahead)
        primingFrames = Int(lookahead)
        header.preSkip = primingFrames * 48_000 / Int(format.sampleRate)
        header.inputSampleRate = Int(format.sampleRate)
        let framesPerPacket = Int(format.sampleRate) / 50
        maximumPacketSize = Self.largestOfStream * header.streamCount
        self.format = PacketFormat(
            codec: .opus, sampleRate: format.sampleRate, channelCount: channels, framesPerPacket: framesPerPacket,
            cookie: header.bytes, channelLabels: order.labels)
        block = PacketBlock(channelCount: channels, size: framesPerPacket)
        interleaved = [Float](repeating: 0, count: framesPerPacket * channels)
        packet = [UInt8](repeating: 0, count: maximumPacketSize)
    }

    deinit { opus_multistream_encoder_destroy(encoder) }

    /// A frame of 1275 bytes, its table of contents and, within a packet of several streams, its length.
    private static let largestOfStream = 1275 + 1 + 2

    /// Fills in the streams and their mapping.
    private static func makeEncoder(
        _ rate: Int32, _ channels: Int32, settings: EncoderSettings,
        header: inout OpusHeader
    ) throws(CodecError) -> OpaquePointer {
        let family: Int32 = channels <= 2 ? 0 : 1
        var streams: Int32 = 0, coupled: Int32 = 0, error: Int32 = 0
        var mapping = [UInt8](repeating: 0, count: Int(channels))
        let encoder = opus_multistream_surround_encoder_create(
            rate, channels, family, &streams, &coupled, &mapping, OPUS_APPLICATION_AUDIO, &error)
        guard let encoder else { throw .memory("opus encoder") }
        header = OpusHeader(
            channelCount: Int(channels), preSkip: 0, inputSampleRate: 0, mappingFamily: Int(family),
            streamCount: Int(streams),
            coupledCount: Int(coupled), mapping: mapping)
        for (request, value) in requests(settings, Int(channels)) {
            _ = ossicle_opus_encoder_set(encoder, request, value)
        }
        return encoder
    }

    /// Without a bit rate, quality 0 ... 1 stands for 16 ... 128 kbit/s a channel.
    private static func requests(_ settings: EncoderSettings, _ channels: Int) -> [(Int32, Int32)] {
        var requests: [(Int32, Int32)] = []
        let quality = settings.qualityInRange
        let bitRate = settings.bitRate ?? quality.map { Int(16_000 + 112_000 * $0) * channels }
        if let bitRate { requests.append((OPUS_SET_BITRATE_REQUEST, Int32(clamping: bitRate))) }
        if let quality { requests.append((OPUS_SET_COMPLEXITY_REQUEST, Int32(5 + 5 * quality))) }
        if let strategy = settings.strategy {
            requests.append((OPUS_SET_VBR_REQUEST, strategy == .constant ? 0 : 1))
            requests.append((OPUS_SET_VBR_CONSTRAINT_REQUEST, strategy == .variable ? 0 : 1))
        }
        return requests
    }

    func encode(
        _ planes: [UnsafePointer<Double>], frames: Int, emit: (UnsafeRawBufferPointer, Int) -> Void
    ) throws(CodecError) {
        try checkInput(planes, frames, isFinished: isFinished)
        inputFrames += frames
        try block.append(order.toCodec(planes), frames) { () throws(CodecError) in try encodeBlock(emit) }
    }

    /// Silence pushes the last frames through the look-ahead.
    func finish(_ emit: (UnsafeRawBufferPointer, Int) -> Void) throws(CodecError) {
        guard !isFinished else { return }
        isFinished = true
        while inputFrames > 0, codedFrames < primingFrames + inputFrames {
            block.pad()
            try encodeBlock(emit)
            block.removeAll()
        }
        remainderFrames = max(codedFrames - primingFrames - inputFrames, 0)
    }

    private func encodeBlock(_ emit: (UnsafeRawBufferPointer, Int) -> Void) throws(CodecError) {
        for (channel, plane) in block.planes.enumerated() {
            for frame in 0..<block.size { interleaved[frame * block.planes.count + channel] = Float(plane[frame]) }
        }
        let count = opus_multistream_encode_float(encoder, interleaved, Int32(block.size), &packet, Int32(packet.count))
        guard count > 0 else {
            throw CodecError(
                .failed, object: "opus encoder", found: String(cString: opus_strerror(count)),
                rule: "libopus must take every block of sound.", cure: "Reset the encoder.")
        }
        codedFrames += block.size
        packet.withUnsafeBytes { emit(UnsafeRawBufferPointer(rebasing: $0.prefix(Int(count))), block.size) }
    }

    func reset() throws(CodecError) {
        var header = OpusHeader(plainChannels: min(format.channelCount, 2))
        let fresh = try Self.makeEncoder(
            Int32(format.sampleRate), Int32(format.channelCount), settings: settings, header: &header)
        opus_multistream_encoder_destroy(encoder)
        encoder = fresh
        block.removeAll()
        (inputFrames, codedFrames, remainderFrames, isFinished) = (0, 0, 0, false)
    }
}

/// What Opus can do.
enum OpusRange {
    static let sampleRates = [8000.0, 12_000, 16_000, 24_000, 48_000]
    static let channelCounts = 1...8

    static func check(_ sampleRate: Double, _ object: String) throws(CodecError) {
        guard !sampleRates.contains(sampleRate) else { return }
        throw .rate(object, found: sampleRate, rule: "Opus works at 8000, 12000, 16000, 24000 or 48000 Hz.")
    }

    static func encoderRange(_ channelCount: Int) -> EncoderRange {
        EncoderRange(bitRates: bitRates(channelCount), sampleRates: sampleRates, channelCounts: channelCounts)
    }

    /// Bits per second of a whole stream, from speech at the lowest to what libopus gives at most.
    static func bitRates(_ channelCount: Int) -> ClosedRange<Int> {
        let channels = min(max(channelCount, 1), channelCounts.upperBound)
        return 6000 * channels...300_000 * channels
    }
}
