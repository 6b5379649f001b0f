// Ogg files of several recordings, one behind the other.

/// Finds the links of a chained file (RFC 3533, 4): what an internet radio or `cat` puts together.
enum OggLinks {
    /// More are not looked for.
    private static let most = 1024

    /// Where the links lie; one range, the whole file, where it is not chained.
    static func find(_ source: any ByteSource) -> [Range<Int64>] {
        let whole = 0..<max(0, source.byteCount)
        guard let first = page(source, at: 0), let last = lastSerial(source), last != first.serial else { return [whole] }
        var starts: [Int64] = [0], offset: Int64 = 0, isInHeaders = true
        while offset < source.byteCount, starts.count < most {
            guard let page = page(source, at: offset) else {
                guard let next = resync(source, from: offset + 1) else { break }
                offset = next
                continue
            }
            if page.isFirst, !isInHeaders { starts.append(offset) }
            isInHeaders = page.isFirst
            offset += page.byteCount
        }
        return zip(starts, starts.dropFirst() + [source.byteCount]).map { $0..<$1 }
    }

    private static func page(_ source: any ByteSource, at offset: Int64) -> (isFirst: Bool, serial: UInt32, byteCount: Int64)? {
        let head = source.bytes(at: offset, OggPage.headerSize + 255)
        guard head.count >= OggPage.headerSize, head.starts(with: "OggS".utf8), head[4] == 0, head.count >= OggPage.headerSize + Int(head[26]) else { return nil }
        let segments = head[OggPage.headerSize..<OggPage.headerSize + Int(head[26])]
        let serial = head[14..<18].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        return (head[5] & 2 != 0, serial, Int64(OggPage.headerSize + segments.count) + segments.reduce(0) { $0 + Int64($1) })
    }

    /// The stream of the last page.
    private static func lastSerial(_ source: any ByteSource) -> UInt32? {
        let length = 128 << 10, start = max(0, source.byteCount - Int64(length)), tail = source.bytes(at: start, length), mark = Array("OggS".utf8)
        for place in stride(from: tail.count - OggPage.headerSize, through: 0, by: -1) where tail[place] == mark[0] && tail[place..<place + 4].elementsEqual(mark) {
            if let page = page(source, at: start + Int64(place)) { return page.serial }
        }
        return nil
    }

    private static func resync(_ source: any ByteSource, from offset: Int64) -> Int64? {
        let length = 128 << 10, mark = Array("OggS".utf8), bytes = source.bytes(at: offset, length)
        return bytes.firstRange(of: mark).map { offset + Int64($0.lowerBound) }
    }
}
