import Driver
import OssicleMIDI
import Synchronization

/// The input is a MIDI file: read, made a sequence, written, read again, and played for a second with all its tracks in
/// loops.
@main
enum FuzzMIDI {
    static func main() {
        fuzz { bytes, count in
            try? FuzzMIDI.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
            return 0
        }
    }

    private static func read(_ bytes: [UInt8]) throws {
        let file = try MIDIFile(reading: bytes, named: "fuzz")
        precondition(file.tracks.reduce(0) { $0 + $1.events.count } <= bytes.count)
        let sequence = MIDISequence(file, channelsToTracks: bytes.count % 2 == 0)
        let seconds = sequence.tempoMap.seconds(at: sequence.length)
        precondition(seconds.isFinite && seconds >= 0)
        let again = try MIDIFile(reading: sequence.file().bytes, named: "written")
        precondition(again.warnings.isEmpty)
        try play(sequence)
    }

    private static func play(_ sequence: MIDISequence) throws {
        let host = Host(), player = SequencePlayer(host: host)
        for track in sequence.tracks { track.set(\.isLooping, true) }
        player.sequence = sequence
        try player.start()
        for _ in 0..<100 { host.play(480, player) }
        player.stop()
        for _ in 0..<10 { host.play(480, player) }
    }

    /// Frames pass when they are played, and each comes in its order.
    private final class Host: PlayerHost {
        private let frame = Mutex<Int64>(0)
        private let feed = EventFeed()

        var now: (frame: Int64, rate: Double) { (frame.withLock { $0 }, 48_000) }
        var isOffline: Bool { true }
        func hostTime(of frame: Int64) -> UInt64 { 0 }
        func frame(at hostTime: UInt64) -> Int64 { 0 }
        var standardFeed: EventFeed? { feed }
        func drive(_ player: SequencePlayer) {}
        func callBack(_ body: @escaping @Sendable () -> Void) {}
        func load(_ preset: PresetReference, scope: UInt32, element: UInt32, into destination: TrackDestination) {}

        func play(_ frames: Int, _ player: SequencePlayer) {
            player.attend(framesAhead: frames)
            let start = now.frame
            var last = start, room = 512
            feed.deliver(from: start, frames: frames, rate: 48_000) { frame, _ in
                precondition(frame >= last && frame < start + Int64(frames))
                last = frame
                room -= 1
                return room >= 0
            }
            self.frame.withLock { $0 += Int64(frames) }
        }
    }
}
