// A sequence: tracks, tempo, signatures.

import OssicleProperties
import Synchronization

/// A piece of music as tracks of events, with a track of tempi. Any thread but the render thread.
package final class MIDISequence: Sendable {
    /// What beats are.
    package enum TimeKind: UInt32, Sendable {
        /// Quarter notes, as long as the tempo track says. (`beat`)
        case beats = 0x6265_6174
        /// Seconds: the tempo track is not followed. (`secs`)
        case seconds = 0x7365_6373
        /// Seconds in a sequence that was made for samples; treated alike. (`samp`)
        case samples = 0x7361_6D70
    }

    private struct State: @unchecked Sendable {
        var tracks: [MIDITrack] = []
        var kind = TimeKind.beats
        var division = MIDIFile.Division.ticksPerQuarter(480)
        weak var host: (any PlayerHost)?
        var endpoint: UInt32?
        var callback: UserCallback?
    }

    /// Called with user events as they are played: track, bytes, beat of the event, and the beats of the slice that
    /// is played.
    package typealias UserCallback = @Sendable (MIDITrack, [UInt8], Double, Range<Double>) -> Void

    package let changes: ChangeCount
    /// Tempi, time signatures and other meta events.
    package let tempoTrack: MIDITrack
    private let state = Mutex(State())

    package init() {
        changes = ChangeCount()
        tempoTrack = MIDITrack(isTempoTrack: true, changes: changes)
    }

    private func change(_ edit: (inout State) -> Void) {
        state.withLock { edit(&$0) }
        changes.note()
    }

    // MARK: Tracks

    /// All tracks but the tempo track.
    package var tracks: [MIDITrack] { state.withLock { $0.tracks } }

    /// Whether a track was made here.
    package func owns(_ track: MIDITrack) -> Bool { track.changes === changes }

    /// A new empty track behind the others.
    package func addTrack() -> MIDITrack {
        let track = MIDITrack(changes: changes)
        change { $0.tracks.append(track) }
        return track
    }

    /// Takes a track out; `false` if it is not here.
    package func remove(_ track: MIDITrack) -> Bool {
        let isHere = tracks.contains { $0 === track }
        change { $0.tracks.removeAll { $0 === track } }
        return isHere
    }

    /// Takes over what another sequence holds, in place of what is here.
    package func replaceContents(by other: MIDISequence) {
        let (kind, division) = (other.timeKind, other.division)
        let tempi = other.tempoTrack.events,
            copies = other.tracks.map { track in
                let copy = MIDITrack(changes: changes)
                let (events, settings, _) = track.snapshot
                copy.settings = settings
                copy.edit { $0 = events }
                return copy
            }
        tempoTrack.edit { $0 = tempi }
        tempoTrack.settings = other.tempoTrack.settings
        change { ($0.tracks, $0.kind, $0.division) = (copies, kind, division) }
    }

    // MARK: Time

    package var timeKind: TimeKind {
        get { state.withLock { $0.kind } }
        set { change { $0.kind = newValue } }
    }

    /// What ticks are in a file of it: as it was read, else 480 to the quarter note.
    package var division: MIDIFile.Division {
        get { state.withLock { $0.division } }
        set { change { $0.division = newValue } }
    }

    package var tempoMap: TempoMap {
        guard timeKind == .beats else { return TempoMap([TempoMap.Change(beat: 0, tempo: 60)]) }
        return TempoMap(
            tempoTrack.events.compactMap { event in
                if case .tempo(let tempo) = event.kind { return TempoMap.Change(beat: event.beat, tempo: tempo) }
                return nil
            })
    }

    package var meterMap: MeterMap {
        MeterMap(
            tempoTrack.events.compactMap { event in
                guard case .meta(0x58, let data) = event.kind, data.count >= 2, data[1] < 16 else { return nil }
                return MeterMap.Signature(
                    beat: event.beat, numerator: Int(data[0]), denominator: 1 << Int(data[1]))
            })
    }

    /// Beats to the end of the longest track.
    package var length: Double { (tracks + [tempoTrack]).reduce(0) { max($0, $1.length) } }

    /// Turns the music around, tempi included: what ended at the sequence's end begins at its start.
    package func reverse() {
        let end = length
        for track in tracks {
            track.edit { events in
                for index in events.indices {
                    events[index].beat = max(end - events[index].beat - events[index].duration, 0)
                }
                Self.renumber(&events)
            }
        }
        let old = tempoTrack.events
        var tempi: [TrackEvent] = [], tempo = TempoMap.usual
        // A tempo that held from its event on holds up to it now: each event takes the tempo of the one before.
        for event in old.reversed() {
            guard case .tempo = event.kind else {
                tempi.append(TrackEvent(beat: max(end - event.beat, 0), event.kind))
                continue
            }
            let before = old.last {
                if case .tempo = $0.kind { return ($0.beat, $0.order) < (event.beat, event.order) }
                return false
            }
            tempo = TempoMap.usual
            if case .tempo(let value)? = before?.kind { tempo = value }
            if event.beat > 0 { tempi.append(TrackEvent(beat: max(end - event.beat, 0), .tempo(tempo))) }
        }
        if case .tempo(let last)? = old.last(where: { if case .tempo = $0.kind { true } else { false } })?.kind {
            tempi.insert(TrackEvent(beat: 0, .tempo(last)), at: 0)
        }
        tempoTrack.edit { [tempi] events in
            events = tempi
            Self.renumber(&events)
        }
    }

    private static func renumber(_ events: inout [TrackEvent]) {
        for index in events.indices { events[index].order = UInt64(index) + 1 }
    }

    // MARK: Playing

    /// Plays the sequence's events where tracks have no destination of their own.
    package var host: (any PlayerHost)? {
        get { state.withLock { $0.host } }
        set {
            change { $0.host = newValue }
        }
    }

    /// The endpoint of tracks that have no destination of their own.
    package var endpoint: UInt32? {
        get { state.withLock { $0.endpoint } }
        set { change { $0.endpoint = newValue } }
    }

    package var userCallback: UserCallback? {
        get { state.withLock { $0.callback } }
        set { change { $0.callback = newValue } }
    }
}

/// The handles under which C interfaces know sequences and tracks. Here, because the facade that has the interface and
/// the one whose engine plays a sequence both need the object behind a handle.
package enum SequenceHandles {
    package static let sequences = HandleTable<MIDISequence>()
    package static let tracks = HandleTable<MIDITrack>()

    /// Ends a sequence's handle and those of its tracks; `false` for a handle that is not there.
    package static func remove(_ handle: OpaquePointer) -> Bool {
        guard let sequence = sequences.remove(handle) else { return false }
        for track in sequence.tracks + [sequence.tempoTrack] { forget(track) }
        return true
    }

    /// Ends the handle of a track that was taken out.
    package static func forget(_ track: MIDITrack) {
        if let handle = tracks.handle(of: track) { tracks.remove(handle) }
    }

    /// The sequence of a track that has a handle.
    package static func sequence(of track: MIDITrack) -> OpaquePointer? {
        sequences.first { $0.owns(track) }.flatMap { sequences.handle(of: $0) }
    }
}
