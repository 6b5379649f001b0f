// Plays a schedule: on the render thread, block by block.

import OssicleRender
import Synchronization

/// Gives a destination the events of its schedule, each at its frame, whatever blocks time is cut into. Between two
/// blocks the control side may replace the schedule: music that runs on is neither repeated nor torn, notes that sound
/// end where they would have, and on a stop or jump at once.
///
/// `deliver` allocates nothing and takes no lock; one thread at a time.
package final class ScheduleReader: @unchecked Sendable {
    /// Takes an event for a frame; `false` where there is no room for it now.
    package typealias Send = (_ frame: Int64, _ event: PlayedEvent) -> Bool

    /// Seconds by which the first events may be late.
    private static let moment = 0.1

    /// Whether nothing sounds and nothing is played: the reader may go.
    var isSpent: Bool { isSilent.load(ordering: .acquiring) }
    private let isSilent = Atomic(true)
    private let published: Published<PlaySchedule>
    // Render side.
    private var number = -1
    private var run = -1
    /// Frame up to which all has been played; `nil` before the first block.
    private var playedTo: Int64?
    private var rate = 0.0
    private var isBehind = false
    private var notes = SoundingNotes()

    init(_ schedule: PlaySchedule) { published = Published(schedule) }

    /// Control side: what is played from the next block on.
    func replace(by schedule: PlaySchedule) { published.change { $0 = schedule } }

    /// Control side: the last schedule, of silence. The reader is forgotten once it has been read.
    func retire(_ schedule: PlaySchedule) {
        replace(by: schedule)
        retired.store(true, ordering: .releasing)
    }

    var isRetired: Bool { retired.load(ordering: .acquiring) }
    private let retired = Atomic(false)

    /// Render side: sends what falls on the frames from `start` on, in order of time. What is late is sent for `start`.
    /// - Parameter rate: frames per second of the destination's clock.
    package func deliver(from start: Int64, frames: Int, rate: Double, _ send: Send) {
        published.read { schedule in
            if schedule.number != number || rate != self.rate { begin(schedule, at: start, rate, send) }
            if let playedTo, playedTo != start, !isBehind { skip(schedule, to: start, rate) }
            guard schedule.transport.isPlaying else { return silence(at: start, send) }
            play(schedule, from: start, to: start + Int64(frames), rate, send)
        }
    }

    /// A new schedule, or a clock of another rate.
    private func begin(_ schedule: PlaySchedule, at start: Int64, _ rate: Double, _ send: Send) {
        let runsOn = schedule.transport.run == run && rate == self.rate && playedTo != nil
        (number, run, self.rate, isBehind) = (schedule.number, schedule.transport.run, rate, false)
        notes.end(
            at: start, where: { note in !runsOn || !schedule.transport.isPlaying || !isHeard(note, schedule) }, send)
        guard schedule.transport.isPlaying else {
            playedTo = nil
            return
        }
        isSilent.store(false, ordering: .relaxed)
        let first = schedule.frame(of: schedule.tempo.beat(at: schedule.transport.origin), rate: rate)
        // Where playing begins a moment before this block, what falls into that moment is late and not lost.
        let from = runsOn ? playedTo ?? start : first >= start - Int64(Self.moment * rate) ? min(first, start) : start
        seek(schedule, from, rate)
        playedTo = start
    }

    /// Ends what sounds, as far as there is room.
    private func silence(at frame: Int64, _ send: Send) {
        if notes.count > 0 { notes.end(at: frame, where: { _ in true }, send) }
        isSilent.store(notes.count == 0, ordering: .releasing)
    }

    private func isHeard(_ note: SoundingNotes.Note, _ schedule: PlaySchedule) -> Bool {
        for lane in schedule.lanes where lane.id == note.lane { return lane.isHeard }
        return false
    }

    private func seek(_ schedule: PlaySchedule, _ frame: Int64, _ rate: Double) {
        for index in schedule.lanes.indices {
            schedule.cursors[index].seek(frame, schedule.lanes[index], in: schedule, rate: rate)
        }
    }

    /// Frames were left out, or come again: events in between are not played.
    private func skip(_ schedule: PlaySchedule, to frame: Int64, _ rate: Double) {
        if schedule.transport.isPlaying { seek(schedule, frame, rate) }
        playedTo = frame
    }

    private func play(_ schedule: PlaySchedule, from start: Int64, to end: Int64, _ rate: Double, _ send: Send) {
        isBehind = true
        defer { playedTo = end }
        for _ in 0..<PlayCursor.patience {
            let next = earliest(schedule)
            let frame = next < 0 ? end : min(schedule.cursors[next].frame, end)
            // Of one frame, notes end before others begin.
            guard notes.end(through: frame, before: end, schedule, rate, from: start, send) else { return }
            guard frame < end else {
                isBehind = false
                return
            }
            guard play(schedule, next, at: max(frame, start), rate, send) else { return }
            schedule.cursors[next].advance(schedule.lanes[next], in: schedule, rate: rate)
        }
        // So many events are no music. What is left of the block is left out, so that it takes no more time.
        seek(schedule, end, rate)
        isBehind = false
    }

    /// The lane whose event is next; of one frame the first lane's. −1 for none.
    private func earliest(_ schedule: PlaySchedule) -> Int {
        var (best, frame) = (-1, Int64.max)
        for index in 0..<schedule.cursors.count where schedule.cursors[index].frame < frame {
            (best, frame) = (index, schedule.cursors[index].frame)
        }
        return best
    }

    private func play(_ schedule: PlaySchedule, _ index: Int, at frame: Int64, _ rate: Double, _ send: Send) -> Bool {
        let lane = schedule.lanes[index], cursor = schedule.cursors[index]
        let event = lane.track.events[cursor.index]
        guard lane.isHeard || event.kind == .parameter else { return true }
        switch event.kind {
        case .note: return playNote(event, lane.id, at: frame, beat: cursor.beat, send)
        case .message:
            return withUnsafeBytes(of: event.data) {
                send(frame, .bytes(UnsafeRawBufferPointer(rebasing: $0[0..<Int(event.count)])))
            }
        case .bytes: return send(frame, .bytes(event.bytes))
        case .object: return send(frame, .object(track: index, index: event.object))
        case .parameter: return playParameter(event, at: frame, beat: cursor.beat, schedule, rate, send)
        }
    }

    private func playNote(
        _ event: PlayTrack.Event, _ lane: ObjectIdentifier, at frame: Int64, beat: Double, _ send: Send
    ) -> Bool {
        let (channel, key, velocity) = event.data
        guard velocity > 0 else { return SoundingNotes.sendEnd(channel, key, event.release, frame, send) }
        guard notes.makeRoom(at: frame, send) else { return false }
        let isSent = withUnsafeBytes(of: (0x90 | channel, key, velocity)) { send(frame, .bytes($0)) }
        if isSent {
            notes.add(
                SoundingNotes.Note(
                    end: beat + event.duration, lane: lane, channel: channel, key: key, release: event.release))
        }
        return isSent
    }

    private func playParameter(
        _ event: PlayTrack.Event, at frame: Int64, beat: Double, _ schedule: PlaySchedule, _ rate: Double, _ send: Send
    ) -> Bool {
        guard send(frame, .parameter(event.parameter)) else { return false }
        guard event.duration > 0 else { return true }
        var glide = event.parameter
        glide.value = event.nextValue
        glide.frames = schedule.frame(of: beat + event.duration, rate: rate) - frame
        return glide.frames <= 0 || send(frame, .parameter(glide))
    }
}

