// A track: events in order, and how they are played.

import Synchronization

/// A track of a sequence. Any thread but the render thread; every call is whole by itself.
package final class MIDITrack: Sendable {
    /// What is played again and again.
    package enum LoopRegion: Hashable, Sendable {
        /// All of it.
        case whole
        /// From a beat on, so many beats.
        case range(start: Double, length: Double)
        /// The last beats.
        case tail(Double)
    }

    /// How the track is played.
    package struct Settings: Hashable, Sendable {
        package var region = LoopRegion.whole
        package var isLooping = false
        /// How often the region is played altogether; 0 for ever.
        package var loopCount = 0
        /// Beats by which the track begins later than the sequence.
        package var offset = 0.0
        package var isMuted = false
        package var isSoloed = false
        /// Only parameters, which glide from event to event.
        package var isAutomation = false
        /// Beats; the track is at least this long.
        package var setLength = 0.0
        package var destination = TrackDestination.standard
    }

    fileprivate struct State: Sendable {
        var events: [TrackEvent] = []
        var nextOrder: UInt64 = 1
        var settings = Settings()
        var version: UInt64 = 0
    }

    package let isTempoTrack: Bool
    /// Shared with the sequence, and the sign of belonging to it.
    let changes: ChangeCount
    private let state = Mutex(State())

    init(isTempoTrack: Bool = false, changes: ChangeCount) {
        (self.isTempoTrack, self.changes) = (isTempoTrack, changes)
    }

    // MARK: Reading

    /// All events, in order of beats and, of one beat, of their making.
    package var events: [TrackEvent] { state.withLock { $0.events } }

    package var settings: Settings {
        get { state.withLock { $0.settings } }
        set {
            state.withLock { $0.settings = newValue }
            changes.note()
        }
    }

    package func set<Value>(_ path: WritableKeyPath<Settings, Value> & Sendable, _ value: sending Value) {
        state.withLock { $0.settings[keyPath: path] = value }
        changes.note()
    }

    /// Rises with every change of the events.
    package var version: UInt64 { state.withLock { $0.version } }

    /// Events, settings and version of one moment.
    package var snapshot: (events: [TrackEvent], settings: Settings, version: UInt64) {
        state.withLock { ($0.events, $0.settings, $0.version) }
    }

    /// Beats: to the end of the last event, or as long as was set.
    package var length: Double {
        state.withLock { max($0.settings.setLength, Self.end(of: $0.events)) }
    }

    static func end(of events: [TrackEvent]) -> Double { events.reduce(0) { max($0, $1.beat + $1.duration) } }

    /// The last event before a beat and order, and the first that is not before.
    func neighbours(_ beat: Double, _ order: UInt64) -> (before: TrackEvent?, next: TrackEvent?) {
        state.withLock { state in
            let index = state.firstIndex(notBefore: beat, order)
            return (
                index > 0 ? state.events[index - 1] : nil, index < state.events.count ? state.events[index] : nil
            )
        }
    }

    // MARK: Changing

    private func change<Result: Sendable>(_ edit: (inout State) -> sending Result) -> Result {
        let result = state.withLock { state in
            state.version += 1
            return edit(&state)
        }
        changes.note()
        return result
    }

    /// Adds an event behind those of the same beat, and returns its order. Throws for beats and values out of range and
    /// for an event that this track cannot have.
    @discardableResult
    package func add(_ event: TrackEvent) throws(SequenceError) -> UInt64 {
        try check(event)
        return change { $0.insert(event) }
    }

    /// Adds many events at once, behind those of the same beats.
    package func add(contentsOf events: [TrackEvent]) throws(SequenceError) {
        for event in events { try check(event) }
        change { $0.insert(contentsOf: events) }
    }

    /// Replaces what happens in an event; `false` if it is not there any more.
    package func replace(_ order: UInt64, at beat: Double, with kind: TrackEvent.Kind) throws(SequenceError) -> Bool {
        try check(TrackEvent(beat: beat, kind))
        return change { state in
            guard let index = state.index(of: order, at: beat) else { return false }
            state.events[index].kind = kind
            return true
        }
    }

    /// Moves one event; it keeps its order among those of its new beat.
    package func move(_ order: UInt64, at beat: Double, to target: Double) throws(SequenceError) -> Bool {
        guard Self.beats.contains(target) else { throw .beat("an event", target) }
        return change { state in
            guard let index = state.index(of: order, at: beat) else { return false }
            var event = state.events.remove(at: index)
            event.beat = target
            state.events.insert(event, at: state.firstIndex(notBefore: target, order))
            return true
        }
    }

    /// Takes one event out; `false` if it is not there any more.
    package func remove(_ order: UInt64, at beat: Double) -> Bool {
        change { state in
            guard let index = state.index(of: order, at: beat) else { return false }
            state.events.remove(at: index)
            return true
        }
    }

    /// Gives `edit` all events, and puts them in order again. For changes of many at once.
    package func edit(_ edit: @Sendable (inout [TrackEvent]) -> Void) {
        change { state in
            edit(&state.events)
            state.events.sort { ($0.beat, $0.order) < ($1.beat, $1.order) }
            state.nextOrder = max(state.nextOrder, (state.events.map(\.order).max() ?? 0) + 1)
        }
    }

    /// Beats that an event can have.
    package static let beats = -0x1p40...0x1p40

    private func check(_ event: TrackEvent) throws(SequenceError) {
        guard Self.beats.contains(event.beat) else { throw .beat("an event", event.beat) }
        switch event.kind {
        case .tempo(let tempo):
            guard tempo.isFinite, tempo > 0 else {
                throw .value("a tempo", "\(tempo) beats per minute", "A tempo is a number above 0.")
            }
        case .parameter(let parameter):
            guard parameter.value.isFinite else {
                throw .value("a parameter event", "\(parameter.value)", "A parameter's value is a number.")
            }
        case .extendedNote(let note):
            guard note.pitch.isFinite, note.velocity.isFinite else {
                throw .value("an extended note", "\(note.pitch), \(note.velocity)", "Pitch and velocity are numbers.")
            }
        case .channel(let status, _, _):
            guard (0x80...0xEF).contains(status) else {
                throw .value("a channel message", "status \(status)", "Its status is 0x80 to 0xEF.")
            }
        default: break
        }
        guard event.duration >= 0, event.duration <= Self.beats.upperBound else {
            throw .value("a note", "a duration of \(event.duration)", "A duration is 0 or more beats, at most 2^40.")
        }
        if isTempoTrack {
            switch event.kind {
            case .tempo, .meta: break
            default: throw .tempoTrack("an event that is no meta event")
            }
        } else if event.isOfTempoTrack {
            throw .notTempoTrack("a tempo, time signature or SMPTE offset")
        }
        if settings.isAutomation {
            guard case .parameter = event.kind else { throw .automation }
        }
    }
}

