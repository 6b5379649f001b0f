// MPEG audio, layers I to III, through libmpg123.

import CMpg123

/// Decodes MPEG audio frame by frame; each packet is a whole frame with its header. A frame of layer III may lean on
/// bytes of the ones before it: after `reset` the first are not right until enough have come. libmpg123 drops no frames
/// here: the caller that knows the priming does.
final class MPEGPacketDecoder: PacketDecoder {
    let format: PacketFormat
    let delay: Int
    private let decoder: OpaquePointer
    private let memory: PlaneMemory
    private let layer: Int

    init(_ format: PacketFormat) throws(CodecError) {
        let object = "\(format.codec) decoder"
        layer = format.codec == .mp1 ? 1 : format.codec == .mp2 ? 2 : 3
        delay = layer == 3 ? Self.hybridDelay : Self.polyphaseDelay
        guard (1...2).contains(format.channelCount) else {
            throw .channels(object, found: format.channelCount, allowed: 1...2)
        }
        guard let framesPerPacket = Self.framesPerPacket(layer, format.sampleRate) else {
            throw .rate(
                object, found: format.sampleRate,
                rule: "MPEG audio has 8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100 or 48000 Hz.")
        }
        var result = format
        result.framesPerPacket = framesPerPacket
        result.channelLabels = format.channelLabels ?? (format.channelCount == 1 ? [42] : [1, 2])
        self.format = result
        memory = PlaneMemory(channelCount: format.channelCount, capacity: Self.mostFrames)
        try CodecError.load(.mpg123, for: object)
        guard let decoder = mpg123_new(nil, nil) else { throw .memory(object) }
        self.decoder = decoder
        let flags = [MPG123_QUIET, MPG123_FORCE_FLOAT, MPG123_IGNORE_INFOFRAME, MPG123_NO_READAHEAD, MPG123_SKIP_ID3V2]
            .reduce(0, |)
        mpg123_param(decoder, Int32(MPG123_FLAGS), flags, 0)
        mpg123_param(decoder, Int32(MPG123_REMOVE_FLAGS), MPG123_GAPLESS, 0)
        guard mpg123_open_feed(decoder) == MPG123_OK else { throw .memory(object) }
    }

    deinit { mpg123_delete(decoder) }

    /// Half of what the filter banks of encoder and decoder take together, 481 frames; the transform of layer III takes
    /// 288 more on either side.
    private static let polyphaseDelay = 241
    private static let hybridDelay = polyphaseDelay + 288
    private static let mostFrames = 1152

    /// `nil` at a rate that the layer does not have.
    private static func framesPerPacket(_ layer: Int, _ sampleRate: Double) -> Int? {
        switch sampleRate {
        case 32_000, 44_100, 48_000: layer == 1 ? 384 : 1152
        case 16_000, 22_050, 24_000: layer == 1 ? 384 : layer == 2 ? 1152 : 576
        case 8000, 11_025, 12_000: layer == 3 ? 576 : nil
        default: nil
        }
    }

    func decode(_ packet: UnsafeRawBufferPointer) throws(CodecError) -> PlanarFrames {
        let frame = try wholeFrame(of: packet)
        mpg123_feed(decoder, frame.baseAddress?.assumingMemoryBound(to: UInt8.self), frame.count)
        var bytes: UnsafeMutablePointer<UInt8>?
        var byteCount = 0
        var status = mpg123_decode_frame(decoder, nil, &bytes, &byteCount)
        if status == MPG123_NEW_FORMAT { status = mpg123_decode_frame(decoder, nil, &bytes, &byteCount) }
        guard status == MPG123_OK, let bytes else {
            reset()
            throw damaged(found: String(cString: mpg123_plain_strerror(status)))
        }
        return deinterleave(UnsafeRawBufferPointer(start: bytes, count: byteCount))
    }

    /// The packet as far as its header reaches: so the library never has to look for the next one.
    private func wholeFrame(of packet: UnsafeRawBufferPointer) throws(CodecError) -> UnsafeRawBufferPointer {
        guard let header = MPEGHeader(packet) else {
            throw damaged(found: "\(packet.count) bytes that do not begin with a header")
        }
        guard header.layer == layer, Double(header.sampleRate) == format.sampleRate,
            header.channelCount == format.channelCount
        else {
            throw damaged(found: "layer \(header.layer), \(header.sampleRate) Hz, \(header.channelCount) channels")
        }
        guard header.byteCount > 0, packet.count >= header.byteCount else {
            throw damaged(
                found: header.byteCount == 0 ? "a free bit rate" : "\(packet.count) of \(header.byteCount) bytes")
        }
        return UnsafeRawBufferPointer(rebasing: packet.prefix(header.byteCount))
    }

    private func damaged(found: String) -> CodecError {
        .damagedPacket(
            "\(format.codec) decoder", found: found,
            rule:
                "A packet is one whole frame with its header and a bit rate of the table, of the stream's layer, rate and channels."
        )
    }

    private func deinterleave(_ bytes: UnsafeRawBufferPointer) -> PlanarFrames {
        let samples = bytes.bindMemory(to: Float.self)
        let channels = format.channelCount
        let frames = min(samples.count / channels, memory.capacity)
        if channels == 2 {
            let (left, right) = (memory.planes[0], memory.planes[1])
            for frame in 0..<frames {
                left[frame] = DecodedRange.clamp(Double(samples[2 * frame]))
                right[frame] = DecodedRange.clamp(Double(samples[2 * frame + 1]))
            }
            return memory.frames(frames)
        }
        for (channel, plane) in memory.planes.enumerated() {
            for frame in 0..<frames { plane[frame] = DecodedRange.clamp(Double(samples[frame * channels + channel])) }
        }
        return memory.frames(frames)
    }

    func drain() -> PlanarFrames { .none }
    func reset() { mpg123_open_feed(decoder) }
}
