// Bytes seen through corrections.

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
        return try base.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[..<count]), at: range.lowerBound + offset)
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
