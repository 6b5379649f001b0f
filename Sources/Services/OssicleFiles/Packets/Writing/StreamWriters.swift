// Streams of frames to be written: MPEG audio, ADTS and FLAC.

import OssicleCodecs

/// MPEG audio: one packet behind the other.
struct MPEGWriter: ContainerWriter {
    private var position: Int64 = 0

    func begin(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError) {
        guard case .packets(let format) = facts.format, [.mp1, .mp2, .mp3].contains(format.codec) else {
            throw facts.unsupported(.mpeg, rule: "An MPEG audio file holds MP1, MP2 or MP3.")
        }
    }

    mutating func append(
        _ bytes: UnsafeRawBufferPointer, _ spans: [PacketSpan], facts: WriterFacts, sink: any ByteSink
    ) throws(AudioFileError) {
        for span in spans {
            try sink.write(
                UnsafeRawBufferPointer(rebasing: bytes[span.offset..<span.offset + span.byteCount]), at: position)
            position += Int64(span.byteCount)
        }
    }

    func finish(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError) {}
}

/// AAC with a header in front of each packet.
struct ADTSWriter: ContainerWriter {
    private var position: Int64 = 0
    private var configuration: AACConfiguration?

    mutating func begin(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError) {
        guard case .packets(let format) = facts.format, [.aac, .heAAC, .heAACv2].contains(format.codec),
            let configuration = AACConfiguration(cookie: facts.cookie),
            ADTSHeader.bytes(configuration, byteCount: 1) != nil
        else {
            throw facts.unsupported(
                .adts,
                rule:
                    "ADTS holds AAC at a rate of the standard's table with 1 to 6 or 8 channels, given its AudioSpecificConfig."
            )
        }
        self.configuration = configuration
    }

    mutating func append(
        _ bytes: UnsafeRawBufferPointer, _ spans: [PacketSpan], facts: WriterFacts, sink: any ByteSink
    ) throws(AudioFileError) {
        var frames: [UInt8] = []
        for span in spans {
            guard let header = configuration.flatMap({ ADTSHeader.bytes($0, byteCount: span.byteCount) }) else {
                throw AudioFileError(
                    .outOfRange, path: facts.name, found: "a packet of \(span.byteCount) bytes",
                    rule: "ADTS packets have at most 8184 bytes.",
                    cure: "Lower the bit rate, or write M4A.")
            }
            frames += header
            frames += bytes[span.offset..<span.offset + span.byteCount]
        }
        try sink.write(frames, at: position)
        position += Int64(frames.count)
    }

    func finish(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError) {}
}

/// FLAC: STREAMINFO, comments and frames. What STREAMINFO counts is put in at the end; until then it says that it is
/// not known.
struct FlacWriter: ContainerWriter {
    private var position: Int64 = 0
    private var info: FLACStreamInfo?
    private var smallest = Int.max

    mutating func begin(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError) {
        guard case .packets(let format) = facts.format, [.flac8, .flac16, .flac24].contains(format.codec),
            let info = FLACStreamInfo(cookie: facts.cookie)
        else {
            throw facts.unsupported(.flac, rule: "A FLAC file holds FLAC, given its STREAMINFO block.")
        }
        self.info = info
        var head = ByteBuilder()
        head.name("fLaC")
        head.big(UInt32(FLACStreamInfo.byteCount))
        head.append(info.counting(frames: 0, smallest: 0, largest: 0))
        let comments = VorbisComments.body(facts.metadata)
        head.big(UInt32(0x8400_0000) | UInt32(min(comments.count, 0xFF_FFFF)))
        head.append(comments)
        try sink.write(head.bytes, at: 0)
        position = Int64(head.count)
    }

    mutating func append(
        _ bytes: UnsafeRawBufferPointer, _ spans: [PacketSpan], facts: WriterFacts, sink: any ByteSink
    ) throws(AudioFileError) {
        for span in spans {
            try sink.write(
                UnsafeRawBufferPointer(rebasing: bytes[span.offset..<span.offset + span.byteCount]), at: position)
            position += Int64(span.byteCount)
            smallest = min(smallest, span.byteCount)
        }
    }

    func finish(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError) {
        guard let info, facts.packetCount > 0 else { return }
        try sink.write(
            info.counting(frames: facts.validFrames, smallest: smallest, largest: facts.packets.largest), at: 8)
    }
}

extension FLACStreamInfo {
    /// The block with other counts: frames of the stream, bytes of the smallest and the largest packet. The checksum of
    /// the sound stays as the encoder gave it.
    func counting(frames: Int64, smallest: Int, largest: Int) -> [UInt8] {
        var other = self
        (other.frameCount, other.minimumFrameSize, other.maximumFrameSize) = (frames, smallest, largest)
        return other.bytes
    }
}