extension MIDITrack.State {
    /// The first place that is not before an event of this beat and order: binary search.
    fileprivate func firstIndex(notBefore beat: Double, _ order: UInt64) -> Int {
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            let event = events[middle]
            if event.beat < beat || (event.beat == beat && event.order < order) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    fileprivate func index(of order: UInt64, at beat: Double) -> Int? {
        let index = firstIndex(notBefore: beat, order)
        return index < events.count && events[index].order == order ? index : nil
    }

    fileprivate mutating func insert(_ event: TrackEvent) -> UInt64 {
        var event = event
        event.order = nextOrder
        nextOrder += 1
        events.insert(event, at: firstIndex(notBefore: event.beat, event.order))
        return event.order
    }

    fileprivate mutating func insert(contentsOf added: [TrackEvent]) {
        for var event in added {
            event.order = nextOrder
            nextOrder += 1
            events.append(event)
        }
        events.sort { ($0.beat, $0.order) < ($1.beat, $1.order) }
    }
}

/// Counts the changes of a sequence and its tracks, so that players see that there are some. Any thread.
package final class ChangeCount: Sendable {
    private let count = Atomic<UInt64>(0)

    func note() { count.wrappingAdd(1, ordering: .releasing) }

    package var value: UInt64 { count.load(ordering: .acquiring) }
}

/// Where a track is played.
package enum TrackDestination: Hashable, Sendable {
    /// What the player's host plays by default: the first instrument of an engine, or the sequence's endpoint.
    case standard
    /// A unit that takes events while it renders.
    case feed(EventFeed)
    /// A unit whose parameters are set between render calls.
    case parameters(ParameterTarget)
    /// A MIDI endpoint, by its number.
    case endpoint(UInt32)
}
