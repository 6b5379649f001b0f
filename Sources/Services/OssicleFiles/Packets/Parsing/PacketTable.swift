// What the packet table of a CAF file tells, and indices made of it.

import OssicleCodecs

/// Packets of a file that have no common size.
struct PacketTable {
    var packetCount: Int64
    var primingFrames: Int
    var remainderFrames: Int
    /// Sizes and frame counts of packets, those of the two that differ from packet to packet, as numbers in groups of
    /// seven bits.
    var entries: [UInt8]
}

extension PacketIndex {
    /// The packets of audio data of `byteCount` bytes from byte `offset` of the file on.
    init(
        _ format: StreamFormat, _ table: PacketTable?, at offset: Int64, byteCount: Int64, window: ParserWindow
    ) throws(AudioFileError) {
        let size = format.bytesPerPacket, frames = format.framesPerPacket
        guard size == 0 || frames == 0 else {
            self.init(constantSize: size, framesPerPacket: frames, at: offset, byteCount: byteCount)
            return
        }
        guard let table else {
            guard window.isFile else { throw .tableBehind(window.name) }
            throw window.damaged(
                "packets of different size without a table", rule: "A packet table tells where such packets begin.")
        }
        self.init()
        place(at: offset)
        try table.entries.withBytes { bytes throws(AudioFileError) in
            var cursor = ByteCursor(bytes)
            for _ in 0..<max(0, table.packetCount) {
                guard let bytes = size > 0 ? Int64(size) : cursor.grouped(),
                    let frames = frames > 0 ? Int64(frames) : cursor.grouped()
                else { break }
                guard bytes > 0, bytes <= Int64(UInt32.max), frames <= Int64(UInt32.max) else {
                    throw window.damaged(
                        "a packet of \(bytes) bytes with \(frames) frames",
                        rule: "Packets have bytes and at most 4294967295 of them.")
                }
                guard bytes <= byteCount - self.byteCount else { break }
                append(size: Int(bytes), frames: Int(frames))
            }
        }
    }
}

extension AudioFileError {
    /// The refusal of a stream whose tables follow its data.
    static func tableBehind(_ name: String) -> AudioFileError {
        AudioFileError(
            .notOptimized, path: name, found: "the table of packets follows the audio, or is not there",
            rule: "Bytes that come in order can only be cut into packets by a table that comes first.",
            cure: "Read it as a file, or write the file again with its tables in front.")
    }
}

extension StreamFormat {
    /// The same with what was found beside it.
    func completed(cookie: [UInt8]?, labels: [UInt32]?) -> StreamFormat {
        switch self {
        case .pcm(var format):
            format.channelLabels = labels ?? format.channelLabels
            return .pcm(format)
        case .packets(var format):
            format.channelLabels = labels ?? format.channelLabels
            format.cookie = cookie ?? format.cookie
            return .packets(format)
        }
    }
}
