import OssicleCore
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleMIDI

/// A host without an engine: frames pass when the test says so, and one feed takes the events.
final class BenchHost: PlayerHost {
    private struct State {
        var frame: Int64 = 0
        var callbacks = 0
        weak var player: SequencePlayer?
    }
    private let state = Mutex(State())
    let rate: Double
    let feed = EventFeed()

    init(rate: Double = 48_000) { self.rate = rate }

    var now: (frame: Int64, rate: Double) { (state.withLock { $0.frame }, rate) }
    var isOffline: Bool { true }
    func hostTime(of frame: Int64) -> UInt64 { UInt64(Double(frame) / rate * 1e9) }
    func frame(at hostTime: UInt64) -> Int64 { Int64(Double(hostTime) * 1e-9 * rate) }
    var standardFeed: EventFeed? { feed }
    func drive(_ player: SequencePlayer) { state.withLock { $0.player = player } }
    func callBack(_ body: @escaping @Sendable () -> Void) { body() }
    func load(_ preset: PresetReference, scope: UInt32, element: UInt32, into destination: TrackDestination) {}

    /// Plays so many frames, in blocks of at most `block`, and gives what was sent: frame and bytes.
    func play(_ frames: Int, block: Int = 128, room: Int = .max) -> [Sent] {
        var sent: [Sent] = [], left = frames
        while left > 0 {
            let count = min(block, left), start = now.frame
            state.withLock { $0.player }?.attend(framesAhead: count)
            var space = room
            feed.deliver(from: start, frames: count, rate: rate) { frame, event in
                guard space > 0 else { return false }
                space -= 1
                switch event {
                case .bytes(let bytes): sent.append(Sent(frame: frame, bytes: Array(bytes)))
                case .parameter(let parameter): sent.append(Sent(frame: frame, bytes: [], parameter: parameter))
                case .object: break
                }
                return true
            }
            state.withLock { $0.frame += Int64(count) }
            left -= count
        }
        return sent
    }
}

struct Sent: Hashable {
    var frame: Int64
    var bytes: [UInt8]
    var parameter: PlayedEvent.Parameter?
}

@Suite("Playing sequences")
struct SequencePlayerTests {
    private let host = BenchHost()
    private let sequence = MIDISequence()

    private func player(hub: MIDIHub = .shared) throws -> SequencePlayer {
        let player = SequencePlayer(host: host, hub: hub)
        player.sequence = sequence
        return player
    }

    private func note(_ key: UInt8, _ duration: Double, channel: UInt8 = 0) -> TrackEvent.Kind {
        .note(.init(channel: channel, key: key, velocity: 100, duration: duration))
    }

    /// Frames of the note-ons.
    private func onsets(_ sent: [Sent]) -> [Int64] { sent.filter { $0.bytes.first ?? 0 >= 0x90 }.map(\.frame) }

