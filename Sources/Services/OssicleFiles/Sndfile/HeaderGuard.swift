// What libsndfile must not see in a header.

import OssicleCodecs

/// Keeps from libsndfile what it does not survive. Version 1.2 adds the size of a part of a WAVE `LIST` chunk to a
/// 32-bit count unchecked, and for sizes just under 4 GiB jumps back and forth for ever: such chunks are handed to it
/// under the name `JUNK`, which it passes over.
struct HeaderGuard {
    private static let list = Array("LIST".utf8), junk = Array("JUNK".utf8)
    /// No `LIST` chunk of texts is larger, in bytes.
    private static let longest = 65_536

    /// Changes `memory`, which holds what `source` has from `offset` on.
    static func check(_ memory: UnsafeMutableRawBufferPointer, at offset: Int64, of source: any ByteSource) {
        guard memory.count >= list.count else { return }
        for start in 0...memory.count - list.count
        where memory[start] == list[0] && memory[start..<start + list.count].elementsEqual(list) {
            if isDangerous(source, at: offset + Int64(start)) {
                UnsafeMutableRawBufferPointer(rebasing: memory[start...]).copyBytes(from: junk)
            }
        }
    }

    /// Whether the chunk is very long, or holds the upper half of such a size anywhere.
    private static func isDangerous(_ source: any ByteSource, at offset: Int64) -> Bool {
        let bytes = read(source, at: offset + 4, count: longest)
        guard bytes.count >= 4 else { return true }
        let isRIFX = read(source, at: 0, count: 4) == Array("RIFX".utf8)
        let size = (isRIFX ? Array(bytes[..<4]) : bytes[..<4].reversed()).reduce(0) { $0 << 8 | Int($1) }
        let content = bytes[4..<min(bytes.count, 4 + size)]
        return size > longest - 8 || zip(content, content.dropFirst()).contains { $0 == 0xFF && $1 == 0xFF }
    }

    private static func read(_ source: any ByteSource, at offset: Int64, count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = bytes.withUnsafeMutableBytes { memory in (try? source.read(into: memory, at: offset)) ?? 0 }
        return Array(bytes.prefix(max(0, got)))
    }
}

/// Refuses packet tables of CAF files that libsndfile complains of: where a size runs beyond the end of the table, or
/// beyond five bytes, its reader of Apple Lossless prints a line to the client's standard output.
enum PacketTableGuard {
    /// Bytes of counts before the sizes.
    private static let head = 24
    private static let mostChunks = 4096
    /// Bytes of one size: 32 bits, seven to a byte.
    private static let longest = 5

    static func check(_ source: any ByteSource) throws(AudioFileError) {
        guard let shape = ChunkShape(source.bytes(at: 0, 12)), shape.sizeSize == 8, shape.isBigEndian else { return }
        var offset = shape.fileHeader
        for _ in 0..<mostChunks {
            guard let chunk = shape.chunk(source, at: offset) else { return }
            if chunk.name == "pakt", !isWhole(source, offset + shape.header, size: chunk.size) { throw damaged(source) }
            guard let next = shape.next(offset, chunk.size), next < source.byteCount else { return }
            offset = next
        }
    }

    /// Whether every size has its last byte, which is the one without the highest bit. A table that the end of the file
    /// cuts off counts as whole: what is missing reads as zeros.
    private static func isWhole(_ source: any ByteSource, _ start: Int64, size: Int64) -> Bool {
        guard size > 0, size <= source.byteCount - start else { return true }
        let table = source.bytes(at: start, Int(size))
        var open = 0
        for byte in table.dropFirst(head) {
            open = byte & 0x80 != 0 ? open + 1 : 0
            if open >= longest { return false }
        }
        return open == 0
    }

    private static func damaged(_ source: any ByteSource) -> AudioFileError {
        AudioFileError(
            .damaged, path: source.name,
            found: "a packet table that ends within a size, or has one of more than five bytes",
            rule: "Sizes of packets are whole, and no larger than 32 bits.",
            cure: "Copy the file again, or from a whole one.")
    }
}

/// Finds chunks in a W64 file: after 40 bytes each has a name of 16 bytes, of which the first four are WAVE's, and 64
/// bits of size that count the name and themselves; all lie at multiples of eight.
enum Wave64Chunks {
    private static let first: Int64 = 40, headerSize: Int64 = 24
    private static let most = 256

    /// Up to 64 KiB of the content of the first chunk of that name.
    static func content(of name: String, in source: any ByteSource) -> [UInt8]? {
        var offset = first
        for _ in 0..<most {
            let header = bytes(source, offset, count: Int(headerSize))
            guard header.count == Int(headerSize) else { return nil }
            let size = Int64(bitPattern: header[16...].reversed().reduce(0) { $0 << 8 | UInt64($1) })
            guard size >= headerSize else { return nil }
            if header[..<4].elementsEqual(name.utf8) {
                return bytes(source, offset + headerSize, count: Int(min(size - headerSize, 65_536)))
            }
            let (next, overflow) = offset.addingReportingOverflow(size)
            guard !overflow, next < source.byteCount else { return nil }
            offset = (next + 7) & ~7
        }
        return nil
    }

    private static func bytes(_ source: any ByteSource, _ offset: Int64, count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = bytes.withUnsafeMutableBytes { memory in (try? source.read(into: memory, at: offset)) ?? 0 }
        return Array(bytes.prefix(max(0, got)))
    }
}

/// The size a container can tell of, checked before it is crossed: WAV and AU count bytes in 32 bits, AIFF in 32 bits
/// with a sign.
struct ContainerLimit {
    private let path: String
    private let container: AudioContainer
    private let byteLimit: Int64?
    private let bytesPerFrame: Int64
    /// What may still come behind the samples, and the last block of an ADPCM codec.
    private static let reserve: Int64 = 1 << 16

    init(_ request: FileEncoderRequest, byteLimit: Int64?) {
        path = request.path
        container = request.container
        self.byteLimit = byteLimit ?? Self.limit(request.container)
        bytesPerFrame = Int64(max(1, request.codec.bitDepth / 8) * request.channelCount)
    }

    /// Throws when `frames` more frames do not fit.
    func check(adding frames: Int, to byteCount: Int64, frameCount: Int64) throws(AudioFileError) {
        guard let byteLimit, byteCount > byteLimit - Self.reserve - Int64(frames) * bytesPerFrame else { return }
        throw AudioFileError(
            .tooLarge, path: path,
            found: "\(frames) frames more than the \(frameCount) in it make over \(byteLimit) bytes",
            rule: "A header of \(container) cannot tell of more.",
            cure:
                "The file holds what was written before; begin a new one, or write RF64, W64 or CAF, which have no such limit."
        )
    }

    private static func limit(_ container: AudioContainer) -> Int64? {
        switch container {
        case .wav, .au: 1 << 32
        case .aiff: 1 << 31
        default: nil
        }
    }
}
