// Files whose header does not tell how much audio follows.

/// Compares the size of the audio, as a file of chunks tells it, with the bytes that are there. A program that was
/// killed leaves 0, or what it stated last; a copy that was cut off leaves more than there is.
struct ChunkRepair {
    /// What makes the header right.
    private(set) var patches: [PatchedBytes.Patch] = []
    /// Where the audio ends in a file of none with other chunks behind it, which libsndfile would take for sound.
    private(set) var end: Int64?
    /// What is wrong, as a sentence.
    private(set) var warning: String?

    private let source: any ByteSource
    private let shape: ChunkShape
    /// Places of numbers that have to be right as well: `ds64`, and the frames in `COMM`.
    private var longSizePlace: Int64?, frameCountPlace: Int64?

    private static let mostChunks = 4096
    /// Sizes from here on are what programs write that do not know the size yet.
    private static let unknownSize: Int64 = 0x7FFF_0000

    /// Looks at the file that begins at byte `start` of `source`.
    init?(_ source: any ByteSource, at start: Int64) {
        guard let shape = ChunkShape(source.bytes(at: start, 12)) else { return nil }
        self.source = source
        self.shape = shape
        var offset = start + shape.fileHeader
        for _ in 0..<Self.mostChunks {
            guard let chunk = shape.chunk(source, at: offset) else { return }
            guard chunk.name != shape.audio else {
                examine(offset, chunk.size)
                return
            }
            if chunk.name == "ds64", shape.hasLongSizes { longSizePlace = offset + shape.header + 8 }
            if chunk.name == "COMM" { frameCountPlace = offset + shape.header + 2 }
            guard let next = shape.next(offset, chunk.size), next < source.byteCount else { return }
            offset = next
        }
    }

    private mutating func examine(_ offset: Int64, _ fieldSize: Int64) {
        let body = offset + shape.header, there = source.byteCount - body
        var stated = fieldSize
        if let longSizePlace, fieldSize == Int64(UInt32.max) {
            stated = shape.number(source.bytes(at: longSizePlace, 8)[...])
        }
        // CAF and W64 have a size for "up to the end of the file".
        if shape.sizeSize == 8, stated < 0 { return }
        guard stated >= 0, stated < there else {
            let isUnknown = shape.sizeSize == 4 && fieldSize >= Self.unknownSize && longSizePlace == nil
            guard stated > there, there >= 0, !isUnknown else { return }
            warning = "it is cut short: its header states \(stated) bytes of audio, and \(there) are there"
            return correct(offset, fieldSize, there: there)
        }
        guard let end = shape.next(offset, stated), end < source.byteCount else { return }
        guard !isTail(at: end) else {
            if stated == 0 { self.end = body }
            return
        }
        warning =
            "it was not finished: its header states \(stated) bytes of audio, and all \(there) up to its end are read"
        correct(offset, fieldSize, there: there)
    }

    /// Makes the chunk at `offset` tell of `there` bytes.
    private mutating func correct(_ offset: Int64, _ fieldSize: Int64, there: Int64) {
        patches = [
            PatchedBytes.Patch(
                offset: offset + Int64(shape.nameSize),
                bytes: fieldSize == Int64(UInt32.max) ? shape.bytes(fieldSize, 4) : shape.sizeField(there))
        ]
        if let longSizePlace { patches.append(PatchedBytes.Patch(offset: longSizePlace, bytes: shape.bytes(there, 8))) }
        // 0 leaves the frames to be counted by the bytes.
        if let frameCountPlace, shape.audio == "SSND" {
            patches.append(PatchedBytes.Patch(offset: frameCountPlace, bytes: [0, 0, 0, 0]))
        }
    }

    /// Whether what begins at `offset` is no audio: other chunks to the end of the file, a tag of another standard, or
    /// padding.
    private func isTail(at offset: Int64) -> Bool {
        let rest = source.byteCount - offset
        if rest < shape.header { return true }
        let head = source.bytes(at: offset, 8)
        if Self.foreignTails.contains(where: { head.starts(with: $0.utf8) }) { return true }
        if rest <= 4096, source.bytes(at: offset, Int(rest)).allSatisfy({ $0 == 0 }) { return true }
        var place = offset
        for _ in 0..<Self.mostChunks {
            guard let chunk = shape.chunk(source, at: place), chunk.name.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
            else { return false }
            if Self.trailers.contains(chunk.name) { return true }
            guard let next = shape.next(place, chunk.size), next <= source.byteCount + shape.alignment else {
                return false
            }
            if next > source.byteCount - shape.header { return true }
            place = next
        }
        return false
    }

    private static let foreignTails = ["TAG", "ID3", "3DI", "APETAGEX", "LYRICS", "RIFF", "RF64", "FORM", "caff"]
    /// Chunks that programs write behind the audio.
    private static let trailers: Set<String> = [
        "LIST", "list", "id3 ", "ID3 ", "bext", "iXML", "axml", "chna", "fact", "cue ", "smpl", "inst", "plst", "acid",
        "PEAK", "JUNK", "junk", "FLLR", "PAD ", "_PMX", "afsp",
        "cart", "umid", "ANNO", "NAME", "AUTH", "(c) ", "CHAN", "COMM", "MARK", "INST", "COMT", "APPL", "MIDI", "FVER",
        "info", "kuki", "pakt", "strg", "mark", "regn",
        "free", "midi", "uuid", "chan", "desc", "ovvw", "peak", "edct",
    ]
}
