// One sound out of several files, one behind the other.

/// Decodes links of a chained file as one recording. Links that differ from the first in rate or channels, or that cannot be read, are left out. One
/// link is open at a time.
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
        guard let head = ranges.first else { throw AudioFileError(.empty, path: source.name, found: "no link", rule: "A chain has links.", cure: "Copy it again.") }
        let first = try SndfileDecoder(SlicedBytes(source, head))
        var links = [head], starts: [Int64] = [0, first.info.frameCount], omitted = 0
        for range in ranges.dropFirst() {
            guard let other = (try? SndfileDecoder(SlicedBytes(source, range)))?.info, other.sampleRate == first.info.sampleRate,
                  other.channelCount == first.info.channelCount, case let (end, false) = (starts.last ?? 0).addingReportingOverflow(other.frameCount) else {
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
