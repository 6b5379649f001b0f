// Standard MIDI files, read: chunk by chunk.

import OssicleCore

extension MIDIFile {
    /// Bounds of what is read. A real file is far within them.
    package enum Limit {
        /// Bytes of a file.
        package static let bytes = 64 << 20
        /// Tracks of a file.
        package static let tracks = 1 << 16
        /// Warnings that are kept.
        package static let warnings = 1000
    }

    /// Reads a file. What can be read is read: chunks that are cut off, wrong counts and lengths, stray bytes and
    /// missing ends become `warnings`. A RIFF file with a MIDI file inside (RMID) is one too. Memory is at most a small
    /// multiple of the bytes.
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - name: what messages call it.
    package init(reading bytes: [UInt8], named name: String) throws(MIDIFileError) {
        func fault(_ kind: MIDIFileFault, _ found: String, _ rule: String, cure: String) -> MIDIFileError {
            MIDIFileError(kind, object: name, found: found, rule: rule, cure: cure)
        }
        guard !bytes.isEmpty else {
            throw fault(.empty, "no bytes", "A MIDI file begins with a header of 14 bytes.", cure: "Save it again.")
        }
        guard bytes.count <= Limit.bytes else {
            throw fault(.tooLarge, "\(bytes.count) bytes", "64 MiB are read.", cure: "Split the file.")
        }
        var reader = MIDIChunks(bytes)
        guard reader.findHeader() else {
            throw fault(
                .unrecognized, "no header \"MThd\"", "A standard MIDI file begins with one.",
                cure: "Export the piece as a standard MIDI file.")
        }
        let header = reader.header()
        var tracks: [Track] = []
        while tracks.count < Limit.tracks, let chunk = reader.nextTrack() {
            var track = MIDITrackReader(bytes, chunk, reader.warnings)
            tracks.append(track.read())
            reader.warnings = track.warnings
        }
        guard !tracks.isEmpty else {
            throw fault(
                .damaged, "a header and no track", "Music is in chunks \"MTrk\" behind the header.",
                cure: "Get the file again, it is cut off.")
        }
        if header.trackCount != tracks.count {
            reader.warn(.wrongTrackCount, 10, "the header has \(header.trackCount) tracks, the file \(tracks.count)")
        }
        self.init(format: header.format, division: header.division, tracks: tracks)
        // More tracks than one sound together, whatever the header says.
        if format == .single, tracks.count > 1 { format = .simultaneous }
        warnings = reader.warnings
    }
}

/// The chunks of a file.
private struct MIDIChunks {
    let bytes: [UInt8]
    var place = 0
    var warnings: [MIDIFileWarning] = []

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func warn(_ kind: MIDIFileWarning.Kind, _ position: Int, _ finding: String) {
        if warnings.count < MIDIFile.Limit.warnings { warnings.append(MIDIFileWarning(kind, at: position, finding)) }
    }

    private func has(_ name: StaticString, at place: Int) -> Bool {
        guard place >= 0, place + 4 <= bytes.count else { return false }
        return (0..<4).allSatisfy { bytes[place + $0] == name.utf8Start[$0] }
    }

    private func number(_ count: Int, at place: Int) -> Int {
        (0..<count).reduce(0) { $0 << 8 | (place + $1 < bytes.count ? Int(bytes[place + $1]) : 0) }
    }

    /// Moves to the header: at the front, in a RIFF file's chunk, or behind the 128 bytes of a Macintosh's wrapper.
    mutating func findHeader() -> Bool {
        let places = has("RIFF", at: 0) ? Array(stride(from: 12, to: min(bytes.count, 4096), by: 1)) : [0, 128]
        guard let found = places.first(where: { has("MThd", at: $0) }) else { return false }
        place = found
        return true
    }

    /// The header, behind which reading continues; what is odd in it is replaced by the usual.
    mutating func header() -> (format: MIDIFile.Format, division: MIDIFile.Division, trackCount: Int) {
        let start = place + 8, length = number(4, at: place + 4)
        let format = MIDIFile.Format(rawValue: number(2, at: start))
        if format == nil { warn(.oddHeader, start, "format \(number(2, at: start)), read as 1") }
        if length < 6 || start + length > bytes.count { warn(.oddHeader, start - 4, "a header of \(length) bytes") }
        place = min(start + max(length, 6), bytes.count)
        // A length that is wrong leads past the tracks.
        if !has("MTrk", at: place), has("MTrk", at: start + 6) { place = start + 6 }
        return (format ?? .simultaneous, division(at: start + 4), number(2, at: start + 2))
    }

    private mutating func division(at place: Int) -> MIDIFile.Division {
        let word = number(2, at: place)
        if word & 0x8000 == 0 {
            if word == 0 { warn(.oddHeader, place, "0 ticks to the quarter note, read as 480") }
            return .ticksPerQuarter(word == 0 ? 480 : word)
        }
        let frames = 256 - word >> 8, ticks = word & 0xFF
        guard [24, 25, 29, 30].contains(frames), ticks > 0 else {
            warn(.oddHeader, place, "\(frames) frames per second of \(ticks) ticks, read as 25 of 40")
            return .timecode(framesPerSecond: 25, ticksPerFrame: 40)
        }
        return .timecode(framesPerSecond: frames, ticksPerFrame: ticks)
    }

    /// The bytes of the next track; other chunks are passed over.
    mutating func nextTrack() -> Range<Int>? {
        while place + 8 <= bytes.count {
            let (start, length) = (place + 8, number(4, at: place + 4))
            let isTrack = has("MTrk", at: place)
            if !isTrack, !isPlainName(at: place) {
                // A length before this chunk was wrong: the next name is looked for.
                warn(.strayBytes, place, "bytes that are no chunk")
                guard let next = (place + 1..<bytes.count).first(where: { has("MTrk", at: $0) }) else { break }
                place = next
                continue
            }
            let end = min(start + length, bytes.count)
            if start + length > bytes.count { warn(.cutOff, place, "\(length) bytes announced, \(end - start) there") }
            place = end
            if isTrack { return start..<end }
        }
        if place < bytes.count { warn(.trailingBytes, place, "\(bytes.count - place) bytes behind the last chunk") }
        place = bytes.count
        return nil
    }

    private func isPlainName(at place: Int) -> Bool { (0..<4).allSatisfy { (0x20...0x7E).contains(bytes[place + $0]) } }
}
