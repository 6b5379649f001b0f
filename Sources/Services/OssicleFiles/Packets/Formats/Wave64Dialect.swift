// Sony Wave64.

import OssicleCodecs

/// Chunks named by 16 bytes, of which the first four tell, with sizes that count their header, at places divisible by eight.
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
        guard let name = cursor.name(), cursor.skip(12), let size = cursor.little(Int64.self), size >= 24 || (size <= 0 && name == audioChunk) else { return nil }
        return size >= 24 ? Chunk(name: name, byteCount: size - 24, padding: -size & 7) : Chunk(name: name, byteCount: nil)
    }

    func limit(of name: FourCC) -> Int { name == "fmt " || name == "fact" ? 4096 : 0 }

    func read(_ name: FourCC, _ body: UnsafeRawBufferPointer, into facts: inout ChunkFacts, _ window: ParserWindow) throws(AudioFileError) {
        var cursor = ByteCursor(body)
        if name == "fmt " { facts.format = try WaveFormat.read(body, window) } else { facts.frameCount = cursor.little(Int64.self) }
    }

    func audioPrefix(_ cursor: ByteCursor) -> Int? { 0 }
}
