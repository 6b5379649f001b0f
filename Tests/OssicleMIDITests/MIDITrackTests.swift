import Testing
@testable import OssicleMIDI

@Suite("Tracks")
struct MIDITrackTests {
    private func track(_ beats: [Double]) throws -> MIDITrack {
        let track = MIDISequence().addTrack()
        for (index, beat) in beats.enumerated() {
            try track.add(TrackEvent(beat: beat, .user([UInt8(index)])))
        }
        return track
    }

    private func contents(_ track: MIDITrack) -> [Double: [UInt8]] {
        Dictionary(grouping: track.events, by: \.beat).mapValues { events in
            events.flatMap { event -> [UInt8] in if case .user(let bytes) = event.kind { bytes } else { [] } }
        }
    }

    @Test("Events lie in order of beats and, of one beat, of their making")
    func order() throws {
        let track = try track([3, 1, 2, 1, 1])
        #expect(track.events.map(\.beat) == [1, 1, 1, 2, 3])
        #expect(contents(track) == [1: [1, 3, 4], 2: [2], 3: [0]])
        let middle = track.events[1]
        #expect(try track.move(middle.order, at: 1, to: 3))
        #expect(contents(track) == [1: [1, 4], 2: [2], 3: [0, 3]])
        #expect(track.remove(middle.order, at: 3))
        #expect(!track.remove(middle.order, at: 3))
        #expect(contents(track) == [1: [1, 4], 2: [2], 3: [0]])
    }

    @Test("Ranges are moved, cleared, cut, inserted and merged")
    func ranges() throws {
        var track = try track([0, 1, 2, 3, 4])
        try track.moveEvents(in: 1..<3, by: 10)
        #expect(track.events.map(\.beat) == [0, 3, 4, 11, 12])
        track = try self.track([0, 1, 2, 3, 4])
        track.clearEvents(in: 1..<3)
        #expect(track.events.map(\.beat) == [0, 3, 4])
        track = try self.track([0, 1, 2, 3, 4])
        track.cutEvents(in: 1..<3)
        #expect(contents(track) == [0: [0], 1: [3], 2: [4]])
        let source = try self.track([0, 1, 2, 3])
        track = try self.track([0, 1, 2])
        try track.copyEvents(in: 1..<3, from: source, to: 1, isInserted: true)
        #expect(contents(track) == [0: [0], 1: [1], 2: [2], 3: [1], 4: [2]])
        track = try self.track([0, 1, 2])
        try track.copyEvents(in: 1..<3, from: source, to: 1, isInserted: false)
        #expect(contents(track) == [0: [0], 1: [1, 1], 2: [2, 2]])
    }

    @Test("A track is as long as its last event, or as was set")
    func length() throws {
        let track = MIDISequence().addTrack()
        #expect(track.length == 0)
        try track.add(TrackEvent(beat: 2, .note(.init(channel: 0, key: 60, velocity: 1, duration: 1.5))))
        #expect(track.length == 3.5)
        track.set(\.setLength, 8)
        #expect(track.length == 8)
        track.set(\.setLength, 1)
        #expect(track.length == 3.5)
    }

    @Test("Events that cannot be are refused")
    func refused() throws {
        let sequence = MIDISequence(), track = sequence.addTrack()
        func fault(_ track: MIDITrack, _ beat: Double, _ kind: TrackEvent.Kind) -> SequenceFault? {
            do {
                try track.add(TrackEvent(beat: beat, kind))
                return nil
            } catch { return error.kind }
        }
        #expect(fault(track, .nan, .user([])) == .outOfRange)
        #expect(fault(track, 0x1p41, .user([])) == .outOfRange)
        #expect(fault(track, 0, .note(.init(channel: 0, key: 0, velocity: 1, duration: -1))) == .outOfRange)
        #expect(fault(track, 0, .note(.init(channel: 0, key: 0, velocity: 1, duration: .nan))) == .outOfRange)
        #expect(fault(track, 0, .tempo(60)) == .wrongTrack)
        #expect(fault(sequence.tempoTrack, 0, .tempo(0)) == .outOfRange)
        #expect(fault(sequence.tempoTrack, 0, .tempo(-.infinity)) == .outOfRange)
        #expect(fault(sequence.tempoTrack, 0, .user([])) == .wrongTrack)
        #expect(fault(track, 0, .meta(type: 0x58, data: [3, 2])) == .wrongTrack)
        track.set(\.isAutomation, true)
        #expect(fault(track, 0, .user([])) == .wrongTrack)
        #expect(fault(track, 0, .parameter(.init(id: 0, scope: 0, element: 0, value: 1))) == nil)
        #expect(track.events.count == 1 && sequence.tempoTrack.events.isEmpty)
    }

    @Test("Reversed, notes end where they began, and tempi hold for the same music")
    func reverse() throws {
        let sequence = MIDISequence(), track = sequence.addTrack()
        try track.add(TrackEvent(beat: 0, .note(.init(channel: 0, key: 1, velocity: 1, duration: 1))))
        try track.add(TrackEvent(beat: 6, .note(.init(channel: 0, key: 2, velocity: 1, duration: 2))))
        try sequence.tempoTrack.add(TrackEvent(beat: 0, .tempo(60)))
        try sequence.tempoTrack.add(TrackEvent(beat: 6, .tempo(30)))
        let long = sequence.tempoMap.seconds(at: 8)
        sequence.reverse()
        #expect(track.events.map(\.beat) == [0, 7])
        // Two slow beats of 2 s, then six of 1 s.
        #expect(sequence.tempoMap.changes == [.init(beat: 0, tempo: 30), .init(beat: 2, tempo: 60)])
        #expect(sequence.tempoMap.seconds(at: 8) == long)
        sequence.reverse()
        #expect(track.events.map(\.beat) == [0, 6])
        #expect(sequence.tempoMap.changes == [.init(beat: 0, tempo: 60), .init(beat: 6, tempo: 30)])
    }
}
