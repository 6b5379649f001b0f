// Opus for calls through libopus: packets that get lost, and neither memory nor errors on the way.

import COpus

/// Decodes the Opus packets of one call at 48 kHz to one channel, with what stands in for packets that are missing. One
/// thread at a time.
package final class OpusVoiceDecoder {
    package static let sampleRate = 48_000
    /// Frames of a packet at most: 120 ms.
    package static let mostFrames = 5760
    private let decoder: OpaquePointer

    package init() throws(CodecError) {
        try CodecError.load(.opus, for: "opus decoder")
        let mapping: [UInt8] = [0]
        guard let decoder = opus_multistream_decoder_create(Int32(Self.sampleRate), 1, 1, 0, mapping, nil) else {
            throw .memory("opus decoder")
        }
        self.decoder = decoder
    }

    deinit { opus_multistream_decoder_destroy(decoder) }

    /// Frames that were written; nil for a packet that is none.
    /// - Parameter output: room for `mostFrames`.
    package func decode(_ packet: [UInt8], into output: UnsafeMutablePointer<Float>) -> Int? {
        let count = opus_multistream_decode_float(
            decoder, packet, Int32(clamping: packet.count), output, Int32(Self.mostFrames), 0)
        return count > 0 ? Int(count) : nil
    }

    /// Sound in place of `frames` frames (a multiple of 120) that are missing: from the redundancy in the packet behind
    /// them where it is there, else continued from what was before.
    package func conceal(
        _ frames: Int, before next: [UInt8]?, into output: UnsafeMutablePointer<Float>
    ) -> Int? {
        let count = opus_multistream_decode_float(
            decoder, next, Int32(clamping: next?.count ?? 0), output, Int32(frames), next == nil ? 0 : 1)
        return count > 0 ? Int(count) : nil
    }

    package func reset() { _ = ossicle_opus_decoder_reset(decoder) }
}

/// Encodes the sound of a call at 48 kHz, 20 ms at a time. One thread at a time.
package final class OpusVoiceEncoder {
    package static let framesPerPacket = 960
    package let channelCount: Int
    private let encoder: OpaquePointer
    private var packet = [UInt8](repeating: 0, count: 1500)

    /// - Parameters:
    ///   - channelCount: 1 for speech with redundancy for lost packets, 2 for a mix.
    ///   - bitRate: bit/s, 6,000 to 510,000. - complexity: 0 … 10. - loss: expected share of lost packets, 0 … 1.
    package init(channelCount: Int, bitRate: Int, complexity: Int, loss: Double = 0) throws(CodecError) {
        try CodecError.load(.opus, for: "opus encoder")
        self.channelCount = min(max(channelCount, 1), 2)
        var (streams, coupled, error): (Int32, Int32, Int32) = (0, 0, 0)
        var mapping = [UInt8](repeating: 0, count: 2)
        let made = opus_multistream_surround_encoder_create(
            Int32(OpusVoiceDecoder.sampleRate), Int32(self.channelCount), 0, &streams, &coupled, &mapping,
            self.channelCount == 1 ? OPUS_APPLICATION_VOIP : OPUS_APPLICATION_AUDIO, &error)
        guard let made else { throw .memory("opus encoder") }
        encoder = made
        for (request, value) in [
            (OPUS_SET_BITRATE_REQUEST, bitRate), (OPUS_SET_COMPLEXITY_REQUEST, complexity),
            (OPUS_SET_INBAND_FEC_REQUEST, self.channelCount == 1 && loss > 0 ? 1 : 0),
            (OPUS_SET_PACKET_LOSS_PERC_REQUEST, Int((min(max(loss, 0), 1) * 100).rounded())),
        ] {
            _ = ossicle_opus_encoder_set(encoder, request, Int32(clamping: value))
        }
    }

    deinit { opus_multistream_encoder_destroy(encoder) }

    /// A packet of `framesPerPacket` interleaved frames; empty where libopus refuses.
    package func encode(_ frames: UnsafePointer<Float>) -> [UInt8] {
        let count = opus_multistream_encode_float(
            encoder, frames, Int32(Self.framesPerPacket), &packet, Int32(packet.count))
        return Array(packet.prefix(max(Int(count), 0)))
    }
}
