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
        guard let version = cursor.big(UInt8.self), cursor.skip(1), let flags = cursor.big(UInt8.self), let size = ID3Tag.size(&cursor, isSafe: true) else { return .done }
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

    mutating func end(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) { try stream?.end(window, found) }
    mutating func restart(at packet: Int64?) { stream?.restart(at: packet) }
    func byteOffset(ofPacket packet: Int64) -> (offset: Int64, isEstimate: Bool)? { stream?.byteOffset(ofPacket: packet) }
}

/// The text in a tag (ID3v2.2, 2.3 and 2.4, informal standards).
enum ID3Tag {
    /// A size of four bytes, of seven bits each where `isSafe`.
    static func size(_ cursor: inout ByteCursor, isSafe: Bool) -> Int? {
        guard let number = cursor.big(UInt32.self) else { return nil }
        return isSafe ? stride(from: 24, through: 0, by: -8).reduce(0) { $0 << 7 | Int(number >> UInt32($1) & 0x7F) } : Int(number)
    }

    static func read(_ body: UnsafeRawBufferPointer, version: Int, flags: UInt8) -> AudioMetadata {
        var metadata = AudioMetadata(), cursor = ByteCursor(body)
        guard (2...4).contains(version), flags & 0x80 == 0 || version == 4 else { return metadata }
        if flags & 0x40 != 0, version > 2, let extended = size(&cursor, isSafe: version == 4) { cursor.skip(version == 4 ? extended - 4 : extended) }
        while let frame = frame(&cursor, version) {
            if frame.name == "COM" || frame.name == "COMM" {
                if metadata.comment == nil { metadata.comment = comment(frame.body) }
            } else if let field = fields.first(where: { $0.names.contains(frame.name) })?.field {
                metadata[keyPath: field] = metadata[keyPath: field] ?? text(frame.body)
            }
        }
        return metadata
    }

    private static func frame(_ cursor: inout ByteCursor, _ version: Int) -> (name: String, body: UnsafeRawBufferPointer)? {
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

    /// Text behind a byte that tells its coding: Latin 1, UTF-16 with and without a mark, UTF-8.
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
        case 0: return bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(String.UnicodeScalarView($0.map { Unicode.Scalar($0) })) }
        case 3: return bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
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

    private static var fields: [(names: [String], field: WritableKeyPath<AudioMetadata, String?>)] { [
        (["TIT2", "TT2"], \.title), (["TPE1", "TP1"], \.artist), (["TALB", "TAL"], \.album), (["TDRC", "TYER", "TYE"], \.date), (["TCON", "TCO"], \.genre),
        (["TRCK", "TRK"], \.trackNumber), (["TCOP", "TCR"], \.copyright), (["TSSE", "TSS"], \.encodingApplication),
    ] }
}
