// Boxes of MPEG-4 files.

/// One box (ISO/IEC 14496-12, 4.2).
struct MP4Box {
    let name: FourCC
    let body: UnsafeRawBufferPointer

    /// The boxes in `bytes`, as far as they make sense.
    static func all(in bytes: UnsafeRawBufferPointer) -> [MP4Box] {
        var cursor = ByteCursor(bytes), boxes: [MP4Box] = []
        while let head = MP4BoxHead(cursor), cursor.skip(head.byteCount) {
            guard let body = cursor.take(head.bodySize.flatMap { Int(exactly: $0) } ?? cursor.remaining) else { break }
            boxes.append(MP4Box(name: head.name, body: body))
        }
        return boxes
    }

    /// The first box found by going from box to box.
    static func find(_ path: [FourCC], in bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let name = path.first else { return bytes }
        for box in all(in: bytes) where box.name == name {
            if let found = find(Array(path.dropFirst()), in: box.body) { return found }
        }
        return nil
    }
}

/// The beginning of a box.
struct MP4BoxHead {
    let name: FourCC
    let byteCount: Int
    /// `nil` up to the end of the file.
    let bodySize: Int64?

    /// `nil` when there are not enough bytes, or the size is smaller than the head.
    init?(_ cursor: ByteCursor) {
        var cursor = cursor
        guard let size = cursor.big(UInt32.self), let name = cursor.name() else { return nil }
        self.name = name
        if size == 1 {
            guard let long = cursor.big(Int64.self), long >= 16 else { return nil }
            (byteCount, bodySize) = (16, long - 16)
        } else {
            guard size == 0 || size >= 8 else { return nil }
            (byteCount, bodySize) = (8, size == 0 ? nil : Int64(size) - 8)
        }
    }
}
