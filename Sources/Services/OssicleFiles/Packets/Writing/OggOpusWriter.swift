// Opus in Ogg to be written.

import OssicleCodecs

/// Pages of up to a quarter of a second, the last of which tells where the recording ends (RFC 7845). All bytes follow
/// from the packets: the stream's serial number is fixed.
struct OggOpusWriter: ContainerWriter {
    private static let serial: UInt32 = 0x4F53_5343
    private static let framesPerPage = 12_000

    private var position: Int64 = 0
    private var sequence: UInt32 = 0
    private var body: [UInt8] = []
    private var segments: [UInt8] = []
    private var pageFrames = 0
    private var granule: Int64 = 0

    mutating func begin(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError) {
        guard case .packets(let format) = facts.format, format.codec == .opus,
            OpusHeader(identification: facts.cookie) != nil
        else {
            throw facts.unsupported(.ogg, rule: "Ogg is written with Opus, given its identification header.")
        }
        var head = facts.cookie
        if facts.primingFrames > 0 {
            head[10] = UInt8(truncatingIfNeeded: facts.primingFrames)
            head[11] = UInt8(truncatingIfNeeded: facts.primingFrames >> 8)
        }
        try put(head, flags: 2, sink: sink)
        try put(Array("OpusTags".utf8) + VorbisComments.body(facts.metadata), flags: 0, sink: sink)
    }

    /// A header, on pages of its own.
    private mutating func put(_ packet: [UInt8], flags: UInt8, sink: any ByteSink) throws(AudioFileError) {
        try add(packet, sink)
        try flush(flags: flags, granule: 0, sink: sink)
    }

    mutating func append(
        _ bytes: UnsafeRawBufferPointer, _ spans: [PacketSpan], facts: WriterFacts, sink: any ByteSink
    ) throws(AudioFileError) {
        for span in spans {
            let packet = Array(bytes[span.offset..<span.offset + span.byteCount]),
                frames = span.frameCount > 0 ? span.frameCount : OpusHeader.frames(of: packet)
            if !segments.isEmpty,
                pageFrames + frames > Self.framesPerPage || segments.count + packet.count / 255 + 1 > 255
            {
                try flush(flags: 0, granule: granule, sink: sink)
            }
            try add(packet, sink)
            pageFrames += frames
            granule += Int64(frames)
        }
    }

    mutating func finish(_ facts: WriterFacts, _ sink: any ByteSink) throws(AudioFileError) {
        try flush(flags: 4, granule: max(0, granule - Int64(max(0, facts.remainderFrames))), sink: sink)
    }

    /// Lays a packet on the page; where it is longer than a page, full pages go out.
    private mutating func add(_ packet: [UInt8], _ sink: any ByteSink) throws(AudioFileError) {
        var start = 0
        while true {
            if segments.count == 255 {
                try flush(flags: 0, granule: -1, sink: sink)
                isContinued = true
            }
            let count = min(255, packet.count - start)
            segments.append(UInt8(count))
            body += packet[start..<start + count]
            start += count
            guard count == 255 else { return }
        }
    }

    private var isContinued = false

    private mutating func flush(flags: UInt8, granule: Int64, sink: any ByteSink) throws(AudioFileError) {
        let page = OggPage.bytes(
            flags: flags | (isContinued ? 1 : 0), granule: granule, serial: Self.serial, sequence: sequence,
            segments: segments, body: body)
        try sink.write(page, at: position)
        position += Int64(page.count)
        sequence &+= 1
        (body, segments, pageFrames, isContinued) = ([], [], 0, false)
    }
}
