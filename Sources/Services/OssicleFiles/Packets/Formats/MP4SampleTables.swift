// Where the samples of an MPEG-4 track are.

/// The tables of a track (ISO/IEC 14496-12, 8.6 and 8.7).
struct MP4SampleTables {
    private let durations: ByteCursor, chunkRuns: ByteCursor, offsets: ByteCursor
    private var sizes: ByteCursor
    private let isLong: Bool
    private let counts: (durations: UInt32, chunkRuns: UInt32, offsets: UInt32)
    private var constantSize: UInt32 = 0, sampleCount: UInt32 = 0
    /// Bits of a size.
    private var sizeWidth = 32

    /// Samples of one size are stated without a table; no more than this of them are believed of a stream, whose size
    /// are not known.
    private static let most: Int64 = 1 << 24

    init?(_ table: UnsafeRawBufferPointer) {
        func cursor(_ name: FourCC) -> ByteCursor? { MP4Box.find([name], in: table).map { ByteCursor($0, from: 4) } }
        let long = cursor("co64")
        guard var durations = cursor("stts"), var runs = cursor("stsc"), var offsets = long ?? cursor("stco"),
            var sizes = cursor("stsz") ?? cursor("stz2"),
            let durationCount = durations.big(UInt32.self), let runCount = runs.big(UInt32.self),
            let offsetCount = offsets.big(UInt32.self),
            let size = sizes.big(UInt32.self), let count = sizes.big(UInt32.self)
        else { return nil }
        if cursor("stsz") == nil { sizeWidth = Int(size & 0xFF) } else { constantSize = size }
        guard [4, 8, 16, 32].contains(sizeWidth) else { return nil }
        (self.durations, chunkRuns, self.offsets, self.sizes, isLong) = (durations, runs, offsets, sizes, long != nil)
        counts = (durationCount, runCount, offsetCount)
        sampleCount = count
    }

    /// Every sample with its place in the file, size and duration. Ends where a table ends, or the file.
    func forEach(
        _ window: ParserWindow,
        _ body: (_ offset: Int64, _ size: Int, _ duration: UInt32) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        var durations = durations, runs = chunkRuns, offsets = offsets, sizes = sizes
        var durationLeft: UInt32 = 0, duration: UInt32 = 0, halfByte: UInt8?
        var samplesPerChunk: UInt32 = 0, nextRun = Self.run(&runs), done: UInt32 = 0
        let end = window.fileSize ?? .max
        guard constantSize == 0 || Int64(sampleCount) <= min(Self.most, end / Int64(constantSize)) else {
            throw window.damaged(
                "\(sampleCount) samples of \(constantSize) bytes", rule: "Samples lie inside the file.")
        }
        for chunk in 1...max(1, UInt64(counts.offsets)) where counts.offsets > 0 {
            guard var offset = isLong ? offsets.big(Int64.self) : offsets.big(UInt32.self).map({ Int64($0) }),
                offset >= 0
            else { return }
            while let run = nextRun, UInt64(run.firstChunk) <= chunk {
                samplesPerChunk = run.samples
                nextRun = Self.run(&runs)
            }
            for _ in 0..<samplesPerChunk {
                guard done < sampleCount,
                    let size = constantSize > 0 ? constantSize : Self.size(&sizes, sizeWidth, halfByte: &halfByte)
                else { return }
                if durationLeft == 0 {
                    while durationLeft == 0, let count = durations.big(UInt32.self),
                        let ticks = durations.big(UInt32.self)
                    { (durationLeft, duration) = (count, ticks) }
                }
                durationLeft = durationLeft > 0 ? durationLeft - 1 : 0
                let next = offset.addingReportingOverflow(Int64(size))
                guard size > 0, !next.overflow, next.partialValue <= end else { return }
                try body(offset, Int(size), duration)
                offset = next.partialValue
                done += 1
            }
        }
    }

    private static func run(_ cursor: inout ByteCursor) -> (firstChunk: UInt32, samples: UInt32)? {
        guard let first = cursor.big(UInt32.self), let samples = cursor.big(UInt32.self), cursor.skip(4) else {
            return nil
        }
        return (first, samples)
    }

    private static func size(_ cursor: inout ByteCursor, _ width: Int, halfByte: inout UInt8?) -> UInt32? {
        switch width {
        case 32: return cursor.big(UInt32.self)
        case 16: return cursor.big(UInt16.self).map { UInt32($0) }
        case 8: return cursor.big(UInt8.self).map { UInt32($0) }
        default:
            if let low = halfByte {
                halfByte = nil
                return UInt32(low)
            }
            guard let byte = cursor.big(UInt8.self) else { return nil }
            halfByte = byte & 15
            return UInt32(byte >> 4)
        }
    }
}

/// The samples of one track in a fragment (14496-12, 8.8).
struct MP4TrackFragment {
    private var runs: [UnsafeRawBufferPointer] = []
    private var base: Int64
    private var size: UInt32
    private var duration: UInt32

    /// `nil` when it is another track's.
    init?(_ body: UnsafeRawBufferPointer, at start: Int64, trackID: UInt32, size: UInt32, duration: UInt32) {
        base = start
        self.size = size
        self.duration = duration
        guard let header = MP4Box.find(["tfhd"], in: body) else { return nil }
        var cursor = ByteCursor(header)
        guard let flags = cursor.big(UInt32.self), cursor.big(UInt32.self) == trackID else { return nil }
        if flags & 1 != 0, let offset = cursor.big(Int64.self), offset >= 0 { base = offset }
        if flags & 2 != 0 { cursor.skip(4) }
        if flags & 8 != 0, let value = cursor.big(UInt32.self) { self.duration = value }
        if flags & 0x10 != 0, let value = cursor.big(UInt32.self) { self.size = value }
        runs = MP4Box.all(in: body).filter { $0.name == "trun" }.map(\.body)
    }

    func forEach(
        _ window: ParserWindow,
        _ body: (_ offset: Int64, _ size: Int, _ duration: UInt32) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        var offset = base
        let end = window.fileSize ?? .max
        for run in runs {
            var cursor = ByteCursor(run)
            guard let flags = cursor.big(UInt32.self), let count = cursor.big(UInt32.self) else { return }
            if flags & 1 != 0, let shift = cursor.big(Int32.self) {
                offset = base.addingReportingOverflow(Int64(shift)).partialValue
            }
            if flags & 4 != 0 { cursor.skip(4) }
            guard flags & 0x300 != 0 || Int64(count) <= min(1 << 20, end) else {
                throw window.damaged(
                    "a fragment of \(count) samples without a table", rule: "Samples lie inside the file.")
            }
            for _ in 0..<count {
                guard let duration = flags & 0x100 != 0 ? cursor.big(UInt32.self) : duration,
                    let size = flags & 0x200 != 0 ? cursor.big(UInt32.self) : size,
                    cursor.skip((flags & 0x400 != 0 ? 4 : 0) + (flags & 0x800 != 0 ? 4 : 0))
                else { return }
                let next = offset.addingReportingOverflow(Int64(size))
                guard offset >= 0, size > 0, !next.overflow, next.partialValue <= end else { return }
                try body(offset, Int(size), duration)
                offset = next.partialValue
            }
        }
    }
}
