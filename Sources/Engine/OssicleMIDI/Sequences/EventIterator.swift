// A place in a track, from event to event.

extension MIDITrack {
    /// The first event that is not before a beat.
    package func first(notBefore beat: Double) -> TrackEvent? { neighbours(beat, 0).next }

    /// The last event of all.
    package var last: TrackEvent? { neighbours(.infinity, .max).before }
}

/// Goes through a track's events in both directions and edits them. It stands at an event or behind the last one; an
/// event that is gone meanwhile is followed by the next.
package struct EventIterator {
    package let track: MIDITrack
    private var beat: Double
    private var order: UInt64

    /// At the first event.
    package init(_ track: MIDITrack) { (self.track, beat, order) = (track, -.infinity, 0) }

    /// The event it stands at; `nil` behind the last.
    package var current: TrackEvent? { track.neighbours(beat, order).next }
    package var previous: TrackEvent? { track.neighbours(beat, order).before }
    package var following: TrackEvent? {
        current.flatMap { track.neighbours($0.beat, $0.order + 1).next }
    }

    /// To the first event that is not before a beat, or behind the last.
    package mutating func seek(_ beat: Double) { (self.beat, order) = (beat, 0) }

    /// To the next event, or behind the last. `false` where it was behind the last.
    package mutating func next() -> Bool {
        guard let current else { return false }
        (beat, order) = (current.beat, current.order + 1)
        if let event = self.current { (beat, order) = (event.beat, event.order) }
        return true
    }

    /// To the event before. `false` where there is none.
    package mutating func back() -> Bool {
        guard let previous else { return false }
        (beat, order) = (previous.beat, previous.order)
        return true
    }

    // MARK: Editing

    /// Replaces the event it stands at.
    package func replace(with kind: TrackEvent.Kind) throws(SequenceError) {
        guard let current, try track.replace(current.order, at: current.beat, with: kind) else { throw .noEvent }
    }

    /// Moves the event it stands at, and goes along.
    package mutating func move(to beat: Double) throws(SequenceError) {
        guard let current, try track.move(current.order, at: current.beat, to: beat) else { throw .noEvent }
        (self.beat, order) = (beat, current.order)
    }

    /// Takes the event out and stands at the next one.
    package mutating func remove() throws(SequenceError) {
        guard let current, track.remove(current.order, at: current.beat) else { throw .noEvent }
        (beat, order) = (current.beat, current.order)
    }
}
