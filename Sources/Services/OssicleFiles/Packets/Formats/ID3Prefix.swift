// ID3 tags.

import OssicleCodecs

/// A tag of the kind ID3v2 in front of a stream of frames, and the stream.
struct ID3Prefix: ContainerParser {
    private let hint: AudioContainer?
    private var stream: (any ContainerParser)?
    private var isPassed = false

    /// Text stands in front of pictures; more than this is not looked through, in bytes.
    private static let limit = 1 << 20

    init(hint: AudioContainer?) { self.hint = hint }

    mutating func step(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) -> ParserStep {
        if isPassed, stream == nil, !startsWithZero(window) {
            stream = try ContainerDetector.parser(for: window, hint: hint ?? .mpeg)
        }
        guard stream == nil else { return try stream?.step(window, found) ?? .done }
        guard !isPassed else { return window.count < 12 ? .wait(12) : .pass(1) }
        guard window.count >= 10 else { return .wait(10) }
        var cursor = window.cursor(at: 3)
        guard let version = cursor.big(UInt8.self), cursor.skip(1), let flags = cursor.big(UInt8.self),
            let size = ID3Tag.size(&cursor, isSafe: true)
        else { return .done }
        let look = 10 + min(size, Self.limit)
        guard window.count >= look || window.isLast else { return .wait(look) }
        let body = UnsafeRawBufferPointer(rebasing: window.bytes[10..<min(look, window.count)])
        let metadata = ID3Tag.read(body, version: Int(version), flags: flags)
        if !metadata.isEmpty { found.events.append(.metadata(metadata)) }
        isPassed = true
        return .pass(Int64(10 + size + (flags & 0x10 != 0 ? 10 : 0)))
    }

    /// Zeros that fill the space behind a tag are no stream.
    private func startsWithZero(_ window: ParserWindow) -> Bool { window.bytes.first == 0 }

    mutating func end(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) {
        try stream?.end(window, found)
    }
    mutating func restart(at packet: Int64?) { stream?.restart(at: packet) }
    func byteOffset(ofPacket packet: Int64) -> (offset: Int64, isEstimate: Bool)? {
        stream?.byteOffset(ofPacket: packet)
    }
}

/// The text in a tag (ID3v2.2, 2.3 and 2.4, informal standards).
enum ID3Tag {
    /// A size of four bytes, of seven bits each where `isSafe`.
    static func size(_ cursor: inout ByteCursor, isSafe: Bool) -> Int? {
        guard let bytes = cursor.take(4) else { return nil }
        let width = isSafe ? 7 : 8, mask: UInt8 = isSafe ? 0x7F : 0xFF
        var size = 0
        for byte in bytes { size = size << width | Int(byte & mask) }
        return size
    }

    /// Bytes of the tag that begins with `head`, at least ten bytes; 0 where none does.
    static func byteCount(_ head: some Collection<UInt8>) -> Int64 {
        guard head.starts(with: "ID3".utf8) else { return 0 }
        var size: Int64 = 0
        for byte in head.dropFirst(6).prefix(4) { size = size << 7 | Int64(byte & 0x7F) }
        return 10 + size
    }

    static func read(_ body: UnsafeRawBufferPointer, version: Int, flags: UInt8) -> AudioMetadata {
        var metadata = AudioMetadata(), cursor = ByteCursor(body)
        guard (2...4).contains(version), flags & 0x80 == 0 || version == 4 else { return metadata }
        if flags & 0x40 != 0, version > 2, let extended = size(&cursor, isSafe: version == 4) {
            cursor.skip(version == 4 ? extended - 4 : extended)
        }
        while let frame = frame(&cursor, version) {
            if frame.name == "COM" || frame.name == "COMM" {
                if metadata.comment == nil { metadata.comment = comment(frame.body) }
            } else if let field = fields.first(where: { $0.names.contains(frame.name) })?.field {
                metadata[keyPath: field] = metadata[keyPath: field] ?? text(frame.body)
            }
        }
        return metadata
    }

    private static func frame(
        _ cursor: inout ByteCursor, _ version: Int
    ) -> (name: String, body: UnsafeRawBufferPointer)? {
        let width = version == 2 ? 3 : 4
        guard let name = cursor.take(width), name[0] != 0 else { return nil }
        let count: Int?
        if version == 2 {
            count = cursor.take(3).map { $0.reduce(0) { $0 << 8 | Int($1) } }
        } else {
            count = size(&cursor, isSafe: version == 4)
            cursor.skip(2)
        }
        guard let count, let body = cursor.take(count) else { return nil }
        return (String(decoding: name, as: UTF8.self), body)
    }

