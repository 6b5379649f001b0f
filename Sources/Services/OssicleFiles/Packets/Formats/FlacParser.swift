// FLAC.

import OssicleCodecs

extension FLACStreamInfo {
    /// Whether all packets but the last hold equally many frames.
    var isFixed: Bool { minimumBlockSize == maximumBlockSize }

    var format: PacketFormat {
        PacketFormat(
            codec: .flac(bits: bitsPerSample), sampleRate: Double(sampleRate), channelCount: channelCount,
            framesPerPacket: isFixed ? maximumBlockSize : 0, cookie: bytes,
            channelLabels: channelCount > 2 ? Codecs.channelLabels(of: .flac24, channelCount: channelCount) : nil)
    }
}

/// Metadata blocks, then frames; each frame is a packet.
struct FlacParser: ContainerParser {
    private enum Place { case mark, blocks, frames }
    private var place = Place.mark
    private var info: FLACStreamInfo?
    private var metadata = AudioMetadata()
    private var scanner: FlacFrameScanner?
    private var average = AveragePackets()

    mutating func step(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) -> ParserStep {
        switch place {
        case .mark:
            place = .blocks
            return .pass(4)
        case .blocks: return try block(window, found)
        case .frames: return frame(window, found)
        }
    }

    private mutating func block(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) -> ParserStep {
        var cursor = window.cursor()
        guard let head = cursor.big(UInt32.self) else { return .wait(4) }
        let kind = head >> 24 & 0x7F, size = Int(head & 0xFF_FFFF), isLast = head >> 31 == 1
        if kind == 0 || kind == 4 && size <= 1 << 20 {
            guard let body = cursor.take(size) else { return .wait(4 + size) }
            if kind == 0 { info = FLACStreamInfo(cookie: Array(body)) } else { metadata = VorbisComments.read(body) }
        }
        if isLast {
            guard let info else {
                throw window.damaged(
                    "FLAC without a usable STREAMINFO block", rule: "It tells rate, channels and depth.")
            }
            report(info, window.offset + Int64(4 + size), window: window, found: found)
            place = .frames
        }
        return .pass(Int64(4 + size))
    }

    private mutating func report(_ info: FLACStreamInfo, _ offset: Int64, window: ParserWindow, found: ParserFindings) {
        average.offset = offset
        let size = Int64(info.maximumBlockSize)
        found.events += [
            .container(.flac), .format(.packets(info.format)),
            .data(
                offset: offset, byteCount: window.fileSize.map { max(0, $0 - offset) },
                packetCount: info.isFixed && info.frameCount > 0 ? (info.frameCount + size - 1) / size : nil),
        ]
        if !metadata.isEmpty { found.events.append(.metadata(metadata)) }
    }

    /// The frame the window begins with; where none does, on to the next that may.
    private mutating func frame(_ window: ParserWindow, _ found: ParserFindings) -> ParserStep {
        guard let info else { return .done }
        if scanner == nil {
            switch header(window.bytes, at: 0, info: info) {
            case .header(let header): scanner = FlacFrameScanner(header, streamBits: info.bitsPerSample)
            case .incomplete: return .wait(window.count + 1)
            case .none: return .pass(Int64(next(window, info)))
            }
        }
        switch scanner?.scan(window.bytes) {
        case .end(let size):
            found.packet(in: window, at: 0, count: size, frames: scanner?.header.frameCount ?? 0)
            average.add(size)
            scanner = nil
            return .pass(Int64(size))
        case .damaged, nil:
            scanner = nil
            return .pass(Int64(next(window, info)))
        case .incomplete:
            return window.isLast || window.count > (scanner?.largest ?? 0)
                ? .pass(Int64(next(window, info))) : .wait(window.count + 1)
        }
    }

    /// How many bytes from the second on are not the start of a frame, and the first.
    private mutating func next(_ window: ParserWindow, _ info: FLACStreamInfo) -> Int {
        scanner = nil
        for position in 1..<max(1, window.count) {
            if case .none = header(window.bytes, at: position, info: info) { continue }
            return position
        }
        return window.count
    }

    private func header(
        _ bytes: UnsafeRawBufferPointer, at position: Int, info: FLACStreamInfo
    ) -> FlacFrameHeader.Found {
        let found = FlacFrameHeader.read(bytes, at: position)
        guard case .header(let header) = found else { return found }
        let isOurs =
            header.channelCount == info.channelCount && header.frameCount <= info.maximumBlockSize
            && (header.bits == 0 || header.bits == info.bitsPerSample)
        return isOurs ? found : .none
    }

    mutating func restart(at packet: Int64?) { scanner = nil }
    func byteOffset(ofPacket packet: Int64) -> (offset: Int64, isEstimate: Bool)? {
        average.byteOffset(ofPacket: packet)
    }
}

/// Comments as FLAC, Vorbis and Opus keep them (Vorbis I, 5).
enum VorbisComments {
    static func read(_ body: UnsafeRawBufferPointer) -> AudioMetadata {
        var metadata = AudioMetadata(), cursor = ByteCursor(body)
        guard let vendor = cursor.little(UInt32.self), cursor.skip(Int(vendor)), let count = cursor.little(UInt32.self)
        else { return metadata }
        for _ in 0..<count {
            guard let size = cursor.little(UInt32.self), let text = cursor.take(Int(size)) else { break }
            let parts = text.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let key = String(decoding: parts[0], as: UTF8.self).uppercased()
            guard parts.count == 2, let field = fields.first(where: { $0.keys.contains(key) })?.field else { continue }
            metadata[keyPath: field] = metadata[keyPath: field] ?? String(decoding: parts[1], as: UTF8.self)
        }
        return metadata
    }

    /// The comments, in the name of Ossicle.
    static func body(_ metadata: AudioMetadata) -> [UInt8] {
        var builder = ByteBuilder()
        func text(_ text: String) {
            builder.little(UInt32(text.utf8.count))
            builder.append(text.utf8)
        }
        text("Ossicle")
        let entries = fields.compactMap { entry in
            metadata[keyPath: entry.field].map { "\(entry.keys[0])=\($0.prefix(1 << 16))" }
        }
        builder.little(UInt32(entries.count))
        entries.forEach(text)
        return builder.bytes
    }

    private static var fields: [(keys: [String], field: WritableKeyPath<AudioMetadata, String?>)] {
        [
            (["TITLE"], \.title), (["ARTIST"], \.artist), (["ALBUM"], \.album),
            (["COMMENT", "DESCRIPTION"], \.comment), (["DATE", "YEAR"], \.date),
            (["GENRE"], \.genre), (["TRACKNUMBER"], \.trackNumber), (["COPYRIGHT"], \.copyright),
            (["ENCODER"], \.encodingApplication),
        ]
    }
}
