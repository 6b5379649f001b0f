import Testing
@testable import OssicleCodecs

/// As much of the Core Audio Format as takes packets out of a file and wraps packets into one.
enum CAFBytes {
    /// The content of the chunks, by name.
    static func chunks(of file: [UInt8]) -> [String: [UInt8]] {
        var chunks: [String: [UInt8]] = [:]
        var position = 8
        while position + 12 <= file.count {
            let size = Int(truncatingIfNeeded: big(file[position + 4..<position + 12]))
            let end = size < 0 ? file.count : min(position + 12 + size, file.count)
            chunks[String(decoding: file[position..<position + 4], as: UTF8.self)] = Array(file[position + 12..<end])
            position = end
        }
        return chunks
    }

    /// Packets of a file with a packet table that tells only their sizes.
    static func packets(of file: [UInt8]) throws -> (cookie: [UInt8], packets: [[UInt8]]) {
        let chunks = chunks(of: file)
        let table = try #require(chunks["pakt"]), data = try #require(chunks["data"]),
            cookie = try #require(chunks["kuki"])
        var sizes = table.dropFirst(24), position = 4
        let packets = (0..<big(table[0..<8])).map { _ in
            var size = 0
            while let byte = sizes.popFirst() {
                size = size << 7 | Int(byte & 0x7F)
                if byte & 0x80 == 0 { break }
            }
            defer { position += size }
            return Array(data[position..<position + size])
        }
        return (cookie, packets)
    }

    /// A file of Apple Lossless packets.
    static func appleLossless(_ packets: [[UInt8]], format: PacketFormat, frames: Int) -> [UInt8] {
        let sizes = packets.flatMap { packet in
            [14, 7, 0].map { (shift: Int) -> UInt8 in UInt8(packet.count >> shift & 0x7F) | (shift > 0 ? 0x80 : 0) }
        }
        let depth = UInt64([16, 20, 24, 32].firstIndex(of: format.codec.bitDepth) ?? 0) + 1
        let numbers = [depth, 0, 4096, UInt64(format.channelCount), 0].flatMap { big($0, 4) }
        let description: [UInt8] = big(format.sampleRate.bitPattern, 8) + Array("alac".utf8) + numbers
        let rest = packets.count * 4096 - frames
        let table: [UInt8] =
            big(UInt64(packets.count), 8) + big(UInt64(frames), 8) + big(0, 4) + big(UInt64(rest), 4) + sizes
        let head: [UInt8] = Array("caff".utf8) + [0, 1, 0, 0]
        let data: [UInt8] = [0, 0, 0, 0] + packets.flatMap { $0 }
        return [
            head, chunk("desc", description), chunk("kuki", format.cookie), chunk("pakt", table), chunk("data", data),
        ].flatMap { $0 }
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + big(UInt64(content.count), 8) + content
    }
    private static func big(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func big(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
