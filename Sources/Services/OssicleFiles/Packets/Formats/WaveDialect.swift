// WAVE: RIFF, RF64 and BW64.

import OssicleCodecs

/// Chunks of little-endian sizes at even places (Multimedia Programming Interface 1.0; EBU Tech 3306 and ITU-R BS.2088
/// for more than 4 GB).
struct WaveDialect: ChunkDialect {
    let is64: Bool
    /// The audio's size, from the chunk `ds64`.
    private var longSize: Int64?
    private var isGrowing = false

    init(is64: Bool) { self.is64 = is64 }

    var container: AudioContainer { is64 ? .rf64 : .wav }
    let fileHeaderSize = 12, chunkHeaderSize = 8
    let audioChunk: FourCC = "data"

    mutating func readFileHeader(_ cursor: ByteCursor, _ window: ParserWindow) {
        var cursor = cursor
        cursor.skip(4)
        isGrowing = cursor.little(UInt32.self) == 0
    }

    func chunk(_ cursor: ByteCursor) -> Chunk? {
        var cursor = cursor
        guard let name = cursor.name(), let size = cursor.little(UInt32.self) else { return nil }
        if name == audioChunk, size == .max {
            return Chunk(name: name, byteCount: longSize, padding: (longSize ?? 0) & 1)
        }
        if name == audioChunk, size == 0, isGrowing { return Chunk(name: name, byteCount: nil) }
        return Chunk(name: name, byteCount: Int64(size), padding: Int64(size & 1))
    }

    func limit(of name: FourCC) -> Int {
        switch name {
        case "fmt ", "fact", "ds64": 4096
        case "LIST": 1 << 20
        default: 0
        }
    }

    mutating func read(
        _ name: FourCC, _ body: UnsafeRawBufferPointer, into facts: inout ChunkFacts, window: ParserWindow
    ) throws(AudioFileError) {
        var cursor = ByteCursor(body)
        switch name {
        case "fmt ": facts.format = try WaveFormat.read(body, window)
        case "fact":
            if !is64 { facts.frameCount = cursor.little(UInt32.self).map { Int64($0) } }
        case "ds64":
            cursor.skip(8)
            longSize = cursor.little(Int64.self).flatMap { $0 >= 0 ? $0 : nil }
        case "LIST": InfoList.read(body, into: &facts.metadata)
        default: break
        }
    }

    func audioPrefix(_ cursor: ByteCursor) -> Int? { 0 }
}

/// The text chunks of WAVE: a list of the kind INFO.
enum InfoList {
    static func read(_ body: UnsafeRawBufferPointer, into metadata: inout AudioMetadata) {
        var cursor = ByteCursor(body)
        guard cursor.name() == "INFO" else { return }
        while let name = cursor.name(), let size = cursor.little(UInt32.self),
            var text = cursor.take(Int(size)).map({ ByteCursor($0) })
        {
            if let field = fields.first(where: { $0.name == name })?.field { metadata[keyPath: field] = text.text() }
            cursor.skip(Int(size & 1))
        }
    }

    /// The list with its chunk header; empty when there is nothing to tell.
    static func chunk(_ metadata: AudioMetadata) -> [UInt8] {
        var list = ByteBuilder()
        for (name, field) in fields {
            guard let text = metadata[keyPath: field] else { continue }
            let bytes = Array(text.utf8.filter { $0 != 0 }.prefix(1 << 16)) + [0]
            list.name(name)
            list.little(UInt32(bytes.count))
            list.append(bytes)
            list.zeros(bytes.count & 1)
        }
        guard list.count > 0 else { return [] }
        var chunk = ByteBuilder()
        chunk.name("LIST")
        chunk.little(UInt32(list.count + 4))
        chunk.name("INFO")
        chunk.append(list.bytes)
        return chunk.bytes
    }

    private static var fields: [(name: FourCC, field: WritableKeyPath<AudioMetadata, String?>)] {
        [
            ("INAM", \.title), ("IART", \.artist), ("IPRD", \.album), ("ICMT", \.comment), ("ICRD", \.date),
            ("IGNR", \.genre), ("ITRK", \.trackNumber),
            ("ICOP", \.copyright), ("ISFT", \.encodingApplication),
        ]
    }
}

/// Chunks named by 16 bytes, of which the first four tell, with sizes that count their header, at places divisible by
/// eight.
struct Wave64Dialect: ChunkDialect {
    /// What the names of all chunks but the first hold behind their first four bytes.
    static let name: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
    /// The same of the first chunk.
    static let riff: [UInt8] = [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00]

    let container = AudioContainer.wave64
    let fileHeaderSize = 40, chunkHeaderSize = 24
    let audioChunk: FourCC = "data"

    func readFileHeader(_ cursor: ByteCursor, _ window: ParserWindow) {}

    func chunk(_ cursor: ByteCursor) -> Chunk? {
        var cursor = cursor
        guard let name = cursor.name(), cursor.skip(12), let size = cursor.little(Int64.self),
            size >= 24 || (size <= 0 && name == audioChunk)
        else { return nil }
        return size >= 24
            ? Chunk(name: name, byteCount: size - 24, padding: -size & 7) : Chunk(name: name, byteCount: nil)
    }

    func limit(of name: FourCC) -> Int { name == "fmt " || name == "fact" ? 4096 : 0 }

    func read(
        _ name: FourCC, _ body: UnsafeRawBufferPointer, into facts: inout ChunkFacts, window: ParserWindow
    ) throws(AudioFileError) {
        var cursor = ByteCursor(body)
        if name == "fmt " {
            facts.format = try WaveFormat.read(body, window)
        } else {
            facts.frameCount = cursor.little(Int64.self)
        }
    }

    func audioPrefix(_ cursor: ByteCursor) -> Int? { 0 }
}
