// M4A and its kin.

import OssicleCodecs

/// Boxes; the one that describes the sound has to come before the sound when bytes come in order.
struct MP4Parser: ContainerParser {
    private var movie: MP4Movie?
    private var isNamed = false
    /// Where the box with sound ends that the window lies in, in bytes from the start of the stream.
    private var dataEnd: Int64?
    private var next: Int64 = 0

    /// A box that describes may be so large, in bytes.
    private static let largest: Int64 = 64 << 20
    /// Packets reported at a time at most.
    private static let most = 4096

    mutating func step(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) -> ParserStep {
        if !isNamed {
            isNamed = true
            found.events.append(.container(.mpeg4))
        }
        if let dataEnd, window.offset < dataEnd, let index = movie?.index {
            return samples(index, window, found: found, until: dataEnd)
        }
        dataEnd = nil
        guard let head = MP4BoxHead(window.cursor()) else {
            guard window.count < 16 else {
                throw window.damaged("a box smaller than its head", rule: "Boxes count their heads.")
            }
            return .wait(window.count < 8 ? 8 : 16)
        }
        let size = head.bodySize.map { $0.addingReportingOverflow(Int64(head.byteCount)) }
        let whole = size.flatMap { $0.overflow ? nil : $0.partialValue }
        switch head.name {
        case "moov", "moof":
            guard let whole, whole <= Self.largest else {
                throw AudioFileError(
                    .tooLarge, path: window.name, found: "a box \"\(head.name)\" of \(whole ?? .max) bytes",
                    rule: "It may have 64 MB.",
                    cure: "Split the file.")
            }
            guard window.count >= Int(whole) else { return .wait(Int(whole)) }
            try read(
                head, UnsafeRawBufferPointer(rebasing: window.bytes[head.byteCount..<Int(whole)]), window: window,
                found: found)
            return .pass(whole)
        case "mdat":
            if !window.isFile {
                guard movie != nil else { throw .tableBehind(window.name) }
                let end = window.offset.addingReportingOverflow(whole ?? .max)
                dataEnd = end.overflow ? .max : end.partialValue
                return .pass(Int64(head.byteCount))
            }
        default: break
        }
        return whole.map { .pass($0) } ?? .done
    }

    private mutating func read(
        _ head: MP4BoxHead, _ body: UnsafeRawBufferPointer, window: ParserWindow, found: ParserFindings
    ) throws(AudioFileError) {
        if head.name == "moof" {
            try movie?.add(fragment: body, at: window.offset, window: window)
        } else if movie == nil {
            let movie = try MP4Movie(body, window)
            self.movie = movie
            if !window.isFile { report(movie, found) }
        }
    }

    private mutating func report(_ movie: MP4Movie, _ found: ParserFindings) {
        let isCounted = !movie.isFragmented || found.index.count > 0
        found.events += [
            .format(.packets(movie.format)),
            .data(
                offset: movie.index.firstByte ?? 0, byteCount: isCounted ? movie.index.byteCount : nil,
                packetCount: isCounted ? movie.index.count : nil),
        ]
        if !movie.metadata.isEmpty { found.events.append(.metadata(movie.metadata)) }
        if movie.primingFrames > 0 || movie.remainderFrames > 0 {
            found.events.append(.priming(leading: movie.primingFrames, trailing: movie.remainderFrames))
        }
    }

    /// The samples in the window, and what lies between them passed over.
    private mutating func samples(
        _ index: PacketIndex, _ window: ParserWindow, found: ParserFindings, until end: Int64
    ) -> ParserStep {
        var used = 0, count = 0
        while next < index.count, count < Self.most, let place = index.place(of: index.start(of: next), limit: .max) {
            let size = index.size(of: next), start = place.file - window.offset
            if start < Int64(used) {
                next += 1
                continue
            }
            guard place.file < end, start <= Int64(window.count), Int(start) + size <= window.count else {
                if used == 0, count == 0, place.file < end { return start > 0 ? .pass(start) : .wait(size) }
                break
            }
            found.packet(in: window, at: Int(start), count: size, frames: index.framesPerPacket(of: next))
            used = Int(start) + size
            next += 1
            count += 1
        }
        return used > 0 ? .pass(Int64(used)) : .pass(max(1, end - window.offset))
    }

    mutating func end(_ window: ParserWindow, _ found: ParserFindings) throws(AudioFileError) {
        guard window.isFile else { return }
        guard let movie else {
            throw window.damaged(
                "no box \"moov\"", rule: "It tells where the sound is; a recording that was cut off has none.")
        }
        found.index = movie.index
        report(movie, found)
    }

    mutating func restart(at packet: Int64?) {
        if let packet { next = packet }
        if movie != nil { dataEnd = .max }
    }

    func byteOffset(ofPacket packet: Int64) -> (offset: Int64, isEstimate: Bool)? {
        guard let index = movie?.index, packet < index.count else { return nil }
        return index.place(of: index.start(of: packet), limit: .max).map { ($0.file, false) }
    }
}

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
