// A file's bytes as decoders get them.

/// Bytes whose sizes tell the truth, and what was wrong with them.
struct ExaminedBytes {
    /// Without a tag that stands before another container, and with the header's sizes corrected.
    let source: any ByteSource
    /// In sentences without their full stop: what is missing, and what is read although the header does not tell of it.
    let warnings: [String]

    init(_ source: any ByteSource) {
        let start = Self.containerStart(source)
        let repair = ChunkRepair(source, at: start)
        let corrected = repair.map { $0.patches.isEmpty ? source : PatchedBytes(source, $0.patches) } ?? source
        let end = repair?.end ?? source.byteCount
        self.source = start > 0 || end < source.byteCount ? SlicedBytes(corrected, start..<end) : corrected
        warnings = [repair == nil ? FileTail(source).warning : repair?.warning].compactMap { $0 }
    }

    /// The same bytes at the same places, with the header's sizes corrected.
    static func corrected(_ source: any ByteSource) -> any ByteSource {
        guard let repair = ChunkRepair(source, at: containerStart(source)), !repair.patches.isEmpty else {
            return source
        }
        return PatchedBytes(source, repair.patches)
    }

    /// Where a container begins that has tags of the kind ID3v2 before it; 0 where none is known there.
    private static func containerStart(_ source: any ByteSource) -> Int64 {
        var start: Int64 = 0
        for _ in 0..<8 {
            let head = source.bytes(at: start, 10)
            guard head.count == 10, head.starts(with: "ID3".utf8) else { break }
            let size = head[6..<10].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
            start += 10 + size + (head[5] & 0x10 != 0 ? 10 : 0)
        }
        let kind = String(decoding: source.bytes(at: start, 4), as: UTF8.self)
        return ["RIFF", "RIFX", "RF64", "BW64", "FORM", "riff", "caff", ".snd", "OggS"].contains(kind) ? start : 0
    }
}

/// A part of other bytes, from `start` on.
final class SlicedBytes: ByteSource {
    private let base: any ByteSource
    private let range: Range<Int64>

    init(_ base: any ByteSource, _ range: Range<Int64>) {
        self.base = base
        self.range = range.clamped(to: 0..<max(0, base.byteCount))
    }

    var name: String { base.name }
    var byteCount: Int64 { Int64(range.count) }

    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFileError) -> Int {
        guard offset >= 0, offset < byteCount else { return 0 }
        let count = Int(min(Int64(memory.count), byteCount - offset))
        return try base.read(
            into: UnsafeMutableRawBufferPointer(rebasing: memory[..<count]), at: range.lowerBound + offset)
    }
}

/// Other bytes with some of them corrected.
final class PatchedBytes: ByteSource {
    struct Patch: Equatable {
        var offset: Int64
        var bytes: [UInt8]
    }

    private let base: any ByteSource
    private let patches: [Patch]

    init(_ base: any ByteSource, _ patches: [Patch]) {
        self.base = base
        self.patches = patches
    }

    var name: String { base.name }
    var byteCount: Int64 { base.byteCount }

    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFileError) -> Int {
        let count = try base.read(into: memory, at: offset)
        for patch in patches {
            for (index, byte) in patch.bytes.enumerated() {
                let place = patch.offset + Int64(index) - offset
                if place >= 0, place < Int64(count) { memory[Int(place)] = byte }
            }
        }
        return count
    }
}

extension ByteSource {
    /// Up to `count` bytes from `offset` on; fewer at the end, or where they cannot be read.
    func bytes(at offset: Int64, _ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { memory, filled in
            filled = max(0, min(count, (try? read(into: UnsafeMutableRawBufferPointer(memory), at: offset)) ?? 0))
        }
    }
}