/// The notes that were begun and not ended, in order of their ends. Render side.
struct SoundingNotes: ~Copyable {
    struct Note: BitwiseCopyable {
        /// Beats of the sequence.
        let end: Double
        let lane: ObjectIdentifier
        let channel: UInt8
        let key: UInt8
        let release: UInt8
    }

    private static let capacity = 2048
    /// The earliest end comes last.
    private let notes = UnsafeMutablePointer<Note>.allocate(capacity: SoundingNotes.capacity)
    private(set) var count = 0

    deinit { notes.deallocate() }

    mutating func add(_ note: Note) {
        var index = count
        // Of equal ends, the note that began first ends first.
        while index > 0, notes[index - 1].end <= note.end {
            notes[index] = notes[index - 1]
            index -= 1
        }
        notes[index] = note
        count += 1
    }

    /// Ends the note that would end first where there is no room for another. `false` where that cannot be sent.
    mutating func makeRoom(at frame: Int64, _ send: ScheduleReader.Send) -> Bool {
        guard count == Self.capacity else { return true }
        let note = notes[count - 1]
        guard Self.sendEnd(note.channel, note.key, note.release, frame, send) else { return false }
        count -= 1
        return true
    }

    /// Ends the notes that end on `frame` or before, but none at `end` or later. `false` where one cannot be sent.
    mutating func end(
        through frame: Int64, before end: Int64, _ schedule: PlaySchedule, _ rate: Double, from start: Int64,
        _ send: ScheduleReader.Send
    ) -> Bool {
        while count > 0 {
            let note = notes[count - 1]
            let place = schedule.frame(of: note.end, rate: rate)
            guard place <= frame, place < end else { return true }
            guard Self.sendEnd(note.channel, note.key, note.release, max(place, start), send) else { return false }
            count -= 1
        }
        return true
    }

    /// Ends some notes at once, in order of their ends. What cannot be sent stays.
    mutating func end(at frame: Int64, where isOver: (Note) -> Bool, _ send: ScheduleReader.Send) {
        var index = count - 1
        while index >= 0 {
            let note = notes[index]
            if isOver(note), Self.sendEnd(note.channel, note.key, note.release, frame, send) {
                for place in index..<count - 1 { notes[place] = notes[place + 1] }
                count -= 1
            }
            index -= 1
        }
    }

    static func sendEnd(
        _ channel: UInt8, _ key: UInt8, _ velocity: UInt8, _ frame: Int64, _ send: ScheduleReader.Send
    ) -> Bool {
        withUnsafeBytes(of: (0x80 | channel, key, velocity)) { send(frame, .bytes($0)) }
    }
}
