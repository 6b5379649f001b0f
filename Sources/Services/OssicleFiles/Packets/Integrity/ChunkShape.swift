// How containers of chunks count bytes, as far as it takes to find the audio.

/// A container whose chunks have a name and a size.
struct ChunkShape {
    /// Bytes before the first chunk, of a chunk's name, and of its size.
    let fileHeader: Int64, nameSize: Int, sizeSize: Int
    let isBigEndian: Bool
    /// Whether a size counts name and size as well.
    let countsHeader: Bool
    /// Chunks begin at multiples of this many bytes.
    let alignment: Int64
    /// The chunk that holds the audio.
    let audio: String
    /// Whether a chunk `ds64` tells the audio's size.
    var hasLongSizes = false

    var header: Int64 { Int64(nameSize + sizeSize) }

    /// The shape of the file whose first bytes are `head`; `nil` where it does not consist of chunks.
    init?(_ head: [UInt8]) {
        guard head.count >= 12 else { return nil }
        let kind = String(decoding: head[8..<12], as: UTF8.self)
        switch (String(decoding: head[..<4], as: UTF8.self), kind) {
        case ("RIFF", "WAVE"): self.init(12, 4, sizeSize: 4, big: false, counts: false, alignment: 2, audio: "data")
        case ("RIFX", "WAVE"): self.init(12, 4, sizeSize: 4, big: true, counts: false, alignment: 2, audio: "data")
        case ("RF64", "WAVE"), ("BW64", "WAVE"):
            self.init(12, 4, sizeSize: 4, big: false, counts: false, alignment: 2, audio: "data")
            hasLongSizes = true
        case ("FORM", "AIFF"), ("FORM", "AIFC"):
            self.init(12, 4, sizeSize: 4, big: true, counts: false, alignment: 2, audio: "SSND")
        case ("riff", _): self.init(40, 16, sizeSize: 8, big: false, counts: true, alignment: 8, audio: "data")
        case ("caff", _): self.init(8, 4, sizeSize: 8, big: true, counts: false, alignment: 1, audio: "data")
        default: return nil
        }
    }

    private init(
        _ fileHeader: Int64, _ nameSize: Int, sizeSize: Int, big: Bool, counts: Bool, alignment: Int64,
        audio: String
    ) {
        self.fileHeader = fileHeader
        self.nameSize = nameSize
        self.sizeSize = sizeSize
        isBigEndian = big
        countsHeader = counts
        self.alignment = alignment
        self.audio = audio
    }

    /// The name of the chunk at `offset`, and the bytes of its body as it tells them; `nil` where no header is.
    func chunk(_ source: any ByteSource, at offset: Int64) -> (name: String, size: Int64)? {
        let bytes = source.bytes(at: offset, nameSize + sizeSize)
        guard bytes.count == nameSize + sizeSize else { return nil }
        let size = number(bytes[nameSize...])
        return (
            String(decoding: bytes[..<4], as: UTF8.self),
            countsHeader ? size.subtractingReportingOverflow(header).partialValue : size
        )
    }

    /// The size field of a chunk whose body has `size` bytes; the largest number where the field is too narrow.
    func sizeField(_ size: Int64) -> [UInt8] {
        let stated = countsHeader ? size + header : sizeSize == 4 ? min(size, Int64(UInt32.max)) : size
        return bytes(stated, sizeSize)
    }

    func bytes(_ number: Int64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> Int64(8 * (isBigEndian ? count - 1 - $0 : $0))) }
    }

    func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        Int64(bitPattern: (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Where the chunk behind one at `offset` begins; `nil` beyond the largest number.
    func next(_ offset: Int64, _ size: Int64) -> Int64? {
        let (end, overflow) = (offset + header).addingReportingOverflow(size)
        guard size >= 0, !overflow, end <= .max - alignment else { return nil }
        return (end - offset + alignment - 1) / alignment * alignment + offset
    }
}
