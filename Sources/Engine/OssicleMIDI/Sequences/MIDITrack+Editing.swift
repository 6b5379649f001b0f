// Ranges of a track moved, cleared, cut, copied and merged. Ranges hold events from the first beat up to, not
// including, the last.

extension MIDITrack {
    /// Moves the events of a range by some beats; those that would begin before beat 0 begin there.
    package func moveEvents(in range: Range<Double>, by beats: Double) throws(SequenceError) {
        guard beats.isFinite, beats.magnitude <= Self.beats.upperBound else { throw .beat("moved events", beats) }
        edit { events in
            for index in events.indices where range.contains(events[index].beat) {
                events[index].beat = min(max(events[index].beat + beats, 0), Self.beats.upperBound)
            }
        }
    }

    /// Takes the events of a range out; what follows stays where it is.
    package func clearEvents(in range: Range<Double>) {
        edit { $0.removeAll { range.contains($0.beat) } }
    }

    /// Takes a range out; what follows moves up. The length that was set shrinks too.
    package func cutEvents(in range: Range<Double>) {
        let length = range.upperBound - range.lowerBound
        edit { events in
            events.removeAll { range.contains($0.beat) }
            for index in events.indices where events[index].beat >= range.upperBound { events[index].beat -= length }
        }
        let set = settings.setLength
        guard set > range.lowerBound else { return }
        self.set(\.setLength, max(set - min(length, set - range.lowerBound), 0))
    }

    /// Copies the events of a range of `source` to `beat` here. What is there from that beat on moves back by the
    /// range's length first where `isInserted`, else it stays and the copies join it. Throws for events that this track
    /// cannot have.
    package func copyEvents(
        in range: Range<Double>, from source: MIDITrack, to beat: Double, isInserted: Bool
    ) throws(SequenceError) {
        guard Self.beats.contains(beat) else { throw .beat("copied events", beat) }
        let end = min(range.upperBound, max(source.length, range.lowerBound))
        let copies = source.events.filter { range.contains($0.beat) }.map {
            TrackEvent(beat: $0.beat - range.lowerBound + beat, $0.kind)
        }
        let length =
            range.upperBound >= Self.beats.upperBound ? end - range.lowerBound : range.upperBound - range.lowerBound
        if isInserted {
            edit { events in
                for index in events.indices where events[index].beat >= beat {
                    events[index].beat = min(events[index].beat + length, Self.beats.upperBound)
                }
            }
        }
        try add(contentsOf: copies)
    }
}
