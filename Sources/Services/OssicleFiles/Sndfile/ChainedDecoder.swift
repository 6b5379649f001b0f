// One sound out of several files, one behind the other.

/// Decodes links of a chained file as one recording. Links that differ from the first in rate or channels, or that
/// cannot be read, are left out. One link is open at a time.
final class ChainedDecoder: FileDecoder {
    let info: AudioFileInfo
    let metadata: AudioMetadata
    /// Links that are left out.
    let omitted: Int

    private let source: any ByteSource
    /// Where links lie, and the frames at which they begin; one more frame number than links.
    private let links: [Range<Int64>]
    private let starts: [Int64]
    private var decoder: any FileDecoder
    private var link = 0

    init(_ source: any ByteSource, _ ranges: [Range<Int64>]) throws(AudioFileError) {
        guard let head = ranges.first else {
            throw AudioFileError(
                .empty, path: source.name, found: "no link", rule: "A chain has links.", cure: "Copy it again.")
        }
        let first = try SndfileDecoder(SlicedBytes(source, head))
        var links = [head], starts: [Int64] = [0, first.info.frameCount], omitted = 0
        for range in ranges.dropFirst() {
            guard let other = (try? SndfileDecoder(SlicedBytes(source, range)))?.info,
                other.sampleRate == first.info.sampleRate,
                other.channelCount == first.info.channelCount,
                case let (end, false) = (starts.last ?? 0).addingReportingOverflow(other.frameCount)
            else {
                omitted += 1
                continue
            }
            links.append(range)
            starts.append(end)
        }
        self.source = source
        self.links = links
        self.starts = starts
        self.omitted = omitted
        decoder = first
        metadata = first.metadata
        var info = first.info
        info.frameCount = starts.last ?? 0
        self.info = info
    }

    func close() { decoder.close() }

    func read(into planes: [UnsafeMutablePointer<Double>], frames: Int) throws(AudioFileError) -> Int {
        var done = 0
        while done < frames {
            let got = try decoder.read(into: planes.map { $0 + done }, frames: frames - done)
            done += got
            guard got == 0 else { continue }
            guard link + 1 < links.count else { break }
            try open(link + 1)
        }
        return done
    }

    func seek(to frame: Int64) throws(AudioFileError) {
        let wanted = min(max(0, starts.dropLast().partition { $0 <= frame } - 1), links.count - 1)
        if wanted != link { try open(wanted) }
        try decoder.seek(to: frame - starts[wanted])
    }

    private func open(_ number: Int) throws(AudioFileError) {
        decoder.close()
        decoder = try SndfileDecoder(SlicedBytes(source, links[number]))
        link = number
    }
}

/// Finds the links of a chained file (RFC 3533, 4): what an internet radio or `cat` puts together.
enum OggLinks {
    /// More are not looked for.
    private static let most = 1024

    /// Where the links lie; one range, the whole file, where it is not chained.
    static func find(_ source: any ByteSource) -> [Range<Int64>] {
        let whole = 0..<max(0, source.byteCount)
        guard let first = page(source, at: 0), let last = lastSerial(source), last != first.serial else {
            return [whole]
        }
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

    private static func page(
        _ source: any ByteSource, at offset: Int64
    ) -> (isFirst: Bool, serial: UInt32, byteCount: Int64)? {
        let head = source.bytes(at: offset, OggPage.headerSize + 255)
        guard head.count >= OggPage.headerSize, head.starts(with: "OggS".utf8), head[4] == 0,
            head.count >= OggPage.headerSize + Int(head[26])
        else { return nil }
        let segments = head[OggPage.headerSize..<OggPage.headerSize + Int(head[26])]
        let serial = head[14..<18].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        return (
            head[5] & 2 != 0, serial, Int64(OggPage.headerSize + segments.count) + segments.reduce(0) { $0 + Int64($1) }
        )
    }

    /// The stream of the last page.
    private static func lastSerial(_ source: any ByteSource) -> UInt32? {
        let length = 128 << 10, start = max(0, source.byteCount - Int64(length)),
            tail = source.bytes(at: start, length), mark = Array("OggS".utf8)
        for place in stride(from: tail.count - OggPage.headerSize, through: 0, by: -1)
        where tail[place] == mark[0] && tail[place..<place + 4].elementsEqual(mark) {
            if let page = page(source, at: start + Int64(place)) { return page.serial }
        }
        return nil
    }

    private static func resync(_ source: any ByteSource, from offset: Int64) -> Int64? {
        let length = 128 << 10, mark = Array("OggS".utf8), bytes = source.bytes(at: offset, length)
        return bytes.firstRange(of: mark).map { offset + Int64($0.lowerBound) }
    }
}
