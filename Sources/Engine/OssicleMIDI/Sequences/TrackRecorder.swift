// Music that is played, on its way into a track.

import Synchronization

/// Makes events of MIDI 1.0 messages as they come: a note-on waits for its note-off and becomes a note with its length,
/// whatever else is sent is added at once. Any thread but the render thread.
package final class TrackRecorder: Sendable {
    private struct Begun {
        let beat: Double
        let note: TrackEvent.Note
    }

    private let track: MIDITrack
    private let begun = Mutex<[Begun]>([])

    package init(_ track: MIDITrack) { self.track = track }

    /// Takes one message at a beat. Throws for what is no message, and what the track cannot have.
    package func record(_ bytes: [UInt8], at beat: Double) throws(SequenceError) {
        guard let status = bytes.first, status >= 0x80 else {
            throw .value(
                "a recorded message", "\(bytes.first.map { "\($0)" } ?? "no bytes")",
                "It begins with a status of 0x80 or more.")
        }
        let data1 = bytes.count > 1 ? bytes[1] & 127 : 0, data2 = bytes.count > 2 ? bytes[2] & 127 : 0
        switch status & 0xF0 {
        case 0x90 where data2 > 0:
            let note = TrackEvent.Note(channel: status & 15, key: data1, velocity: data2, duration: 0)
            begun.withLock { $0.append(Begun(beat: beat, note: note)) }
        case 0x80, 0x90:
            try end(at: beat, release: status & 0x10 == 0 ? data2 : 0) { $0.channel == status & 15 && $0.key == data1 }
        case 0xF0: try track.add(TrackEvent(beat: beat, .raw(bytes)))
        default: try track.add(TrackEvent(beat: beat, .channel(status: status, data1: data1, data2: data2)))
        }
    }

    /// Ends the notes that are still held.
    package func finish(at beat: Double) throws(SequenceError) {
        while begun.withLock({ !$0.isEmpty }) { try end(at: beat, release: 0) { _ in true } }
    }

    /// Ends the first note that fits. Where time went back meanwhile, as in a loop, it has no length.
    private func end(at beat: Double, release: UInt8, _ fits: (TrackEvent.Note) -> Bool) throws(SequenceError) {
        let found = begun.withLock { begun -> Begun? in
            guard let index = begun.firstIndex(where: { fits($0.note) }) else { return nil }
            return begun.remove(at: index)
        }
        guard let found else { return }
        var note = found.note
        (note.duration, note.releaseVelocity) = (max(beat - found.beat, 0), release)
        try track.add(TrackEvent(beat: found.beat, .note(note)))
    }
}
