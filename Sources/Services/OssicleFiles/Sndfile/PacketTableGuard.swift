/// Refuses packet tables of CAF files that libsndfile complains of: where a size runs beyond the end of the table, or beyond five bytes, its
/// reader of Apple Lossless prints a line to the client's standard output.
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
            if chunk.name == "pakt", !isWhole(source, offset + shape.header, chunk.size) { throw damaged(source) }
            guard let next = shape.next(offset, chunk.size), next < source.byteCount else { return }
            offset = next
        }
    }

    /// Whether every size has its last byte, which is the one without the highest bit. A table that the end of the file cuts off counts as whole:
    /// what is missing reads as zeros.
    private static func isWhole(_ source: any ByteSource, _ start: Int64, _ size: Int64) -> Bool {
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
        AudioFileError(.damaged, path: source.name, found: "a packet table that ends within a size, or has one of more than five bytes",
                       rule: "Sizes of packets are whole, and no larger than 32 bits.", cure: "Copy the file again, or from a whole one.")
    }
}
