// Opus through libopus.

import COpus
import OssicleChannels

/// Decodes Opus (RFC 6716), with one or two channels, or up to 255 that the identification header maps to streams. The
/// format's rate is the one at which sound is decoded and frames are counted: 8, 12, 16, 24 or 48 kHz, whatever was
/// encoded.
final class OpusPacketDecoder: PacketDecoder {
    let format: PacketFormat
    /// The encoder's pre-skip covers the decoder too.
    let delay = 0
    private let decoder: OpaquePointer
    private let order: CodecChannelOrder
    /// No packet holds more: 120 ms.
    private let mostFrames: Int
    private let memory: PlaneMemory
    private var interleaved: [Float]

    init(_ format: PacketFormat) throws(CodecError) {
        try OpusRange.check(format.sampleRate, "opus decoder")
        try CodecError.load(.opus, for: "opus decoder")
        let header = try Self.header(of: format)
        order = Self.order(format.channelLabels, header)
        var result = format
        result.channelCount = header.channelCount
        result.channelLabels = order.labels
        self.format = result
        let decoder = opus_multistream_decoder_create(
            Int32(format.sampleRate), Int32(header.channelCount), Int32(header.streamCount),
            Int32(header.coupledCount), header.mapping, nil)
        guard let decoder else { throw .memory("opus decoder") }
        self.decoder = decoder
        _ = ossicle_opus_decoder_set(decoder, OPUS_SET_GAIN_REQUEST, Int32(header.outputGain))
        mostFrames = Int(format.sampleRate) * 120 / 1000
        memory = PlaneMemory(channelCount: header.channelCount, capacity: mostFrames)
        interleaved = [Float](repeating: 0, count: mostFrames * header.channelCount)
    }

    deinit { opus_multistream_decoder_destroy(decoder) }

    /// One or two channels need no header: some containers carry another kind of cookie.
    private static func header(of format: PacketFormat) throws(CodecError) -> OpusHeader {
        if let header = OpusHeader(cookie: format.cookie) { return header }
        guard (1...2).contains(format.channelCount) else {
            throw .damagedCookie(
                "opus decoder", found: "\(format.channelCount) channels and a cookie of \(format.cookie.count) bytes",
                rule: "More than two channels need an identification header (RFC 7845, 5.1).")
        }
        return OpusHeader(plainChannels: format.channelCount)
    }

    private static func order(_ labels: [UInt32]?, _ header: OpusHeader) -> CodecChannelOrder {
        guard header.mappingFamily <= 1, let own = ChannelOrder.vorbis(header.channelCount) else {
            return .asCoded(header.channelCount, labels?.count == header.channelCount ? labels : nil)
        }
        return labels.flatMap { CodecChannelOrder($0, codec: own) } ?? .usual(codec: own)
    }

    func decode(_ packet: UnsafeRawBufferPointer) throws(CodecError) -> PlanarFrames {
        let bytes = packet.bindMemory(to: UInt8.self)
        let count =
            packet.isEmpty
            ? OPUS_INVALID_PACKET
            : opus_multistream_decode_float(
                decoder, bytes.baseAddress, Int32(clamping: packet.count), &interleaved, Int32(mostFrames), 0)
        guard count >= 0 else {
            throw .damagedPacket(
                "opus decoder", found: "\(packet.count) bytes: \(String(cString: opus_strerror(count)))",
                rule: "A packet has the form of RFC 6716, 3.")
        }
        for (channel, wanted) in order.sources.enumerated() {
            let plane = memory.planes[wanted]
            for frame in 0..<Int(count) {
                plane[frame] = DecodedRange.clamp(Double(interleaved[frame * order.sources.count + channel]))
            }
        }
        return memory.frames(Int(count))
    }

    func drain() -> PlanarFrames { .none }
    func reset() { _ = ossicle_opus_decoder_reset(decoder) }
}