    @Test("Every onset is within half a frame of its place, over tempo and meter changes, at every rate of the player")
    func onsets() throws {
        let random = CounterRandom(seed: 11, object: 0)
        for change in 0..<40 {
            let beat = 1.7 * Double(change), draw = UInt64(change)
            try sequence.tempoTrack.add(TrackEvent(beat: beat, .tempo(40 + 200 * random.unit(draw))))
            try sequence.tempoTrack.add(
                TrackEvent(beat: beat, .meta(type: 0x58, data: [UInt8(2 + change % 6), 2, 24, 8])))
        }
        var beats: [Double] = []
        for part in 0..<4 {
            let track = sequence.addTrack()
            for index in 0..<100 {
                let beat = 60 * random.unit(UInt64(1000 * (part + 1) + index))
                beats.append(beat)
                try track.add(TrackEvent(beat: beat, note(60, 0.1, channel: UInt8(part))))
            }
        }
        for rate in [1.0, 0.83, 2.9] {
            let player = try player()
            player.rate = rate
            let start = Double(host.now.frame)
            try player.start()
            let length = sequence.tempoMap.seconds(at: 61) / rate
            let sent = host.play(Int(length * 48_000), block: 1000)
            // The place in closed form: seconds of the tempo map over the rate.
            let expected = beats.map { start + sequence.tempoMap.seconds(at: $0) / rate * 48_000 }.sorted()
            let found = onsets(sent)
            #expect(found.count == expected.count)
            for (frame, place) in zip(found, expected) { #expect(abs(Double(frame) - place) <= 0.501) }
            #expect(sent.count == 2 * found.count)
            player.stop()
        }
    }

    @Test("However blocks are cut, the same events fall on the same frames", arguments: [1, 64, 127, 1024, 4096])
    func cuts(block: Int) throws {
        func play(_ block: Int) throws -> [Sent] {
            let host = BenchHost(), player = SequencePlayer(host: host)
            var file = MIDIFileTests.random(seed: 4, events: 200)
            file.division = .ticksPerQuarter(480)
            let sequence = MIDISequence(file)
            try sequence.tempoTrack.add(TrackEvent(beat: 0.001, .tempo(60_000)))
            let track = sequence.addTrack()
            for index in 0..<50 { try track.add(TrackEvent(beat: Double(index) * 0.7, note(UInt8(index), 0.9))) }
            track.set(\.isLooping, true)
            track.set(\.region, .range(start: 3, length: 2.3))
            player.sequence = sequence
            try player.start()
            return host.play(9000, block: block)
        }
        let reference = try play(128)
        #expect(reference.count > 100)
        #expect(try play(block) == reference)
    }

    @Test("Notes end before others begin on the same frame")
    func order() throws {
        let track = sequence.addTrack()
        try track.add(TrackEvent(beat: 0, note(60, 1)))
        try track.add(TrackEvent(beat: 1, note(60, 1)))
        let player = try player()
        try player.start()
        let sent = host.play(48_000)
        #expect(sent.map(\.bytes) == [[0x90, 60, 100], [0x80, 60, 0], [0x90, 60, 100]])
        #expect(sent.map(\.frame) == [0, 24_000, 24_000])
    }

    @Test("A loop repeats its range, and what follows comes behind the last round")
    func loops() throws {
        let track = sequence.addTrack()
        for beat in 0..<4 { try track.add(TrackEvent(beat: Double(beat), note(UInt8(beat), 0.25))) }
        track.set(\.isLooping, true)
        track.set(\.loopCount, 3)
        track.set(\.region, .range(start: 1, length: 2))
        let player = try player()
        try player.start()
        let keys = host.play(24_000 * 10).filter { $0.bytes[0] == 0x90 }
        #expect(keys.map { $0.bytes[1] } == [0, 1, 2, 1, 2, 1, 2, 3])
        let beats = (0..<8).map { (beat: Int64) -> Int64 in 24_000 * beat }
        #expect(keys.map(\.frame) == beats)
        player.stop()
        track.set(\.loopCount, 0)
        track.set(\.region, .tail(1))
        track.set(\.setLength, 4)
        player.beat = 0
        let start = host.now.frame
        try player.start()
        let again = host.play(24_000 * 8).filter { $0.bytes[0] == 0x90 }
        #expect(again.map { $0.bytes[1] } == [0, 1, 2, 3, 3, 3, 3, 3])
        #expect(again.map { $0.frame - start } == beats)
        // From the middle of the thousandth round.
        player.beat = 3 + 1000.5
        let late = host.now.frame
        #expect(onsets(host.play(24_000)).map { $0 - late } == [12_000])
        // A loop of nothing plays on to its end, or ends.
        player.stop()
        track.set(\.region, .range(start: 1.1, length: 0.5))
        player.beat = 0
        try player.start()
        #expect(onsets(host.play(24_000 * 8)).count == 2)
    }

    @Test("Mute, solo and offset act with the next block, and end what sounds")
    func settings() throws {
        let first = sequence.addTrack(), second = sequence.addTrack()
        for beat in 0..<8 {
            try first.add(TrackEvent(beat: Double(beat), note(1, 0.9)))
            try second.add(TrackEvent(beat: Double(beat), note(2, 0.9)))
        }
        let player = try player()
        try player.start()
        #expect(host.play(12_000).map { $0.bytes[1] } == [1, 2])
        first.set(\.isMuted, true)
        let muted = host.play(24_000)
        #expect(muted.map(\.bytes) == [[0x80, 1, 0], [0x80, 2, 0], [0x90, 2, 100]])
        #expect(muted[0].frame == 12_000)
        first.set(\.isMuted, false)
        first.set(\.isSoloed, true)
        #expect(host.play(24_000).map(\.bytes) == [[0x80, 2, 0], [0x90, 1, 100]])
        first.set(\.isSoloed, false)
        second.set(\.offset, 0.5)
        let shifted = host.play(24_001).filter { $0.bytes[0] == 0x90 }
        #expect(shifted.map { $0.bytes[1] } == [2, 1, 2])
        #expect(shifted.map { $0.frame % 24_000 } == [12_000, 0, 12_000])
    }

    @Test("A stop ends what sounds with the next frame and keeps the position")
    func stopping() throws {
        let track = sequence.addTrack()
        try track.add(TrackEvent(beat: 0, note(60, 10)))
        let player = try player()
        try player.start()
        _ = host.play(1000)
        player.stop()
        #expect(player.beat == 1000.0 / 24_000)
        #expect(host.play(500) == [Sent(frame: 1000, bytes: [0x80, 60, 0])])
        #expect(host.play(24_000 * 12).isEmpty)
        try player.start()
        #expect(host.play(24_000 * 12).isEmpty)
    }

    @Test("A jump ends what sounds and goes on at its beat exactly")
    func jumps() throws {
        let track = sequence.addTrack()
        for beat in 0..<8 { try track.add(TrackEvent(beat: Double(beat) / 3, note(UInt8(beat), 0.2))) }
        let player = try player()
        try player.start()
        _ = host.play(1000)
        player.beat = 5.0 / 3
        let sent = host.play(9000)
        #expect(sent[0] == Sent(frame: 1000, bytes: [0x80, 0, 0]))
        #expect(sent[1] == Sent(frame: 1000, bytes: [0x90, 5, 100]))
        #expect(onsets(sent) == [1000, 9000])
    }

    @Test("Another rate, and other tempi, hold from the next frame on; no note is lost or repeated")
    func changes() throws {
        let track = sequence.addTrack()
        for beat in 0..<20 { try track.add(TrackEvent(beat: Double(beat) / 4, note(UInt8(beat), 0.1))) }
        let player = try player()
        try player.start()
        var sent = host.play(9001)
        player.rate = 3
        sent += host.play(5003)
        try sequence.tempoTrack.add(TrackEvent(beat: 0, .tempo(97)))
        sent += host.play(7001)
        player.rate = 0.5
        sent += host.play(1)
        player.rate = 0.7
        sent += host.play(1_000_000)
        let keys = sent.filter { $0.bytes[0] == 0x90 }.map { $0.bytes[1] }
        #expect(keys == (0..<20).map { UInt8($0) })
        #expect(sent.count == 40)
        #expect(sent.map(\.frame) == sent.map(\.frame).sorted())
    }

    @Test("What is added ahead while it plays is played; what is added behind is not")
    func edits() throws {
        let track = sequence.addTrack()
        let player = try player()
        try player.start()
        _ = host.play(24_000)
        try track.add(TrackEvent(beat: 0.5, note(1, 1)))
        try track.add(TrackEvent(beat: 1.5, note(2, 1)))
        let sent = host.play(24_000)
        #expect(sent.map(\.bytes) == [[0x90, 2, 100]])
        #expect(sent[0].frame == 36_000)
    }

    @Test("What a full destination refuses comes with the next block")
    func fullDestination() throws {
        let track = sequence.addTrack()
        for key in 0..<100 { try track.add(TrackEvent(beat: 0, note(UInt8(key), 1))) }
        let player = try player()
        try player.start()
        let sent = host.play(2000, room: 7)
        #expect(sent.map { $0.bytes[1] } == (0..<100).map { UInt8($0) })
        #expect(host.play(48_000).count == 100)
    }

    @Test("More events than time are left out, and the block ends")
    func tooMuch() throws {
        let track = sequence.addTrack()
        for index in 0..<1000 { try track.add(TrackEvent(beat: Double(index) * 1e-6, note(60, 0))) }
        track.set(\.isLooping, true)
        track.set(\.setLength, 0.001)
        track.set(\.isMuted, true)
        try sequence.tempoTrack.add(TrackEvent(beat: 0, .tempo(6e7)))
        let player = try player()
        player.rate = 0x1p20
        try player.start()
        #expect(host.play(1000).isEmpty)
        track.set(\.isMuted, false)
        let sent = host.play(128)
        #expect(sent.count > 1000 && sent.count < 40_000)
    }

    @Test("Parameters of a track of automation glide from value to value")
    func automation() throws {
        let track = sequence.addTrack()
        track.set(\.isAutomation, true)
        try track.add(TrackEvent(beat: 0, .parameter(.init(id: 7, scope: 0, element: 0, value: 1))))
        try track.add(TrackEvent(beat: 1, .parameter(.init(id: 7, scope: 0, element: 0, value: 3))))
        let player = try player()
        try player.start()
        let sent = host.play(48_000).compactMap(\.parameter)
        #expect(sent.map(\.value) == [1, 3, 3])
        #expect(sent.map(\.frames) == [0, 24_000, 0])
    }

    @Test("User events call back with their beat; endpoints get their bytes at host times")
    func controlSide() throws {
        let track = sequence.addTrack()
        try track.add(TrackEvent(beat: 1, .user([1, 2, 3])))
        try track.add(TrackEvent(beat: 1, note(60, 0.5)))
        let hub = MIDIHub(clock: .manual), inbox = Inbox()
        let endpoint = try hub.createDestination(
            client: hub.createClient(name: "test"), name: "synth", form: .bytes, receive: inbox.receive)
        track.set(\.destination, .endpoint(endpoint))
        let heard = Mutex<[Double]>([])
        sequence.userCallback = { _, bytes, beat, _ in heard.withLock { $0.append(beat + Double(bytes.count)) } }
        let player = try player(hub: hub)
        try player.start()
        #expect(host.play(40_000).isEmpty)
        #expect(heard.withLock { $0 } == [4])
        hub.advance(to: 1_000_000_000)
        #expect(inbox.bytes == [0x90, 60, 100, 0x80, 60, 0])
        #expect(inbox.times == [500_000_000, 750_000_000])
        #expect(player.hostTime(of: 1) == 500_000_000)
        #expect(player.beat(at: 750_000_000) == 1.5)
    }

    @Test("2,000 damaged files are played without a trap, and what is begun ends")
    func damaged() throws {
        var mutator = Mutator(seed: 3)
        for seed in 0..<100 {
            let bytes = MIDIFileTests.random(seed: UInt64(seed), events: 30).bytes
            for _ in 0..<20 {
                guard let file = try? MIDIFile(reading: mutator.mutate(bytes), named: "test") else { continue }
                let host = BenchHost(), player = SequencePlayer(host: host)
                let piece = MIDISequence(file)
                for track in piece.tracks {
                    track.set(\.isLooping, true)
                    // Bytes that only look like notes.
                    track.edit { $0.removeAll { if case .raw = $0.kind { true } else { false } } }
                }
                player.sequence = piece
                try player.start()
                var sent = host.play(2000, room: 50)
                player.stop()
                sent += host.play(1000)
                let begun = sent.filter { $0.bytes.first.map { $0 & 0xF0 == 0x90 } ?? false }.count
                let ended = sent.filter { $0.bytes.first.map { $0 & 0xF0 == 0x80 } ?? false }.count
                #expect(begun == ended)
            }
        }
    }
}
