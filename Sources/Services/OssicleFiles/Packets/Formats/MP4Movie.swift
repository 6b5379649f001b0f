// The box that describes an MPEG-4 file.

import OssicleCodecs

/// The first sound track of a file that we know, and where its samples are.
struct MP4Movie {
    private(set) var format: PacketFormat
    private(set) var metadata = AudioMetadata()
    private(set) var index = PacketIndex()
    private(set) var primingFrames = 0
    private(set) var remainderFrames = 0
    /// Whether more samples come in fragments.
    let isFragmented: Bool
    private let trackID: UInt32
    /// Ticks of the track's clock per second.
    private let timescale: Double
    /// More packets are not believed: with AAC, four days.
    private static let mostPackets: Int64 = 1 << 24
    /// Size and duration of samples in fragments that tell neither.
    private var defaults: (size: UInt32, duration: UInt32) = (0, 0)

    init(_ moov: UnsafeRawBufferPointer, _ window: ParserWindow) throws(AudioFileError) {
        let tracks = MP4Box.all(in: moov).filter { $0.name == "trak" }.map(\.body)
        let sounds = tracks.filter {
            MP4Box.find(["mdia", "hdlr"], in: $0).map { ByteCursor($0, from: 8).peekName == "soun" } ?? false
        }
        let known = sounds.lazy.compactMap { track in
            MP4Box.find(["mdia", "minf", "stbl", "stsd"], in: track).flatMap { MP4SampleEntry.format($0) }.map {
                (track: track, entry: $0)
            }
        }.first
        guard let known, let header = MP4Box.find(["mdia", "mdhd"], in: known.track),
            let table = MP4Box.find(["mdia", "minf", "stbl"], in: known.track),
            let scale = MP4Movie.timescale(header), let id = MP4Movie.trackID(known.track)
        else {
            throw window.unsupported(
                "\(sounds.count) sound tracks, none of a known kind",
                rule: "MPEG-4 is read with AAC, Apple Lossless, MP3, FLAC and Opus.")
        }
        format = known.entry.format
        timescale = scale
        trackID = id
        isFragmented = MP4Box.find(["mvex"], in: moov) != nil
        if let ilst = MP4Movie.list(moov) { metadata = MP4Tags.read(ilst) }
        readDefaults(moov)
        let duration = try readSamples(table, window)
        trim(moov, known.track, duration: duration, preSkip: known.entry.preSkip)
    }

    private static func timescale(_ header: UnsafeRawBufferPointer) -> Double? {
        var cursor = ByteCursor(header)
        guard let version = cursor.big(UInt8.self), cursor.skip(version == 1 ? 19 : 11),
            let scale = cursor.big(UInt32.self), scale > 0
        else { return nil }
        return Double(scale)
    }

    private static func trackID(_ track: UnsafeRawBufferPointer) -> UInt32? {
        guard let header = MP4Box.find(["tkhd"], in: track) else { return nil }
        var cursor = ByteCursor(header)
        guard let version = cursor.big(UInt8.self), cursor.skip(version == 1 ? 19 : 11) else { return nil }
        return cursor.big(UInt32.self)
    }

    /// The list of tags. The box around it begins with a version in MPEG-4, and without in QuickTime.
    private static func list(_ moov: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let meta = MP4Box.find(["udta", "meta"], in: moov), meta.count > 4 else { return nil }
        return MP4Box.find(["ilst"], in: UnsafeRawBufferPointer(rebasing: meta[4...]))
            ?? MP4Box.find(["ilst"], in: meta)
    }

    private mutating func readDefaults(_ moov: UnsafeRawBufferPointer) {
        for box in MP4Box.all(in: MP4Box.find(["mvex"], in: moov) ?? UnsafeRawBufferPointer(start: nil, count: 0))
        where box.name == "trex" {
            var cursor = ByteCursor(box.body, from: 4)
            guard cursor.big(UInt32.self) == trackID, cursor.skip(4), let duration = cursor.big(UInt32.self),
                let size = cursor.big(UInt32.self)
            else { continue }
            defaults = (size, duration)
        }
    }

    /// Frames of a sample that lasts `ticks`. Packets of codecs with a fixed length hold all their frames, however long
    /// they are played.
    private func frames(_ ticks: UInt32) -> Int {
        let isFixed = [.aac, .heAAC, .heAACv2, .mp3].contains(format.codec)
        return isFixed
            ? format.framesPerPacket
            : Int(UInt32(clamping: (Double(ticks) * format.sampleRate / timescale).rounded().clampedToInt))
    }

