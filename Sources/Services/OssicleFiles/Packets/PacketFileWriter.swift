// Packets into a sound file.

import OssicleCodecs

/// Writes packets, as they are, into a new sound file: linear PCM into WAV, RF64, W64, AIFF, CAF and AU; packets into
/// CAF, M4A, ADTS, FLAC, Ogg (Opus) and MPEG audio. The same packets give the same bytes. For one thread at a time; not
/// for the audio thread.
///
/// A process that is killed leaves a file with all but the last quarter of a second. CAF and M4A keep a table of
/// packets, which grows: there the quarter becomes a thousandth of the recording once that is longer.
package final class PacketFileWriter {
    package var format: StreamFormat { facts.format }
    package let container: AudioContainer
    /// Set before `close`: what a decoder gives before the first and behind the last frame of the recording. Ogg needs
    /// the first before the first packet, and takes it from the cookie when it is 0.
    package var primingFrames: Int {
        get { facts.primingFrames }
        set { facts.primingFrames = max(0, newValue) }
    }
    package var remainderFrames: Int {
        get { facts.remainderFrames }
        set { facts.remainderFrames = max(0, newValue) }
    }
    /// Begins as the cookie of `format`; set before the first packet (M4A: before `close`).
    package var cookie: [UInt8] {
        get { facts.cookie }
        set { facts.cookie = newValue }
    }
    /// Set before the first packet (M4A: before `close`).
    package var metadata: AudioMetadata {
        get { facts.metadata }
        set { facts.metadata = newValue }
    }

    private let sink: any ByteSink
    private var facts: WriterFacts
    private var writer: any ContainerWriter
    private var hasBegun = false
    private var isClosed = false
    /// The frames at which the file was last brought up to date.
    private var kept: Int64 = 0

    /// Creates or overwrites the file at `path`. Linear PCM is taken interleaved, in the byte order of `format`.
    package convenience init(path: String, container: AudioContainer, format: StreamFormat) throws(AudioFileError) {
        try Self.check(format, in: container, path: path)
        try self.init(FileSink(path: path), container: container, format: format)
    }

    package init(_ sink: any ByteSink, container: AudioContainer, format: StreamFormat) throws(AudioFileError) {
        self.sink = sink
        self.container = container
        facts = WriterFacts(format: format, name: sink.name, cookie: format.cookie)
        writer = try Self.writer(container, facts)
    }

    /// Refuses a format that the container cannot hold.
    static func check(_ format: StreamFormat, in container: AudioContainer, path: String) throws(AudioFileError) {
        _ = try writer(container, WriterFacts(format: format, name: path, cookie: format.cookie))
    }

    /// What writes `container`, when it can hold the format; without the cookie that may come later.
    private static func writer(
        _ container: AudioContainer, _ facts: WriterFacts
    ) throws(AudioFileError) -> any ContainerWriter {
        let format = facts.format
        guard format.sampleRate > 0, format.sampleRate.isFinite, (1...1024).contains(format.channelCount),
            format.bytesPerPacket >= 0
        else {
            throw facts.unsupported(container, rule: "A file has a positive rate and 1 to 1024 channels.")
        }
        if case .pcm(let pcm) = format, !pcm.isInterleaved, pcm.channelCount > 1 {
            throw facts.unsupported(container, rule: "Files hold PCM interleaved.")
        }
        switch container {
        case .wav, .rf64: return try headed(WaveLayout(is64: container == .rf64), facts)
        case .wave64: return try headed(Wave64Layout(), facts)
        case .aiff: return try headed(AiffLayout(), facts)
        case .au: return try headed(AuLayout(), facts)
        case .caf: return try headed(CafLayout(format), facts)
        case .mpeg4: return HeadedWriter(MP4Layout())
        case .adts: return ADTSWriter()
        case .mpeg: return MPEGWriter()
        case .flac: return FlacWriter()
        case .ogg: return OggOpusWriter()
        case .other: throw facts.unsupported(container, rule: "A container has a name.")
        }
    }

    private static func headed(
        _ layout: some FileLayout, _ facts: WriterFacts
    ) throws(AudioFileError) -> any ContainerWriter {
        _ = try layout.head(facts)
        return HeadedWriter(layout)
    }

    deinit { try? close() }

    package var packetCount: Int64 { facts.packetCount }

    /// Appends packets. Linear PCM and other packets of constant size need no spans: all whole packets in `bytes` are
    /// taken then.
    package func write(_ bytes: UnsafeRawBufferPointer, _ spans: [PacketSpan] = []) throws(AudioFileError) {
        try begin()
        if facts.hasConstantPackets {
            try appendConstant(bytes, spans)
        } else {
            try append(bytes, spans)
        }
        let quarter = Int64(min(facts.format.sampleRate, 1e9) / 4),
            interval = facts.hasConstantPackets ? quarter : max(quarter, facts.frameCount / 1024)
        if facts.frameCount - kept >= interval { try keepReadable() }
    }

    /// Overwrites, and appends beyond the end, packets of constant size from `packet` on, where `packet` is at most
    /// `packetCount`.
    package func write(_ bytes: UnsafeRawBufferPointer, at packet: Int64) throws(AudioFileError) {
        try begin()
        let size = facts.format.bytesPerPacket
        guard let start = writer.audioOffset, size > 0, (0...packetCount).contains(packet) else {
            throw outOfRange(
                "a packet to be written at \(packet)",
                "Only linear PCM, and what else has packets of one size and no table, can be overwritten, from packet 0 to \(packetCount) on.",
                cure: "Write packets in order.")
        }
        let place = packet * Int64(size),
            inside = Int(min(facts.byteCount - place, Int64(bytes.count - bytes.count % size)))
        try sink.write(UnsafeRawBufferPointer(rebasing: bytes[..<inside]), at: start + place)
        if inside < bytes.count { try write(UnsafeRawBufferPointer(rebasing: bytes[inside...])) }
    }

    /// Finishes the file. Later writes throw.
    package func close() throws(AudioFileError) {
        guard !isClosed else { return }
        defer { isClosed = true }
        try begin()
        try writer.finish(facts, sink)
        try sink.close()
    }

    /// Writes what comes before the first packet, so that the file can be read; the first packet does it as well.
    func begin() throws(AudioFileError) {
        guard !isClosed else {
            throw AudioFileError(
                .closed, path: sink.name, found: "it has been closed", rule: "Only an open file can be written.",
                cure: "Write before closing.")
        }
        guard !hasBegun else { return }
        try writer.begin(facts, sink)
        hasBegun = true
    }

    /// Brings the file up to date, so that it can be read should the process end now.
    func keepReadable() throws(AudioFileError) {
        try begin()
        kept = facts.frameCount
        try writer.keepReadable(facts, sink)
    }

    private func appendConstant(_ bytes: UnsafeRawBufferPointer, _ spans: [PacketSpan]) throws(AudioFileError) {
        let size = facts.format.bytesPerPacket
        let start = spans.first?.offset ?? 0, (length, overflow) = (spans.count).multipliedReportingOverflow(by: size)
        let count = spans.isEmpty ? bytes.count - bytes.count % size : length
        guard !overflow, start >= 0, start <= bytes.count, count <= bytes.count - start else {
            throw outOfRange(
                "\(spans.count) packets in \(bytes.count) bytes", "Packets lie in the memory given.",
                cure: "Give all bytes.")
        }
        facts.byteCount += Int64(count)
        do throws(AudioFileError) {
            try writer.append(
                UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]),
                [PacketSpan(offset: 0, byteCount: count)], facts: facts, sink: sink)
        } catch {
            // The header tells of what was written before.
            facts.byteCount -= Int64(count)
            throw error
        }
    }

    private func append(_ bytes: UnsafeRawBufferPointer, _ spans: [PacketSpan]) throws(AudioFileError) {
        for span in spans {
            guard span.offset >= 0, span.byteCount > 0, span.frameCount >= 0, span.offset <= bytes.count,
                span.byteCount <= bytes.count - span.offset
            else {
                throw outOfRange(
                    "a packet of \(span.byteCount) bytes at \(span.offset) of \(bytes.count)",
                    "Packets have bytes and lie in the memory given.",
                    cure: "Give other spans.")
            }
        }
        for span in spans {
            let packet = UnsafeRawBufferPointer(rebasing: bytes[span.offset..<span.offset + span.byteCount])
            facts.packets.append(size: span.byteCount, frames: frames(of: packet, span))
            facts.byteCount += Int64(span.byteCount)
        }
        try writer.append(bytes, spans, facts: facts, sink: sink)
    }

    /// Frames of a packet: as stated, or by the format, or by the packet itself.
    private func frames(of packet: UnsafeRawBufferPointer, _ span: PacketSpan) -> Int {
        if span.frameCount > 0 { return span.frameCount }
        guard case .packets(let format) = facts.format else { return 1 }
        if format.codec == .opus { return OpusHeader.frames(of: Array(packet.prefix(2))) }
        if format.codec.isLossless, case .header(let header) = FlacFrameHeader.read(packet, at: 0) {
            return header.frameCount
        }
        return format.framesPerPacket
    }

    private func outOfRange(_ found: String, _ rule: String, cure: String) -> AudioFileError {
        AudioFileError(.outOfRange, path: sink.name, found: found, rule: rule, cure: cure)
    }
}
