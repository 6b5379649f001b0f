// Whether a file of frames, pages or boxes ends where one of them ends.

import OssicleCodecs

/// What the last bytes of a file tell.
struct FileTail {
    /// What is wrong, as a sentence; `nil` where the file is whole as far as its last bytes tell.
    let warning: String?

    private static let length = 128 << 10
    private static let cut = "it is cut short"

    init(_ source: any ByteSource) {
        let head = source.bytes(at: 0, 12), start = max(0, source.byteCount - Int64(Self.length))
        if head.count < 12 {
            warning = nil
        } else if head.starts(with: "OggS".utf8) {
            warning = Self.ogg(source.bytes(at: start, Self.length))
        } else if head[4..<8].elementsEqual("ftyp".utf8) {
            warning = Self.boxes(source)
        } else if head.starts(with: ".snd".utf8) {
            let numbers = [4..<8, 8..<12].map { head[$0].reduce(0) { $0 << 8 | Int64($1) } },
                there = source.byteCount - numbers[0]
            let isStated = numbers[1] < Int64(UInt32.max) && numbers[1] > there
            warning =
                isStated
                ? "\(Self.cut): its header states \(numbers[1]) bytes of audio, and \(max(0, there)) are there" : nil
        } else if head[0] == 0xFF && head[1] & 0xE0 == 0xE0 || head.starts(with: "ID3".utf8) {
            let tail = source.bytes(at: start, Self.length)
            let isADTS = (try? FileSignature(source)) == .adts
            warning = isADTS ? Self.frames(tail, ADTSHeader.self) : Self.frames(tail, MPEGHeader.self)
        } else {
            warning = nil
        }
    }

    /// The last page of a stream says so (RFC 3533, 6).
    private static func ogg(_ tail: [UInt8]) -> String? {
        let mark = Array("OggS".utf8)
        guard tail.count >= OggPage.headerSize else { return cut }
        for start in stride(from: tail.count - OggPage.headerSize, through: 0, by: -1)
        where tail[start] == mark[0] && tail[start..<start + 4].elementsEqual(mark) {
            switch tail[start...].withUnsafeBytes({ OggPage.read($0) }) {
            case .page(let page): return page.isLast ? nil : "\(cut): its last page is not marked as the last"
            case .incomplete: return "\(cut): its last page is not whole"
            case .none: continue
            }
        }
        return "\(cut), or damaged: no page of Ogg is in its last \(tail.count) bytes"
    }

    /// Whether the bytes behind the last whole frame begin another one.
    private static func frames<Header: FrameHeader>(_ tail: [UInt8], _ type: Header.Type) -> String? {
        tail.withUnsafeBytes { bytes in
            var finder = FrameFinder<Header>(), place = 0
            while place < bytes.count {
                let window = ParserWindow(
                    bytes: UnsafeRawBufferPointer(rebasing: bytes[place...]), offset: 0, isLast: false, fileSize: nil,
                    name: "")
                switch finder.next(window) {
                case .frame(let header, let position): place += position + header.byteCount
                case .step(.pass(let count)) where count > 0: place += Int(count)
                default:
                    guard let known = finder.known, window.count >= Header.size,
                        let header = Header(window.bytes, at: 0), header.isAkin(to: known),
                        header.byteCount > window.count
                    else { return nil }
                    return "\(cut): of its last frame \(window.count) of \(header.byteCount) bytes are there"
                }
            }
            return nil
        }
    }

    /// The last box ends with the file, or reaches up to its end.
    private static func boxes(_ source: any ByteSource) -> String? {
        var place: Int64 = 0
        for _ in 0..<65_536 where place < source.byteCount {
            let head = source.bytes(at: place, 16).withUnsafeBytes { MP4BoxHead(ByteCursor($0)) }
            guard let head, let body = head.bodySize else { return nil }
            let size = body.addingReportingOverflow(Int64(head.byteCount))
            guard !size.overflow, size.partialValue <= source.byteCount - place else {
                return "\(cut): of the box \"\(head.name)\" \(source.byteCount - place) bytes are there"
            }
            place += size.partialValue
        }
        return nil
    }
}
