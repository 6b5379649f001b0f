#if FFmpeg
// Which part of an MPEG-4 track is the recording.

import OssicleCodecs

/// The edit list of one track (ISO/IEC 14496-12, 8.6.6): what a player shows of it. The first edit that shows something
/// counts.
struct MPEG4Edit: Equatable {
    /// Where it begins, in seconds of the track, as a fraction.
    var start: Int64
    var startScale: Int64
    /// How long it is, in seconds, as a fraction with the movie's scale, which may be a coarse one; 0 stands for all.
    var length: Int64
    var lengthScale: Int64

    /// The edit of the track with this number, or `nil` when it has none.
    static func read(_ file: FileBytes, track: Int32) -> MPEG4Edit? {
        let reader = MPEG4BoxReader(file)
        guard let movie = reader.boxes(in: 0..<file.byteCount).first(where: { $0.type == "moov" }) else { return nil }
        let inside = reader.boxes(in: movie.content)
        guard let header = inside.first(where: { $0.type == "mvhd" }), let movieScale = reader.scale(of: header) else {
            return nil
        }
        for box in inside where box.type == "trak" {
            let parts = reader.boxes(in: box.content)
            guard let trackHeader = parts.first(where: { $0.type == "tkhd" }),
                reader.trackNumber(of: trackHeader) == Int64(track),
                let edits = parts.first(where: { $0.type == "edts" }),
                let list = reader.boxes(in: edits.content).first(where: { $0.type == "elst" }),
                let media = parts.first(where: { $0.type == "mdia" }),
                let mediaHeader = reader.boxes(in: media.content).first(where: { $0.type == "mdhd" }),
                let mediaScale = reader.scale(of: mediaHeader),
                let first = reader.edits(of: list).first(where: { $0.start >= 0 })
            else { continue }
            return MPEG4Edit(start: first.start, startScale: mediaScale, length: first.length, lengthScale: movieScale)
        }
        return nil
    }
}

/// Reads boxes of an MPEG-4 file. Boxes of a damaged one end where their parent does.
struct MPEG4BoxReader {
    struct Box {
        var type: String
        var content: Range<Int64>
    }

    private let file: FileBytes
    /// More boxes side by side than this are damage, or fragments of which only the first matters.
    private static let most = 4096

    init(_ file: FileBytes) { self.file = file }

    func boxes(in range: Range<Int64>) -> [Box] {
        var boxes: [Box] = [], place = range.lowerBound
        while boxes.count < Self.most, range.upperBound - place >= 8, let header = read(at: place, count: 16) {
            let short = number(header, 0, count: 4), isLong = short == 1
            let size = isLong ? number(header, 8, count: 8) : short == 0 ? range.upperBound - place : short
            guard size >= (isLong ? 16 : 8) else { break }
            let end = size > range.upperBound - place ? range.upperBound : place + size
            boxes.append(
                Box(
                    type: String(decoding: header[4..<8], as: UTF8.self),
                    content: place + (isLong ? 16 : 8)..<max(end, place + (isLong ? 16 : 8))))
            place = end
        }
        return boxes
    }

    /// Units a second, of a movie or media header.
    func scale(of header: Box) -> Int64? {
        guard let bytes = read(at: header.content.lowerBound, count: 24) else { return nil }
        let scale = number(bytes, bytes[0] == 1 ? 20 : 12, count: 4)
        return scale > 0 ? scale : nil
    }

    func trackNumber(of header: Box) -> Int64? {
        read(at: header.content.lowerBound, count: 24).map { number($0, $0[0] == 1 ? 20 : 12, count: 4) }
    }

    /// The first edits of a list; those that show nothing start at −1.
    func edits(of list: Box) -> [(length: Int64, start: Int64)] {
        guard let bytes = read(at: list.content.lowerBound, count: 8 + 8 * 20) else { return [] }
        let isLong = bytes[0] == 1, width = isLong ? 8 : 4
        return (0..<min(8, Int(number(bytes, 4, count: 4)))).map { index in
            let place = 8 + index * (2 * width + 4), start = number(bytes, place + width, count: width)
            return (number(bytes, place, count: width), isLong ? start : Int64(Int32(truncatingIfNeeded: start)))
        }
    }

    /// Bytes of the file; zeros behind its end.
    private func read(at offset: Int64, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let done = bytes.withUnsafeMutableBytes { try? file.read(into: $0, at: offset) }
        return (done ?? 0) > 0 ? bytes : nil
    }

    private func number(_ bytes: [UInt8], _ start: Int, count: Int) -> Int64 {
        Int64(bitPattern: bytes[start..<start + count].reduce(0) { $0 << 8 | UInt64($1) })
    }
}
#endif
