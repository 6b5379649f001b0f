// What libsndfile must not see in a header.

/// Keeps from libsndfile what it does not survive. Version 1.2 adds the size of a part of a WAVE `LIST` chunk to a 32-bit count unchecked, and for
/// sizes just under 4 GiB jumps back and forth for ever: such chunks are handed to it under the name `JUNK`, which it passes over.
struct HeaderGuard {
    private static let list = Array("LIST".utf8), junk = Array("JUNK".utf8)
    /// No `LIST` chunk of texts is larger, in bytes.
    private static let longest = 65_536

    /// Changes `memory`, which holds what `source` has from `offset` on.
    static func check(_ memory: UnsafeMutableRawBufferPointer, at offset: Int64, of source: any ByteSource) {
        guard memory.count >= list.count else { return }
        for start in 0...memory.count - list.count where memory[start] == list[0] && memory[start..<start + list.count].elementsEqual(list) {
            if isDangerous(source, at: offset + Int64(start)) { UnsafeMutableRawBufferPointer(rebasing: memory[start...]).copyBytes(from: junk) }
        }
    }

    /// Whether the chunk is very long, or holds the upper half of such a size anywhere.
    private static func isDangerous(_ source: any ByteSource, at offset: Int64) -> Bool {
        let bytes = read(source, at: offset + 4, longest)
        guard bytes.count >= 4 else { return true }
        let isRIFX = read(source, at: 0, 4) == Array("RIFX".utf8)
        let size = (isRIFX ? Array(bytes[..<4]) : bytes[..<4].reversed()).reduce(0) { $0 << 8 | Int($1) }
        let content = bytes[4..<min(bytes.count, 4 + size)]
        return size > longest - 8 || zip(content, content.dropFirst()).contains { $0 == 0xFF && $1 == 0xFF }
    }

    private static func read(_ source: any ByteSource, at offset: Int64, _ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = bytes.withUnsafeMutableBytes { memory in (try? source.read(into: memory, at: offset)) ?? 0 }
        return Array(bytes.prefix(max(0, got)))
    }
}