    /// Text behind a byte that states its coding: Latin 1, UTF-16 with and without a mark, UTF-8.
    private static func text(_ body: UnsafeRawBufferPointer) -> String? {
        guard let coding = body.first else { return nil }
        return decode(Array(body.dropFirst()), coding)?.first
    }

    /// Language, description, text.
    private static func comment(_ body: UnsafeRawBufferPointer) -> String? {
        guard let coding = body.first, body.count > 4 else { return nil }
        let parts = decode(Array(body.dropFirst(4)), coding)
        return parts.flatMap { $0.count > 1 && !$0[0].hasPrefix("iTun") ? $0[1] : nil }
    }

    private static func decode(_ bytes: [UInt8], _ coding: UInt8) -> [String]? {
        switch coding {
        case 0:
            return bytes.split(separator: 0, omittingEmptySubsequences: false).map {
                String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) }))
            }
        case 3:
            return bytes.split(separator: 0, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
        case 1, 2:
            var isBig = coding == 2, units: [UInt16] = [], parts: [String] = []
            for index in stride(from: 0, to: bytes.count - 1, by: 2) {
                let first = UInt16(bytes[index]), second = UInt16(bytes[index + 1])
                switch isBig ? first << 8 | second : second << 8 | first {
                case 0xFEFF: break
                case 0xFFFE: isBig.toggle()
                case 0:
                    parts.append(String(decoding: units, as: UTF16.self))
                    units = []
                case let unit: units.append(unit)
                }
            }
            return parts + [String(decoding: units, as: UTF16.self)]
        default: return nil
        }
    }

    private static var fields: [(names: [String], field: WritableKeyPath<AudioMetadata, String?>)] {
        [
            (["TIT2", "TT2"], \.title), (["TPE1", "TP1"], \.artist), (["TALB", "TAL"], \.album),
            (["TDRC", "TYER", "TYE"], \.date), (["TCON", "TCO"], \.genre),
            (["TRCK", "TRK"], \.trackNumber), (["TCOP", "TCR"], \.copyright), (["TSSE", "TSS"], \.encodingApplication),
        ]
    }
}

/// The last 128 bytes of a file (ID3v1.1, an informal standard): fields of fixed length in Latin 1 or UTF-8, and a
/// number for the genre.
enum ID3Version1 {
    private static let byteCount = 128

    static func read(_ source: any ByteSource) -> AudioMetadata {
        var metadata = AudioMetadata()
        let tag = source.bytes(at: source.byteCount - Int64(byteCount), byteCount)
        guard tag.count == byteCount, tag.starts(with: "TAG".utf8) else { return metadata }
        metadata.title = text(tag[3..<33])
        metadata.artist = text(tag[33..<63])
        metadata.album = text(tag[63..<93])
        metadata.date = text(tag[93..<97])
        // A zero before the last byte of the comment makes that a track.
        let hasTrack = tag[125] == 0 && tag[126] != 0
        metadata.comment = text(tag[97..<(hasTrack ? 125 : 127)])
        metadata.trackNumber = hasTrack ? "\(tag[126])" : nil
        metadata.genre = Int(tag[127]) < genres.count ? genres[Int(tag[127])] : nil
        return metadata
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String? {
        let bytes = field.prefix { $0 != 0 }
        // LAME writes the bytes it is given, which are often UTF-8.
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        guard let end = text.lastIndex(where: { $0 != " " }) else { return nil }
        return String(text[...end])
    }

    private static let genres = [
        "Blues", "Classic Rock", "Country", "Dance", "Disco", "Funk", "Grunge", "Hip-Hop", "Jazz", "Metal", "New Age",
        "Oldies", "Other", "Pop", "R&B", "Rap",
        "Reggae", "Rock", "Techno", "Industrial", "Alternative", "Ska", "Death Metal", "Pranks", "Soundtrack",
        "Euro-Techno", "Ambient", "Trip-Hop", "Vocal",
        "Jazz+Funk", "Fusion", "Trance", "Classical", "Instrumental", "Acid", "House", "Game", "Sound Clip", "Gospel",
        "Noise", "Alternative Rock", "Bass", "Soul",
        "Punk", "Space", "Meditative", "Instrumental Pop", "Instrumental Rock", "Ethnic", "Gothic", "Darkwave",
        "Techno-Industrial", "Electronic", "Pop-Folk",
        "Eurodance", "Dream", "Southern Rock", "Comedy", "Cult", "Gangsta", "Top 40", "Christian Rap", "Pop/Funk",
        "Jungle", "Native US", "Cabaret", "New Wave",
        "Psychedelic", "Rave", "Showtunes", "Trailer", "Lo-Fi", "Tribal", "Acid Punk", "Acid Jazz", "Polka", "Retro",
        "Musical", "Rock & Roll", "Hard Rock",
    ]
}
