/// The descriptor of an elementary stream (ISO/IEC 14496-1, 7.2.6): nested pieces of tag, length and content.
enum ESDescriptor {
    private static let stream: UInt8 = 3, decoderConfig: UInt8 = 4, decoderSpecific: UInt8 = 5, syncLayer: UInt8 = 6

    /// What the decoder needs, out of an ES descriptor, a decoder config descriptor or an `esds` box; `nil` when there is none.
    static func decoderSpecificInfo(in bytes: [UInt8]) -> [UInt8]? {
        var rest = bytes[...]
        if rest.count > 12, Array(rest[4..<8]) == Array("esds".utf8) { rest = rest.dropFirst(12) }
        if rest.count > 4, rest.prefix(4).allSatisfy({ $0 == 0 }) { rest = rest.dropFirst(4) }
        return find(rest)
    }

    private static func find(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = bytes
        while let tag = rest.popFirst(), let length = readLength(&rest) {
            var content = rest.prefix(length)
            rest = rest.dropFirst(length)
            switch tag {
            case stream:
                guard content.count >= 3 else { return nil }
                let flags = content[content.startIndex + 2]
                content = content.dropFirst(3 + (flags & 0x80 != 0 ? 2 : 0))
                if flags & 0x40 != 0, let urlLength = content.popFirst() { content = content.dropFirst(Int(urlLength)) }
                return find(content.dropFirst(flags & 0x20 != 0 ? 2 : 0))
            case decoderConfig: return find(content.dropFirst(13))
            case decoderSpecific: return content.isEmpty ? nil : Array(content)
            default: continue
            }
        }
        return nil
    }

    /// Seven bits a byte, the highest of which tells that another follows; four bytes at most.
    private static func readLength(_ bytes: inout ArraySlice<UInt8>) -> Int? {
        var length = 0
        for _ in 0..<4 {
            guard let byte = bytes.popFirst() else { return nil }
            length = length << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { return length }
        }
        return nil
    }

    /// An ES descriptor for MPEG-4 audio.
    static func build(decoderSpecificInfo: [UInt8]) -> [UInt8] {
        let mpeg4Audio: UInt8 = 0x40, audioStream: UInt8 = 5 << 2 | 1
        let config = [mpeg4Audio, audioStream] + [UInt8](repeating: 0, count: 11) + piece(decoderSpecific, decoderSpecificInfo)
        return piece(stream, [0, 0, 0] + piece(decoderConfig, config) + piece(syncLayer, [2]))
    }

    private static func piece(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count
        return [tag] + [21, 14, 7].map { 0x80 | UInt8(truncatingIfNeeded: length >> $0) } + [UInt8(length & 0x7F)] + content
    }
}
