// From a file's ticks and messages to a sequence.

extension MIDISequence {
    /// What a file holds.
    ///
    /// Notes get their length: a note-on goes with the next note-off of its channel and key, in order. Tempi, time
    /// signatures and SMPTE offsets go to the tempo track, as does all of a first track without messages. Pieces of a
    /// system exclusive message are joined at the first one's time. Independent tracks (format 2) follow one another.
    /// Files in SMPTE time become sequences of seconds.
    /// - Parameter channelsToTracks: one track for each channel that is used, and a last one for all other events.
    package convenience init(_ file: MIDIFile, channelsToTracks: Bool = false) {
        self.init()
        division = file.division
        if case .timecode = file.division { timeKind = .seconds }
        let reader = FileImport(file)
        let read = reader.tracks()
        var tempi: [TrackEvent] = [], tracks: [(events: [TrackEvent], length: Double)] = []
        for (index, track) in read.enumerated() {
            let isForTempo = index == 0 && file.format == .simultaneous && read.count > 1 && track.isSilent
            tempi += track.events.filter { isForTempo || $0.isOfTempoTrack }
            if !isForTempo { tracks.append((track.events.filter { !$0.isOfTempoTrack }, track.length)) }
        }
        // Of the file's order nothing is lost: beats are sorted stably.
        tempoTrack.edit { [tempi] in $0 = Self.numbered(tempi) }
        for track in channelsToTracks ? Self.byChannel(tracks) : tracks {
            let made = addTrack()
            made.edit { $0 = Self.numbered(track.events) }
            // What rounding makes of the last note's end is no silence behind it.
            if track.length > made.length + 1e-9 { made.set(\.setLength, track.length) }
        }
    }

    private static func numbered(_ events: [TrackEvent]) -> [TrackEvent] {
        var sorted = events.enumerated().sorted { ($0.element.beat, $0.offset) < ($1.element.beat, $1.offset) }
        for index in sorted.indices { sorted[index].element.order = UInt64(index) + 1 }
        return sorted.map(\.element)
    }

    private static func byChannel(
        _ tracks: [(events: [TrackEvent], length: Double)]
    ) -> [(events: [TrackEvent], length: Double)] {
        let all = tracks.flatMap(\.events), length = tracks.map(\.length).max() ?? 0
        let channels = (UInt8(0)..<16).map { channel in all.filter { $0.channel == channel } }.filter { !$0.isEmpty }
        return (channels + [all.filter { $0.channel == nil }]).map { ($0, length) }
    }
}

extension TrackEvent {
    /// The MIDI channel of notes and channel messages.
    fileprivate var channel: UInt8? {
        switch kind {
        case .note(let note): note.channel
        case .channel(let status, _, _): status & 15
        default: nil
        }
    }
}

/// Makes events of a file's messages.
private struct FileImport {
    struct Track {
        var events: [TrackEvent] = []
        /// Beats.
        var length = 0.0
        /// Whether nothing in it is sent to an instrument.
        var isSilent: Bool {
            events.allSatisfy { if case .meta = $0.kind { true } else if case .tempo = $0.kind { true } else { false } }
        }
    }

    private let file: MIDIFile
    /// Beats of a tick.
    private let scale: (Int) -> Double

    init(_ file: MIDIFile) {
        self.file = file
        scale = file.division.beats
    }

    func tracks() -> [Track] {
        var start = 0.0
        return file.tracks.map { source in
            let track = track(source, from: start)
            if file.format == .independent { start = track.length }
            return track
        }
    }

    private func track(_ source: MIDIFile.Track, from start: Double) -> Track {
        var track = Track(length: start + scale(source.end))
        // Of each channel and key, the places in `track.events` of notes that still sound and when they began, in
        // order.
        var sounding: [UInt16: [(place: Int, tick: Int)]] = [:]
        var joined: [UInt8]?, place = 0
        for event in source.events {
            let beat = start + scale(event.tick)
            switch event.message {
            case .channel(let status, let data1, let data2) where status & 0xF0 == 0x90 && data2 > 0:
                sounding[UInt16(status & 15) << 8 | UInt16(data1), default: []].append((track.events.count, event.tick))
                let note = TrackEvent.Note(channel: status & 15, key: data1, velocity: data2, duration: -1)
                track.events.append(TrackEvent(beat: beat, .note(note)))
            case .channel(let status, let data1, let data2) where status & 0xE0 == 0x80:
                let key = UInt16(status & 15) << 8 | UInt16(data1)
                guard var open = sounding[key], !open.isEmpty else { continue }
                let note = open.removeFirst()
                end(&track.events[note.place], after: event.tick - note.tick, velocity: status & 0x10 == 0 ? data2 : 0)
                sounding[key] = open
            case .channel(let status, let data1, let data2):
                track.events.append(TrackEvent(beat: beat, .channel(status: status, data1: data1, data2: data2)))
            case .systemExclusive(let data):
                (joined, place) = data.last == 0xF7 ? (nil, 0) : (data, track.events.count)
                track.events.append(TrackEvent(beat: beat, .raw(data)))
            case .escape(let data):
                guard let before = joined else {
                    track.events.append(TrackEvent(beat: beat, .raw(data)))
                    continue
                }
                track.events[place].kind = .raw(before + data)
                joined = data.last == 0xF7 ? nil : before + data
            case .meta(let type, let data):
                if let kind = kind(type, data) { track.events.append(TrackEvent(beat: beat, kind)) }
            }
        }
        for note in sounding.values.joined() {
            end(&track.events[note.place], after: source.end - note.tick, velocity: 0)
        }
        return track
    }

    private func end(_ event: inout TrackEvent, after ticks: Int, velocity: UInt8) {
        guard case .note(var note) = event.kind else { return }
        note.duration = scale(max(ticks, 0))
        note.releaseVelocity = velocity
        event.kind = .note(note)
    }

    /// Tempi of nothing, and in SMPTE time all tempi, have no meaning.
    private func kind(_ type: UInt8, _ data: [UInt8]) -> TrackEvent.Kind? {
        guard type == 0x51 else { return .meta(type: type, data: data) }
        let microseconds = data.prefix(3).reduce(0) { $0 << 8 | Int($1) }
        guard data.count >= 3, microseconds > 0, case .ticksPerQuarter = file.division else { return nil }
        return .tempo(6e7 / Double(microseconds))
    }
}
