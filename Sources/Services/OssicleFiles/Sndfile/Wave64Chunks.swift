// The chunks of Sony's Wave64, which libsndfile does not hand out.

/// Finds chunks in a W64 file: after 40 bytes each has a name of 16 bytes, of which the first four are WAVE's, and 64 bits of size that count the
/// name and themselves; all lie at multiples of eight.
enum Wave64Chunks {
    private static let first: Int64 = 40, headerSize: Int64 = 24
    private static let most = 256

    /// Up to 64 KiB of the content of the first chunk of that name.
    static func content(of name: String, in source: any ByteSource) -> [UInt8]? {
        var offset = first
        for _ in 0..<most {
            let header = bytes(source, offset, Int(headerSize))
            guard header.count == Int(headerSize) else { return nil }
            let size = Int64(bitPattern: header[16...].reversed().reduce(0) { $0 << 8 | UInt64($1) })
            guard size >= headerSize else { return nil }
            if header[..<4].elementsEqual(name.utf8) { return bytes(source, offset + headerSize, Int(min(size - headerSize, 65_536))) }
            let (next, overflow) = offset.addingReportingOverflow(size)
            guard !overflow, next < source.byteCount else { return nil }
            offset = (next + 7) & ~7
        }
        return nil
    }

    private static func bytes(_ source: any ByteSource, _ offset: Int64, _ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = bytes.withUnsafeMutableBytes { memory in (try? source.read(into: memory, at: offset)) ?? 0 }
        return Array(bytes.prefix(max(0, got)))
    }
}
