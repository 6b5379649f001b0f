// A track as it is played: flat events in memory that the render side reads.

/// The events of one track for one kind of destination, ready to be played. Immutable.
final class PlayTrack: @unchecked Sendable {
    /// One event. Bytes of system exclusive messages are behind a pointer that lives as long as the track.
    struct Event: BitwiseCopyable {
        enum Kind: UInt8 { case note, message, bytes, parameter, object }

        var beat: Double
        /// Beats: of a note its length, of a parameter those to its next value, −1 for none.
        var duration: Double
        var kind: Kind
        /// Number of message bytes.
        var count: UInt8 = 0
        var data: (UInt8, UInt8, UInt8) = (0, 0, 0)
        /// Velocity of a note's end.
        var release: UInt8 = 0
        var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
        var parameter = PlayedEvent.Parameter()
        /// The parameter's next value.
        var nextValue: Float = 0
        /// Place in `objects`.
        var object = 0
    }

    /// Which events a destination takes.
    struct Taking: OptionSet, Hashable, Sendable {
        let rawValue: Int
        /// Notes, channel messages, raw bytes.
        static let messages = Taking(rawValue: 1)
        static let parameters = Taking(rawValue: 2)
        /// User events and presets.
        static let objects = Taking(rawValue: 4)
    }

    let events: UnsafeMutableBufferPointer<Event>
    /// Events that are more than bytes, for the control side.
    let objects: [TrackEvent]
    private let memory: UnsafeMutableRawBufferPointer

    init(_ source: [TrackEvent], taking: Taking, isAutomation: Bool) {
        let raw = taking.contains(.messages) ? source.reduce(0) { $0 + $1.rawCount } : 0
        memory = .allocate(byteCount: max(raw, 1), alignment: 1)
        var flat: [Event] = [], objects: [TrackEvent] = [], used = 0
        for event in source {
            switch event.kind {
            case .note(let note) where taking.contains(.messages): flat.append(Self.note(note, at: event.beat))
            case .extendedNote(let note) where taking.contains(.messages):
                flat.append(Self.note(note.rounded, at: event.beat))
            case .channel(let status, let data1, let data2) where taking.contains(.messages):
                var message = Event(beat: event.beat, duration: -1, kind: .message)
                message.count = status & 0xF0 == 0xC0 || status & 0xF0 == 0xD0 ? 2 : 3
                message.data = (status, data1 & 127, data2 & 127)
                flat.append(message)
            case .raw(let data) where taking.contains(.messages) && !data.isEmpty:
                let place = UnsafeMutableRawBufferPointer(rebasing: memory[used..<used + data.count])
                place.copyBytes(from: data)
                used += data.count
                var bytes = Event(beat: event.beat, duration: -1, kind: .bytes)
                bytes.bytes = UnsafeRawBufferPointer(place)
                flat.append(bytes)
            case .parameter(let parameter) where taking.contains(.parameters):
                var change = Event(beat: event.beat, duration: -1, kind: .parameter)
                change.parameter = PlayedEvent.Parameter(
                    id: parameter.id, scope: parameter.scope, element: parameter.element, value: parameter.value)
                flat.append(change)
            case .user where taking.contains(.objects), .preset where taking.contains(.objects):
                var object = Event(beat: event.beat, duration: -1, kind: .object)
                object.object = objects.count
                objects.append(event)
                flat.append(object)
            default: break
            }
        }
        if isAutomation { Self.glide(&flat) }
        self.objects = objects
        events = .allocate(capacity: flat.count)
        _ = events.initialize(from: flat)
    }

    deinit {
        events.deallocate()
        memory.deallocate()
    }

    private static func note(_ note: TrackEvent.Note, at beat: Double) -> Event {
        var event = Event(beat: beat, duration: note.duration, kind: .note)
        event.data = (note.channel, note.key, note.velocity)
        event.release = note.releaseVelocity
        return event
    }

    /// In a track of automated parameters each value moves in a straight line to the next of the same parameter.
    private static func glide(_ events: inout [Event]) {
        var later: [PlayedEvent.Parameter: (beat: Double, value: Float)] = [:]
        for index in events.indices.reversed() where events[index].kind == .parameter {
            let key = events[index].parameter.key
            if let next = later[key] {
                events[index].duration = next.beat - events[index].beat
                events[index].nextValue = next.value
            }
            later[key] = (events[index].beat, events[index].parameter.value)
        }
    }

    /// The first event that is not before a beat: binary search. Render side.
    func index(notBefore beat: Double) -> Int {
        var (low, high) = (0, events.count)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].beat < beat { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension TrackEvent {
    fileprivate var rawCount: Int { if case .raw(let data) = kind { data.count } else { 0 } }
}

/// An event at its frame, as a destination gets it.
package enum PlayedEvent: BitwiseCopyable {
    /// A parameter's value. With `frames` above 0 it moves there in a straight line.
    package struct Parameter: BitwiseCopyable, Hashable, Sendable {
        package var id: UInt32 = 0
        package var scope: UInt32 = 0
        package var element: UInt32 = 0
        package var value: Float = 0
        package var frames: Int64 = 0

        /// Which parameter it is.
        var key: Parameter { Parameter(id: id, scope: scope, element: element) }
    }

    /// Bytes of one message; valid during the call.
    case bytes(UnsafeRawBufferPointer)
    case parameter(Parameter)
    /// An event of the control side: the track's number in the schedule, and the event's place among its objects.
    case object(track: Int, index: Int)
}
