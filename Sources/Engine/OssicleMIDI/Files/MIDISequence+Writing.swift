// From a sequence to a file's ticks and messages.

extension MIDISequence {
    /// The sequence as a file of format 1, its tempo track first.
    ///
    /// Times are rounded to the nearest tick. Notes become a note-on and a note-off; at one tick the offs of earlier
    /// notes come first. Extended notes are rounded to MIDI's. Parameters, presets and user events are not MIDI and are
    /// left out. How tracks are played (loops, mute, offsets, destinations) is not kept in a file.
    /// - Parameter division: `nil` for the sequence's own.
    package func file(division: MIDIFile.Division? = nil) -> MIDIFile {
        let division = division ?? self.division
        var file = MIDIFile(format: .simultaneous, division: division, tracks: [])
        for track in [tempoTrack] + tracks { file.tracks.append(FileExport(division).track(track)) }
        return file
    }
}

/// Makes messages of a track's events.
private struct FileExport {
    /// A message on its way to its place.
    private struct Placed {
        let tick: Int
        /// 0 for the ends of earlier notes, which come first.
        let rank: Int
        let order: Int
        let message: MIDIFile.Message
    }

    private let scale: Double

    init(_ division: MIDIFile.Division) { scale = division.ticksPerBeat }

    private func tick(_ beat: Double) -> Int { Int(min(max(beat * scale, 0), Double(MIDIFile.lastTick)).rounded()) }

    func track(_ track: MIDITrack) -> MIDIFile.Track {
        var placed: [Placed] = []
        func add(_ beat: Double, _ message: MIDIFile.Message, _ rank: Int) {
            placed.append(Placed(tick: tick(beat), rank: rank, order: placed.count, message: message))
        }
        for event in track.events {
            switch event.kind {
            case .note(let note): addNote(note, at: event.beat, add)
            case .extendedNote(let note): addNote(note.rounded, at: event.beat, add)
            case .channel(let status, let data1, let data2):
                add(event.beat, .channel(status: status, data1: data1, data2: data2), 1)
            case .raw(let data):
                if !data.isEmpty { add(event.beat, data[0] == 0xF0 ? .systemExclusive(data) : .escape(data), 1) }
            case .meta(let type, let data): if type != 0x2F { add(event.beat, .meta(type: type, data: data), 1) }
            case .tempo(let tempo): add(event.beat, .meta(type: 0x51, data: Self.tempo(tempo)), 1)
            case .user, .parameter, .preset: break
            }
        }
        placed.sort { ($0.tick, $0.rank, $0.order) < ($1.tick, $1.rank, $1.order) }
        return MIDIFile.Track(placed.map { MIDIFile.Event(tick: $0.tick, $0.message) }, end: tick(track.length))
    }

    private func addNote(_ note: TrackEvent.Note, at beat: Double, _ add: (Double, MIDIFile.Message, Int) -> Void) {
        if note.velocity > 0 {
            add(beat, .channel(status: 0x90 | note.channel, data1: note.key, data2: note.velocity), 1)
        }
        let end = note.velocity > 0 ? beat + note.duration : beat
        // A note of no ticks ends behind its own beginning.
        let rank = note.velocity > 0 && tick(end) == tick(beat) ? 1 : 0
        add(end, .channel(status: 0x80 | note.channel, data1: note.key, data2: note.releaseVelocity), rank)
    }

    /// Microseconds of a quarter note in three bytes.
    private static func tempo(_ tempo: Double) -> [UInt8] {
        let microseconds = Int(min(max((6e7 / tempo).rounded(), 1), 0xFF_FFFF))
        return [16, 8, 0].map { UInt8(microseconds >> $0 & 0xFF) }
    }
}
