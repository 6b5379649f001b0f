// The table of packets in an MPEG-4 file.

import OssicleCodecs

extension MPEG4Track {
    func table(isEmpty: Bool) -> [UInt8] {
        let times = isEmpty ? [] : durations.map { (UInt32(clamping: $0.packets), UInt32(clamping: $0.frames)) }
        let lengths = isEmpty ? [] : sizes
        let description = MPEG4Box.full("stsd", [0, 0, 0, 1], sampleEntry)
        return MPEG4Box.box("stbl", description, MPEG4Box.full("stts", MPEG4Box.list(times) { MPEG4Box.bytes($0.0) + MPEG4Box.bytes($0.1) }),
                            MPEG4Box.full("stsc", MPEG4Box.list(isEmpty ? [] : runs) { MPEG4Box.bytes($0.first) + MPEG4Box.bytes($0.packets) + [0, 0, 0, 1] }),
                            MPEG4Box.full("stsz", MPEG4Box.zeros(4), MPEG4Box.list(lengths) { MPEG4Box.bytes($0) }), offsets(isEmpty ? [] : chunks))
    }

    /// Chunks of the same number of packets, told once: the first of them, counted from 1.
    private var runs: [(first: UInt32, packets: UInt32)] {
        var runs: [(first: UInt32, packets: UInt32)] = []
        for (index, chunk) in chunks.enumerated() where Int(runs.last?.packets ?? 0) != chunk.packetCount {
            runs.append((UInt32(clamping: index + 1), UInt32(clamping: chunk.packetCount)))
        }
        return runs
    }

    private func offsets(_ chunks: [Chunk]) -> [UInt8] {
        let isLong = (chunks.last?.offset ?? 0) > Int64(UInt32.max)
        return MPEG4Box.full(isLong ? "co64" : "stco", MPEG4Box.list(chunks) { isLong ? MPEG4Box.bytes($0.offset) : MPEG4Box.bytes(UInt32(clamping: $0.offset)) })
    }

    /// The codec with its cookie: an ES descriptor for AAC (ISO/IEC 14496-14), 24 bytes for Apple Lossless. Rates beyond 16 bits stand in the cookie alone.
    private var sampleEntry: [UInt8] {
        let isAAC = format.codec == .aac, rate = format.sampleRate < 65_536 ? UInt32(format.sampleRate) << 16 : 0
        let general = MPEG4Box.zeros(6) + [0, 1] + MPEG4Box.zeros(8) + MPEG4Box.bytes(UInt16(clamping: format.channelCount))
            + MPEG4Box.bytes(UInt16(clamping: isAAC ? 16 : bits)) + MPEG4Box.zeros(4) + MPEG4Box.bytes(rate)
        return MPEG4Box.box(isAAC ? "mp4a" : "alac", general, MPEG4Box.full(isAAC ? "esds" : "alac", format.cookie))
    }
}
