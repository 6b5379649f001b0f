/// Entries of a POSIX tape archive (ustar, IEEE Std 1003.1): regular files without an owner, of 1970, so that the same
/// files are the same archive.
enum TarHeader {
    static let blockSize = 512
    /// Two blocks of zeros.
    static let end = [UInt8](repeating: 0, count: 2 * blockSize)

    /// Header, content and zeros up to a whole block.
    /// - Parameter name: up to 100 bytes.
    static func entry(_ name: String, _ content: [UInt8]) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: blockSize)
        func put(_ text: String, at place: Int) {
            for (index, byte) in text.utf8.enumerated() { header[place + index] = byte }
        }
        func octal(_ value: Int, digits: Int) -> String {
            let text = String(value, radix: 8)
            return String(repeating: "0", count: max(digits - text.count, 0)) + text
        }
        put(String(name.prefix(100)), at: 0)
        put(octal(0o644, digits: 7), at: 100)
        put(octal(0, digits: 7), at: 108)
        put(octal(0, digits: 7), at: 116)
        put(octal(content.count, digits: 11), at: 124)
        put(octal(0, digits: 11), at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        put(octal(header.reduce(0) { $0 + Int($1) }, digits: 6), at: 148)
        header[154] = 0
        let rest = (blockSize - content.count % blockSize) % blockSize
        return header + content + [UInt8](repeating: 0, count: rest)
    }

    /// Bytes that an entry takes.
    static func size(of content: Int) -> Int { blockSize + (content + blockSize - 1) / blockSize * blockSize }

    /// Name and size of the entry that begins with these bytes; nil for what is no header of a file.
    static func read(_ header: [UInt8]) -> (name: String, size: Int)? {
        guard header.count == blockSize, Array(header[257..<262]) == Array("ustar".utf8) else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            Int(String(decoding: header[range].prefix { $0 != 0 && $0 != 0x20 }, as: UTF8.self), radix: 8)
        }
        var blank = header
        for place in 148..<156 { blank[place] = 0x20 }
        guard let size = number(124..<136), size >= 0, number(148..<156) == blank.reduce(0, { $0 + Int($1) }) else {
            return nil
        }
        return (String(decoding: header[0..<100].prefix { $0 != 0 }, as: UTF8.self), size)
    }
}
