// The packets of a sound file.

import OssicleCodecs

/// Reads the packets of a sound file as they are, from anywhere. A packet of linear PCM is a frame in the file's own
/// byte order. Opening looks at headers and, in containers without tables (MP3, ADTS, Ogg), once at the whole file;
/// FLAC is looked at as far as it is read. Readers of one file share what such a look found. For one thread at a time; not for the audio thread.
package final class PacketFileReader {
    package let info: AudioFileInfo
    /// The stream in the file: for linear PCM interleaved, as it lies there.
    package let format: StreamFormat
    package let metadata: AudioMetadata
    /// As the file tells it; a damaged file may give fewer.
    package let packetCount: Int64
    /// No packet is larger, in bytes.
    package let maximumPacketSize: Int
    /// Where the audio begins in the file, in bytes.
    package let dataOffset: Int64
    /// Bytes of audio: those of all packets, without what a container puts between them.
    package let dataByteCount: Int64
    /// Frames a decoder gives before the first and behind the last of the recording, through encoder and decoder.
    package let primingFrames: Int
    package let remainderFrames: Int

    private let source: any ByteSource
    private let packets: Packets

    private enum Packets {
        case known(FileScan)
        case searched(FileScanner)
    }

    /// - Parameter container: what the file probably is; counts only when its first bytes do not tell.
    package init(_ source: any ByteSource, container: AudioContainer? = nil) throws(AudioFileError) {
        guard source.byteCount > 0 else {
            throw AudioFileError(
                .empty, path: source.name, found: "it has no bytes", rule: "A sound file begins with a header.",
                cure: "Write or copy the file again.")
        }
        let source = ExaminedBytes.corrected(source)
        let facts: ReaderFacts
        if let scan = FileScan.ofOpenFile(source, hint: container) {
            (packets, facts) = (.known(scan), scan.facts)
        } else {
            let scanner = FileScanner(source, hint: container)
            facts = try ReaderFacts(scanner, source)
            packets =
                scanner.isDone
                ? .known(FileScan.keep(facts, scanner, of: source, hint: container)) : .searched(scanner)
        }
        self.source = source
        format = facts.format
        metadata = facts.metadata
        packetCount = facts.packetCount
        maximumPacketSize = facts.maximumPacketSize
        dataOffset = facts.dataOffset
        dataByteCount = facts.dataByteCount
        primingFrames = facts.priming.leading
        remainderFrames = facts.priming.trailing
        info = facts.info
    }

    /// Opens the file at `path`.
    package convenience init(path: String, container: AudioContainer? = nil) throws(AudioFileError) {
        try self.init(FileBytes(path: path), container: container)
    }

    /// Reads up to `count` packets from packet `start` on, as many as fit into `memory`; fewer at the end.
    package func read(
        from start: Int64, count: Int, into memory: UnsafeMutableRawBufferPointer
    ) throws(AudioFileError) -> [PacketSpan] {
        guard start >= 0, start < packetCount, count > 0 else { return [] }
        let index = try index(upTo: min(start + Int64(clamping: min(Int64(count), packetCount - start)), packetCount))
        var spans: [PacketSpan] = [], filled = 0
        spans.reserveCapacity(Int(clamping: min(Int64(count), index.count - min(start, index.count), 4096)))
        for packet in start..<max(start, min(index.count, start + min(Int64(count), packetCount - start))) {
            let size = index.size(of: packet)
            guard size <= memory.count - filled else { break }
            spans.append(PacketSpan(offset: filled, byteCount: size, frameCount: index.framesPerPacket(of: packet)))
            filled += size
        }
        let got = try readBytes(
            index, from: index.start(of: start), into: UnsafeMutableRawBufferPointer(rebasing: memory[..<filled]))
        while let last = spans.last, last.offset + last.byteCount > got { spans.removeLast() }
        return spans
    }

    /// Reads bytes of the audio, `offset` from its start; returns how many there were.
    package func readBytes(from offset: Int64, into memory: UnsafeMutableRawBufferPointer) throws(AudioFileError) -> Int
    {
        guard offset >= 0, offset < dataByteCount else { return 0 }
        return try readBytes(index(upTo: packetCount), from: offset, into: memory)
    }

    private func readBytes(
        _ index: PacketIndex, from offset: Int64, into memory: UnsafeMutableRawBufferPointer
    ) throws(AudioFileError) -> Int {
        var done = 0
        while done < memory.count, offset + Int64(done) < index.byteCount {
            guard let place = index.place(of: offset + Int64(done), limit: index.byteCount), place.count > 0 else {
                break
            }
            let wanted = Int(min(place.count, Int64(memory.count - done)))
            let got = try source.read(
                into: UnsafeMutableRawBufferPointer(rebasing: memory[done..<done + wanted]), at: place.file)
            done += got
            guard got == wanted else { break }
        }
        return done
    }

    /// The index with at least `count` packets, if there are so many.
    private func index(upTo count: Int64) throws(AudioFileError) -> PacketIndex {
        switch packets {
        case .known(let scan): return scan.index
        case .searched(let scanner):
            if !scanner.isDone { try scanner.run { $0.index.count >= count } }
            return scanner.found.index
        }
    }
}

extension PacketFileReader {
    /// Bits per second of the audio, on average.
    package var bitRate: Int {
        let frames = Double(info.frameCount) + Double(primingFrames) + Double(remainderFrames)
        return frames > 0 ? (8 * Double(dataByteCount) * format.sampleRate / frames).rounded().clampedToInt : 0
    }

    /// Seconds of the recording.
    package var estimatedDuration: Double { info.duration }

    /// A bound for the size of packets that holds without looking at them.
    package var packetSizeUpperBound: Int { maximumPacketSize }

    /// The packet that holds `frame` of the decoded stream, priming included, and the frame's place in it; `nil` beyond
    /// the end.
    package func packet(holdingFrame frame: Int64) throws(AudioFileError) -> (packet: Int64, frameInPacket: Int)? {
        let index = try index(upTo: packetCount)
        return (0..<max(0, index.frameCount)).contains(frame) ? index.packet(holdingFrame: frame) : nil
    }

    /// The first frame of `packet`, which may be one past the last; `nil` beyond.
    package func firstFrame(ofPacket packet: Int64) throws(AudioFileError) -> Int64? {
        let index = try index(upTo: packet)
        return (0...index.count).contains(packet) ? index.firstFrame(of: packet) : nil
    }

    /// Where `packet`, which may be one past the last, begins in the audio, in bytes; `nil` beyond.
    package func byteOffset(ofPacket packet: Int64) throws(AudioFileError) -> Int64? {
        let index = try index(upTo: packet)
        return (0...index.count).contains(packet) ? index.start(of: packet) : nil
    }

    /// The packet that holds the byte `offset` of the audio, and the byte's place in it; `nil` beyond the end.
    package func packet(holdingByte offset: Int64) throws(AudioFileError) -> (packet: Int64, byteInPacket: Int)? {
        let index = try index(upTo: packetCount)
        return (0..<max(0, index.byteCount)).contains(offset) ? index.packet(holdingByte: offset) : nil
    }
}
