import CFlac

/// What libFLAC's encoder gives to its callbacks: packets, and at last the STREAMINFO block.
final class FLACPackets {
    private(set) var streamInfo: [UInt8]?
    private var bytes: [UInt8] = []
    private var spans: [PacketSpan] = []

    /// Hands out the packets that came and forgets them.
    func handOut(_ emit: (UnsafeRawBufferPointer, Int) -> Void) {
        bytes.withUnsafeBytes { memory in
            for span in spans { emit(UnsafeRawBufferPointer(rebasing: memory[span.offset..<span.offset + span.byteCount]), span.frameCount) }
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
        let told = metadata.pointee.data.stream_info
        var info = FLACStreamInfo(sampleRate: Int(told.sample_rate), channelCount: Int(told.channels), bitsPerSample: Int(told.bits_per_sample))
        (info.minimumBlockSize, info.maximumBlockSize) = (Int(told.min_blocksize), Int(told.max_blocksize))
        (info.minimumFrameSize, info.maximumFrameSize) = (Int(told.min_framesize), Int(told.max_framesize))
        info.frameCount = Int64(clamping: told.total_samples)
        info.signature = withUnsafeBytes(of: told.md5sum) { Array($0) }
        FLACPackets.of(client)?.streamInfo = info.bytes
    }

    private static func of(_ client: UnsafeMutableRawPointer?) -> FLACPackets? {
        client.map { Unmanaged<FLACPackets>.fromOpaque($0).takeUnretainedValue() }
    }
}
