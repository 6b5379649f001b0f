// Containers that consist of chunks with a name and a size.

import OssicleCodecs

/// The beginning of a chunk.
struct Chunk {
    var name: FourCC
    /// Bytes of its body; `nil` up to the end of the file.
    var byteCount: Int64?
    /// Bytes behind the body that make the next chunk begin at a round place.
    var padding: Int64 = 0
}

/// What the chunks of a file state.
struct ChunkFacts {
    /// Without what other chunks add: cookie and labels.
    var format: StreamFormat?
    var labels: [UInt32]?
    var cookie: [UInt8]?
    var metadata = AudioMetadata()
    var packets: PacketTable?
    /// Frames of the recording, where packets hold more.
    var frameCount: Int64?
}

/// How one container writes its chunks.
protocol ChunkDialect {
    var container: AudioContainer { get }
    var fileHeaderSize: Int { get }
    var chunkHeaderSize: Int { get }
    /// The chunk that holds the audio.
    var audioChunk: FourCC { get }
    mutating func readFileHeader(_ cursor: ByteCursor, _ window: ParserWindow) throws(AudioFileError)
    func chunk(_ cursor: ByteCursor) -> Chunk?
    /// The largest body of the chunk `name` that is read, in bytes; 0 passes over it.
    func limit(of name: FourCC) -> Int
    mutating func read(
        _ name: FourCC, _ body: UnsafeRawBufferPointer, into facts: inout ChunkFacts, window: ParserWindow)
        throws(AudioFileError)
    /// Bytes at the beginning of the audio chunk's body that are not audio; `nil` when more are needed to tell.
    func audioPrefix(_ cursor: ByteCursor) -> Int?
}

/// Walks through the chunks of a file. Read in order, packets come as the audio chunk does, and what stands behind it
/// is reported after. Of a file, all chunks are read before anything is reported.
struct ChunkParser<Dialect: ChunkDialect>: ContainerParser {
    private enum Place { case fileHeader, chunks, audio }
    private var dialect: Dialect
    private var place = Place.fileHeader
    private var facts = ChunkFacts()
    private var cutter: PacketCutter?
    private var audio: (offset: Int64, byteCount: Int64?)?
    private var padding: Int64 = 0
    private var stated: AudioMetadata?

    init(_ dialect: Dialect) { self.dialect = dialect }

    mutating func step(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) -> ParserStep {
        switch place {
        case .fileHeader:
            guard window.count >= dialect.fileHeaderSize else { return .wait(dialect.fileHeaderSize) }
            try dialect.readFileHeader(window.cursor(), window)
            found.events.append(.container(dialect.container))
            place = .chunks
            return .pass(Int64(dialect.fileHeaderSize))
        case .chunks: return try chunk(window, found)
        case .audio:
            guard let step = cutter?.step(window, found) else {
                place = .chunks
                let rest = (cutter?.remaining ?? 0).addingReportingOverflow(padding).partialValue
                return rest > 0 ? .pass(rest) : try chunk(window, found)
            }
            return step
        }
    }

    private mutating func chunk(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) -> ParserStep {
        let header = dialect.chunkHeaderSize
        guard window.count >= header else { return .wait(header) }
        guard let chunk = dialect.chunk(window.cursor()) else { return .done }
        if chunk.name == dialect.audioChunk, audio == nil { return try audioChunk(chunk, window, found: found) }
        guard let size = chunk.byteCount else { return .done }
        let whole = Int64(header).addingReportingOverflow(size),
            padded = whole.partialValue.addingReportingOverflow(chunk.padding)
        guard size >= 0, !whole.overflow, !padded.overflow else { return .done }
        guard size <= dialect.limit(of: chunk.name) else { return .pass(padded.partialValue) }
        guard window.count >= Int(whole.partialValue) else { return .wait(Int(whole.partialValue)) }
        try dialect.read(
            chunk.name, UnsafeRawBufferPointer(rebasing: window.bytes[header..<Int(whole.partialValue)]), into: &facts,
            window: window)
        if !window.isFile, audio != nil { tellMetadata(found) }
        return .pass(padded.partialValue)
    }

