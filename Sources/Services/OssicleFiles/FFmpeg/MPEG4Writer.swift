// The boxes that MPEG-4 files consist of (ISO/IEC 14496-12): size, type, content.

import OssicleCodecs

enum MPEG4Box {
    static func box(_ type: String, _ contents: [UInt8]...) -> [UInt8] { assemble(type, contents) }

    /// A box with a version and flags.
    static func full(_ type: String, version: UInt8 = 0, flags: UInt32 = 0, _ contents: [UInt8]...) -> [UInt8] {
        assemble(type, [bytes(UInt32(version) << 24 | flags)] + contents)
    }

    /// Tables of long recordings have megabytes: they are copied as wholes.
    private static func assemble(_ type: String, _ contents: [[UInt8]]) -> [UInt8] {
        let size = contents.reduce(8) { $0 + $1.count }
        var box = bytes(UInt32(clamping: size)) + Array(type.utf8)
        box.reserveCapacity(size)
        for content in contents { box += content }
        return box
    }

    /// The number of items, and their bytes.
    static func list<Item>(_ items: [Item], _ bytes: (Item) -> [UInt8]) -> [UInt8] {
        var list = Self.bytes(UInt32(clamping: items.count))
        list.reserveCapacity(4 + 8 * items.count)
        for item in items { list += bytes(item) }
        return list
    }

    /// A number, most significant byte first.
    static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}

/// Writes packets as a movie of fragments, each of which can be read as soon as it is there. To finish, a table of all
/// packets goes behind the last fragment, and sixteen bytes that were kept free at the front become the header of a box
/// of media data around all the fragments: then it is a plain file with one table. That last step is one write of
/// sixteen bytes, so the file is readable before and after, no packet is copied, and a disk that is too full for the
/// table keeps the fragments.
final class MPEG4Writer {
    private(set) var track: MPEG4Track
    private let sink: any ByteSink
    private let metadata: AudioMetadata
    private let frontOffset: Int64
    private var end: Int64 = 0
    private var fragmentCount: UInt32 = 0
    private var waiting: [(size: Int, frames: Int)] = []
    private var waitingBytes: [UInt8] = []

    init(_ sink: any ByteSink, track: MPEG4Track, metadata: AudioMetadata) throws(AudioFileError) {
        self.sink = sink
        self.track = track
        self.metadata = metadata
        let brands = MPEG4Box.box(
            "ftyp", Array("M4A ".utf8), MPEG4Box.zeros(4), Array("M4A mp42isom".utf8), Array("iso6".utf8))
        frontOffset = Int64(brands.count)
        try append(
            brands + MPEG4Box.box("free", MPEG4Box.zeros(8)) + track.movie(metadata: metadata, isFragmented: true))
    }

    /// Takes a packet, which waits for the fragment to be written.
    func add(_ packet: UnsafeRawBufferPointer, frames: Int) {
        waiting.append((packet.count, frames))
        waitingBytes += packet
    }

    /// Frames that wait.
    var waitingFrames: Int { waiting.reduce(0) { $0 + $1.frames } }

    /// Writes what waits as a fragment.
    func flush() throws(AudioFileError) {
        guard !waiting.isEmpty else { return }
        let header =
            track.fragment(number: fragmentCount + 1, waiting)
            + MPEG4Box.bytes(UInt32(clamping: waitingBytes.count + 8)) + Array("mdat".utf8)
        let start = end
        try append(header + waitingBytes)
        track.append(waiting, at: start + Int64(header.count))
        fragmentCount += 1
        waiting.removeAll(keepingCapacity: true)
        waitingBytes.removeAll(keepingCapacity: true)
    }

    /// Makes it a plain file whose recording begins behind `primingFrames` and ends before `remainderFrames`.
    func finish(primingFrames: Int, remainderFrames: Int) throws(AudioFileError) {
        (track.primingFrames, track.remainderFrames) = (primingFrames, remainderFrames)
        let media = end - frontOffset
        try append(track.movie(metadata: metadata, isFragmented: false))
        try sink.write([0, 0, 0, 1] + Array("mdat".utf8) + MPEG4Box.bytes(media), at: frontOffset)
        try sink.close()
    }

    private func append(_ bytes: [UInt8]) throws(AudioFileError) {
        try sink.write(bytes, at: end)
        end += Int64(bytes.count)
    }
}
