import OssicleFiles

/// Bytes of a file as numbers. Reading beyond the end gives 0.
struct ByteReader {
    let bytes: [UInt8]
    /// Whether numbers have their most significant byte first.
    var isBigEndian = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    func u8(_ place: Int) -> Int { bytes.indices.contains(place) ? Int(bytes[place]) : 0 }
    func s8(_ place: Int) -> Int { Int(Int8(truncatingIfNeeded: u8(place))) }

    func u16(_ place: Int) -> Int {
        isBigEndian ? u8(place) << 8 | u8(place + 1) : u8(place) | u8(place + 1) << 8
    }

    func s16(_ place: Int) -> Int { Int(Int16(truncatingIfNeeded: u16(place))) }

    func u32(_ place: Int) -> Int {
        isBigEndian ? u16(place) << 16 | u16(place + 2) : u16(place) | u16(place + 2) << 16
    }

    func s32(_ place: Int) -> Int { Int(Int32(truncatingIfNeeded: u32(place))) }

    /// A chunk's name, spaces and all.
    func tag(_ place: Int) -> String {
        place + 4 <= count ? String(decoding: bytes[place..<place + 4], as: UTF8.self) : ""
    }

    /// Up to `length` bytes of text, or up to a zero.
    func text(_ place: Int, _ length: Int) -> String {
        let end = min(place + length, bytes.count)
        guard place < end else { return "" }
        return String(decoding: bytes[place..<end].prefix { $0 != 0 }, as: UTF8.self).trimmingSpaces
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        let kept = drop { $0 == " " }
        return String(kept.reversed().drop { $0 == " " }.reversed())
    }
}

/// A chunk of a RIFF file, and for lists what they are lists of.
struct RIFFChunk: Equatable {
    let name: String
    /// Of a list or the whole file.
    let list: String?
    /// Content in the file, behind name and length, and of a list behind its kind; cut to what is there.
    let range: Range<Int>
}

/// A RIFF file: named chunks, and lists of such. No length is believed beyond the bytes that are there.
struct RIFFFile {
    let source: any ByteSource
    let name: String
    let byteCount: Int
    /// Chunks of one list that are read at the most.
    static let mostChunks = 1 << 17

    /// The chunks within a range.
    func chunks(in range: Range<Int>) throws(InstrumentError) -> [RIFFChunk] {
        var chunks: [RIFFChunk] = [], place = range.lowerBound
        while place + 8 <= range.upperBound, chunks.count < Self.mostChunks {
            let head = ByteReader(try bytes(place..<min(place + 12, range.upperBound)))
            let name = head.tag(0), length = head.u32(4)
            let isList = name == "LIST" || name == "RIFF"
            let start = place + (isList ? 12 : 8), end = min(place + 8 + length, range.upperBound)
            chunks.append(
                RIFFChunk(name: name, list: isList ? head.tag(8) : nil, range: min(start, end)..<max(start, end)))
            place += 8 + length + length & 1
        }
        return chunks.filter { $0.range.upperBound <= range.upperBound }
    }

    /// The bytes of a range, as far as they are there.
    func bytes(_ range: Range<Int>) throws(InstrumentError) -> [UInt8] {
        let held = range.clamped(to: 0..<byteCount)
        var memory = [UInt8](repeating: 0, count: held.count)
        do {
            let count = try read(&memory, at: Int64(held.lowerBound))
            if count < held.count { memory.removeLast(held.count - count) }
        } catch { throw InstrumentError(error) }
        return memory
    }

    private func read(_ memory: inout [UInt8], at offset: Int64) throws(AudioFileError) -> Int {
        try memory.withUnsafeMutableBytes { buffer in
            Result { () throws(AudioFileError) in try source.read(into: buffer, at: offset) }
        }.get()
    }

    func fault(_ kind: InstrumentFault, _ found: String, _ rule: String, cure: String) -> InstrumentError {
        InstrumentError(kind, object: name, found: found, rule: rule, cure: cure)
    }
}