    private mutating func audioChunk(
        _ chunk: Chunk, _ window: ParserWindow, found: ParserFindings
    ) throws(AudioFileError) -> ParserStep {
        guard let prefix = dialect.audioPrefix(window.cursor(at: dialect.chunkHeaderSize)) else {
            return .wait(window.count + 1)
        }
        let start = dialect.chunkHeaderSize + prefix
        let size = try chunk.byteCount.map { (size) throws(AudioFileError) -> Int64 in
            guard size >= Int64(prefix) else {
                throw window.damaged(
                    "an audio chunk of \(size) bytes", rule: "It holds at least \(prefix) bytes before the audio.")
            }
            return size - Int64(prefix)
        }
        audio = (window.offset + Int64(start), size)
        padding = chunk.padding
        guard !window.isFile else {
            guard let size else { return .done }
            let end = size.addingReportingOverflow(Int64(start) + padding)
            return end.overflow ? .done : .pass(end.partialValue)
        }
        let index = try report(window, found)
        cutter = PacketCutter(index, byteCount: size)
        place = .audio
        return .pass(Int64(start))
    }

    mutating func end(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) {
        if window.isFile { found.index = try report(window, found) }
    }

    /// Tells format, data and the rest, and returns where packets are.
    private mutating func report(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) -> PacketIndex
    {
        guard let audio, var format = facts.format else {
            throw window.damaged(
                "\(audio == nil ? "no audio chunk" : "no chunk that describes the audio")",
                rule: "A file of the kind \(dialect.container) describes its audio before it brings it.")
        }
        let labels = facts.labels?.count == format.channelCount ? facts.labels : nil
        format = format.completed(cookie: facts.cookie, labels: labels)
        let isReported = audio.byteCount.map { $0 <= Int64.max - audio.offset } ?? false
        let there = min(
            isReported ? audio.byteCount ?? .max : .max,
            window.fileSize.map { max(0, $0 - audio.offset) } ?? .max - audio.offset)
        let index = try PacketIndex(format, facts.packets, at: audio.offset, byteCount: there, window: window)
        found.events.append(.format(format))
        let isCounted = isReported || window.isFile
        found.events.append(
            .data(offset: audio.offset, byteCount: isCounted ? there : nil, packetCount: isCounted ? index.count : nil))
        let priming = facts.packets?.primingFrames ?? 0
        var remainder = facts.packets?.remainderFrames ?? 0
        if facts.packets == nil, let frames = facts.frameCount, frames >= 0, isCounted, format.framesPerPacket > 1,
            frames < index.frameCount,
            index.frameCount - frames < Int64(format.framesPerPacket)
        {
            remainder = Int(index.frameCount - frames)
        }
        if priming != 0 || remainder != 0 { found.events.append(.priming(leading: priming, trailing: remainder)) }
        tellMetadata(found)
        return index
    }

    private mutating func tellMetadata(_ found: ParserFindings) {
        guard stated != facts.metadata, !facts.metadata.isEmpty else { return }
        stated = facts.metadata
        found.events.append(.metadata(facts.metadata))
    }

    mutating func restart(at packet: Int64?) {
        guard cutter != nil else { return }
        cutter?.restart(at: packet)
        place = .audio
    }

    func byteOffset(ofPacket packet: Int64) -> (offset: Int64, isEstimate: Bool)? {
        guard let audio, let format = facts.format else { return nil }
        if format.bytesPerPacket > 0 {
            let (bytes, overflow) = packet.multipliedReportingOverflow(by: Int64(format.bytesPerPacket))
            return overflow || bytes > .max - audio.offset ? nil : (audio.offset + bytes, false)
        }
        guard let cutter, packet <= cutter.index.count else { return nil }
        return (audio.offset + cutter.index.start(of: packet), false)
    }
}