    /// Fills the index from the sample tables and returns how long the samples last, in frames.
    private mutating func readSamples(
        _ table: UnsafeRawBufferPointer, _ window: ParserWindow
    ) throws(AudioFileError) -> Int64 {
        guard let tables = MP4SampleTables(table) else {
            throw window.damaged(
                "sample tables that are missing or too short",
                rule: "stts, stsc, stsz and stco or co64 tell where samples are.")
        }
        var ticks: Int64 = 0
        try tables.forEach(window) { offset, size, duration throws(AudioFileError) in
            try add(offset, size, duration: duration, window: window)
            ticks += Int64(duration)
        }
        return Int64((Double(ticks) * format.sampleRate / timescale).rounded().clampedToInt)
    }

    /// Samples do not overlap: together they are not larger than the file.
    private mutating func add(
        _ offset: Int64, _ size: Int, duration: UInt32, window: ParserWindow
    ) throws(AudioFileError) {
        guard index.count < Self.mostPackets, index.byteCount <= (window.fileSize ?? .max) - Int64(size) else {
            throw window.damaged(
                "samples of more than \(index.byteCount) bytes in \(index.count) pieces",
                rule: "They lie inside the file, at most \(Self.mostPackets) of them.")
        }
        index.place(at: offset)
        index.append(size: size, frames: frames(duration))
    }

    /// What is before and behind the recording: from iTunes' own note, or the edit list, or the length of the samples.
    private mutating func trim(
        _ moov: UnsafeRawBufferPointer, _ track: UnsafeRawBufferPointer, duration: Int64, preSkip: Int
    ) {
        let total = index.frameCount
        primingFrames = preSkip
        var valid = duration - Int64(preSkip)
        if let note = MP4Movie.list(moov).flatMap({ MP4Tags.gapless($0) }) {
            (primingFrames, valid) = (note.priming, note.valid)
        } else if let edit = edit(track),
            let movie = MP4Box.find(["mvhd"], in: moov).flatMap({ MP4Movie.timescale($0) })
        {
            primingFrames = Int(clamping: (Double(edit.start) * format.sampleRate / timescale).rounded().clampedToInt)
            let stated = (Double(edit.duration) * format.sampleRate / movie).rounded(),
                whole = duration - Int64(clamping: primingFrames)
            // The edit's clock may be coarse: the samples' own is taken where both agree within a tick.
            valid =
                edit.duration == 0 || abs(stated - Double(whole)) <= format.sampleRate / movie + 1
                ? whole : Int64(stated.clampedToInt)
        }
        guard !isFragmented || total > 0 else { return }
        primingFrames = Int(clamping: min(Int64(clamping: max(0, primingFrames)), total))
        remainderFrames = Int(clamping: total - Int64(primingFrames) - min(max(0, valid), total - Int64(primingFrames)))
    }

    /// The first edit that is not empty, in ticks of the track and of the movie.
    private func edit(_ track: UnsafeRawBufferPointer) -> (start: Int64, duration: UInt64)? {
        guard let list = MP4Box.find(["edts", "elst"], in: track) else { return nil }
        var cursor = ByteCursor(list)
        guard let version = cursor.big(UInt8.self), cursor.skip(3), let count = cursor.big(UInt32.self) else {
            return nil
        }
        for _ in 0..<count {
            guard let duration = version == 1 ? cursor.big(UInt64.self) : cursor.big(UInt32.self).map({ UInt64($0) }),
                let start = version == 1 ? cursor.big(Int64.self) : cursor.big(Int32.self).map({ Int64($0) }),
                cursor.skip(4)
            else { return nil }
            if start >= 0 { return (start, duration) }
        }
        return nil
    }

    /// Adds the samples of a fragment, whose box begins at byte `start` of the file.
    mutating func add(fragment: UnsafeRawBufferPointer, at start: Int64, window: ParserWindow) throws(AudioFileError) {
        for box in MP4Box.all(in: fragment) where box.name == "traf" {
            guard
                let run = MP4TrackFragment(
                    box.body, at: start, trackID: trackID, size: defaults.size, duration: defaults.duration)
            else { continue }
            try run.forEach(window) { offset, size, duration throws(AudioFileError) in
                try add(offset, size, duration: duration, window: window)
            }
        }
    }
}

extension ByteCursor {
    /// The next name, which stays.
    var peekName: FourCC? {
        var copy = self
        return copy.name()
    }
}
