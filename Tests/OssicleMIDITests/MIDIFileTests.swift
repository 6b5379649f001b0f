import OssicleCore
import OssicleTestSupport
import Testing
@testable import OssicleMIDI

@Suite("Standard MIDI files")
struct MIDIFileTests {
    // MARK: Bytes written by hand

    private static func file(_ format: UInt8, _ division: [UInt8], _ tracks: [[UInt8]]) -> [UInt8] {
        var bytes: [UInt8] = [0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, format, 0, UInt8(tracks.count)] + division
        for track in tracks {
            bytes += [0x4D, 0x54, 0x72, 0x6B, 0, 0, UInt8(track.count >> 8), UInt8(track.count & 255)] + track
        }
        return bytes
    }

    @Test("Running status, note-offs as notes of velocity 0, numbers of four bytes")
    func runningStatus() throws {
        let file = try MIDIFile(
            reading: Self.file(
                0, [0, 96],
                [
                    [
                        0, 0x93, 60, 100, 0, 64, 101, 0x60, 60, 0, 0x81, 0x80, 0x80, 0x00, 64, 0, 0, 0xC3, 5, 0, 7, 0,
                        0xFF, 0x2F, 0,
                    ]
                ]),
            named: "test")
        #expect(file.format == .single)
        #expect(file.division == .ticksPerQuarter(96))
        #expect(file.warnings.isEmpty)
        let late = 96 + (1 << 21)
        #expect(
            file.tracks == [
                .init(
                    [
                        .init(tick: 0, .channel(status: 0x93, data1: 60, data2: 100)),
                        .init(tick: 0, .channel(status: 0x93, data1: 64, data2: 101)),
                        .init(tick: 96, .channel(status: 0x93, data1: 60, data2: 0)),
                        .init(tick: late, .channel(status: 0x93, data1: 64, data2: 0)),
                        .init(tick: late, .channel(status: 0xC3, data1: 5, data2: 0)),
                        .init(tick: late, .channel(status: 0xC3, data1: 7, data2: 0)),
                    ], end: late)
            ])
        let sequence = MIDISequence(file)
        #expect(
            sequence.tracks[0].events.prefix(2).map(\.kind) == [
                .note(.init(channel: 3, key: 60, velocity: 100, duration: 1)),
                .note(.init(channel: 3, key: 64, velocity: 101, duration: Double(late) / 96)),
            ])
    }

    @Test("System exclusive messages in pieces are joined in the sequence, and kept apart in the file")
    func continuation() throws {
        let file = try MIDIFile(
            reading: Self.file(
                0, [0, 10],
                [
                    [
                        0, 0xF0, 3, 0x43, 0x12, 0x00, 5, 0xF7, 2, 0x43, 0x13, 5, 0xF7, 2, 0x14, 0xF7, 0, 0xF7, 1, 0xFA,
                        0, 0xFF, 0x2F, 0,
                    ]
                ]),
            named: "test")
        #expect(
            file.tracks[0].events.map(\.message) == [
                .systemExclusive([0xF0, 0x43, 0x12, 0x00]), .escape([0x43, 0x13]), .escape([0x14, 0xF7]),
                .escape([0xFA]),
            ])
        let events = MIDISequence(file).tracks[0].events
        #expect(events.map(\.kind) == [.raw([0xF0, 0x43, 0x12, 0x00, 0x43, 0x13, 0x14, 0xF7]), .raw([0xFA])])
        #expect(events.map(\.beat) == [0, 1])
    }

    @Test("Tempo, signature and SMPTE offset go to the tempo track of a sequence; SMPTE time gives seconds")
    func times() throws {
        let meta: [UInt8] = [
            0, 0xFF, 0x51, 3, 0x0F, 0x42, 0x40, 0, 0xFF, 0x58, 4, 6, 3, 24, 8, 0, 0xFF, 3, 1, 0x41, 0, 0xFF, 0x2F, 0,
        ]
        let music: [UInt8] = [0, 0x90, 60, 64, 0x50, 0x80, 60, 0x33, 0, 0xFF, 0x2F, 0]
        let beats = MIDISequence(try MIDIFile(reading: Self.file(1, [0, 40], [meta, music]), named: "test"))
        #expect(beats.tracks.count == 1)
        #expect(beats.tempoMap.tempo(at: 0) == 60)
        #expect(beats.meterMap.signature(at: 0) == .init(beat: 0, numerator: 6, denominator: 8))
        #expect(beats.tempoTrack.events.map(\.kind).last == .meta(type: 3, data: [0x41]))
        #expect(
            beats.tracks[0].events.map(\.kind)
                == [.note(.init(channel: 0, key: 60, velocity: 64, releaseVelocity: 0x33, duration: 2))])
        // 25 frames of 40 ticks: 0x50 = 80 ticks are 0.08 s, whatever the tempo.
        let seconds = MIDISequence(try MIDIFile(reading: Self.file(1, [0xE7, 40], [meta, music]), named: "test"))
        #expect(seconds.timeKind == .seconds)
        #expect(abs(seconds.tempoMap.seconds(at: seconds.tracks[0].length) - 0.08) < 1e-12)
        let ntsc = try MIDIFile(reading: Self.file(1, [0xE3, 80], [meta, music]), named: "test")
        #expect(ntsc.division == .timecode(framesPerSecond: 29, ticksPerFrame: 80))
        #expect(abs(ntsc.division.beats(80) - 1001 / 30_000) < 1e-15)
    }

    @Test("Format 2 plays its pieces one after the other")
    func independent() throws {
        let piece: [UInt8] = [0, 0x90, 60, 64, 20, 0x80, 60, 0, 20, 0xFF, 0x2F, 0]
        let file = try MIDIFile(reading: Self.file(2, [0, 10], [piece, piece]), named: "test")
        #expect(file.format == .independent)
        let tracks = MIDISequence(file).tracks
        #expect(tracks.map { $0.events.map(\.beat) } == [[0], [4]])
        #expect(tracks.map(\.length) == [4, 8])
    }

    @Test("Channels become tracks where that is wished")
    func channels() throws {
        let music: [UInt8] = [
            0, 0x90, 60, 64, 1, 0x95, 61, 64, 1, 0xB0, 7, 90, 1, 0x80, 60, 0, 0, 0x85, 61, 0, 0, 0xFF, 5, 1, 65, 0,
            0xFF, 0x2F, 0,
        ]
        let file = try MIDIFile(reading: Self.file(0, [0, 10], [music]), named: "test")
        let tracks = MIDISequence(file, channelsToTracks: true).tracks
        #expect(tracks.map(\.events.count) == [2, 1, 1])
    }

    // MARK: Errors

    @Test("What is no MIDI file is refused with finding, rule and cure")
    func refused() {
        for (bytes, kind) in [
            ([], MIDIFileFault.empty), (Array("RIFFxxxxWAVE".utf8), .unrecognized),
            (Self.file(0, [0, 96], []), .damaged), ([0x4D, 0x54, 0x68, 0x64], .damaged),
        ] {
            let error = #expect(throws: MIDIFileError.self) { try MIDIFile(reading: bytes, named: "a.mid") }
            #expect(error?.kind == kind)
            #expect(error?.description.contains("a.mid") == true)
            #expect(error.map { !$0.found.isEmpty && !$0.rule.isEmpty && !$0.cure.isEmpty } == true)
        }
    }

    @Test("Damage is passed over and named")
    func damaged() throws {
        func kinds(_ track: [UInt8], count: Int? = nil) throws -> (MIDIFile, [MIDIFileWarning.Kind]) {
            var bytes = Self.file(1, [0, 96], [track])
            if let count { bytes[18 + 3] = UInt8(count) }
            let file = try MIDIFile(reading: bytes, named: "test")
            return (file, file.warnings.map(\.kind))
        }
        #expect(try kinds([0, 0x90, 60, 64]).1 == [.unfinishedTrack])
        #expect(try kinds([0, 60, 64, 0, 0xFF, 0x2F, 0]).1.contains(.strayBytes))
        #expect(try kinds([0, 0x90, 0xBC, 64, 0, 0xFF, 0x2F, 0]).1 == [.badData])
        #expect(try kinds([0, 0xFF, 0x2F, 0, 1, 2]).1 == [.trailingBytes])
        #expect(try kinds([0xFF, 0xFF, 0xFF, 0xFF, 0x90, 60, 64, 0, 0xFF, 0x2F, 0]).1.first == .badNumber)
        let (cut, warnings) = try kinds([0, 0x90, 60, 64, 0, 0xFF, 0x2F, 0], count: 200)
        #expect(warnings == [.cutOff])
        #expect(cut.tracks[0].events.count == 1)
        // Wrapped in RIFF, and behind a Macintosh's header.
        let plain = Self.file(0, [0, 96], [[0, 0xFF, 0x2F, 0]])
        #expect(try MIDIFile(reading: Array("RIFF....RMIDdata....".utf8) + plain, named: "test").tracks.count == 1)
        #expect(try MIDIFile(reading: [UInt8](repeating: 0, count: 128) + plain, named: "test").tracks.count == 1)
    }

    // MARK: Seeded files

    /// A file of every kind of message.
    static func random(seed: UInt64, events: Int = 60) -> MIDIFile {
        let random = CounterRandom(seed: seed, object: 17)
        var draws: UInt64 = 0
        func below(_ limit: Int) -> Int {
            draws += 1
            return Int(random.bits(draws) % UInt64(limit))
        }
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(below(256)) } }
        let format = MIDIFile.Format(rawValue: below(3)) ?? .single
        let division =
            below(4) == 0
            ? MIDIFile.Division.timecode(framesPerSecond: [24, 25, 29, 30][below(4)], ticksPerFrame: 1 + below(255))
            : .ticksPerQuarter(1 + below(0x7FFF))
        let tracks = (0..<(format == .single ? 1 : 1 + below(5))).map { _ in
            var tick = 0
            let list = (0..<below(events)).map { _ -> MIDIFile.Event in
                tick += [0, 1, below(200), below(1 << 20), below(1 << 28)][below(5)]
                switch below(7) {
                case 0: return .init(tick: tick, .systemExclusive([0xF0] + bytes(below(300))))
                case 1: return .init(tick: tick, .escape(bytes(below(20))))
                case 2:
                    let type = UInt8(below(128))
                    return .init(tick: tick, .meta(type: type == 0x2F ? 1 : type, data: bytes(below(200))))
                default:
                    let status = UInt8(0x80 + below(0x70)), isShort = status & 0xE0 == 0xC0
                    return .init(
                        tick: tick,
                        .channel(status: status, data1: UInt8(below(128)), data2: isShort ? 0 : UInt8(below(128))))
                }
            }
            return MIDIFile.Track(list, end: tick + below(1000))
        }
        return MIDIFile(format: format, division: division, tracks: tracks)
    }

    @Test("Written and read again, 400 files are the same")
    func roundTrip() throws {
        for seed in 0..<400 {
            let file = Self.random(seed: UInt64(seed))
            let read = try MIDIFile(reading: file.bytes, named: "test")
            #expect(read.warnings.isEmpty)
            #expect(read == file, "seed \(seed)")
        }
    }

    @Test("A sequence written and read again is the same, to the tick")
    func sequenceRoundTrip() throws {
        for seed in 0..<60 {
            let random = CounterRandom(seed: UInt64(seed), object: 3)
            let sequence = MIDISequence()
            for tempo in 0..<5 {
                let microseconds = 200_000 + Double(random.bits(UInt64(tempo)) % 800_000)
                try sequence.tempoTrack.add(TrackEvent(beat: Double(4 * tempo), .tempo(6e7 / microseconds)))
            }
            try sequence.tempoTrack.add(TrackEvent(beat: 8, .meta(type: 0x58, data: [3, 2, 24, 8])))
            for part in 0..<3 {
                let track = sequence.addTrack()
                try track.add(TrackEvent(beat: 0, .channel(status: 0xC0 | UInt8(part), data1: 12, data2: 0)))
                try track.add(TrackEvent(beat: 1, .raw([0xF0, 1, 2, 0xF7])))
                for note in 0..<40 {
                    let bits = random.bits(UInt64(1000 * part + note))
                    try track.add(
                        TrackEvent(
                            beat: Double(note) / 2,
                            .note(
                                .init(
                                    channel: UInt8(part), key: UInt8(note), velocity: UInt8(1 + bits % 127),
                                    releaseVelocity: UInt8(bits >> 8 & 127), duration: Double(bits >> 16 & 2047) / 480))
                        ))
                }
            }
            let read = MIDISequence(try MIDIFile(reading: sequence.file().bytes, named: "test"))
            #expect(read.tracks.count == 3)
            #expect(read.tempoMap.changes.count == 5)
            for (a, b) in zip(read.tempoMap.changes, sequence.tempoMap.changes) {
                #expect(a.beat == b.beat && abs(a.tempo - b.tempo) < 1e-9 * b.tempo)
            }
            #expect(read.meterMap.signatures == sequence.meterMap.signatures)
            for (a, b) in zip(read.tracks, sequence.tracks) {
                #expect(a.events.map(\.beat) == b.events.map(\.beat))
                #expect(a.events.map(\.kind) == b.events.map(\.kind))
                #expect(abs(a.length - b.length) < 1e-12 * b.length)
            }
        }
    }

    @Test("Mutated files give a sequence or a typed error, and what is read can be written and read again")
    func mutated() throws {
        var mutator = Mutator(seed: 20_260)
        var read = 0, refused = 0
        let count = mutationCount(4000) / 10
        for seed in 0..<count {
            let bytes = Self.random(seed: UInt64(seed), events: 30).bytes
            for _ in 0..<10 {
                let spoilt = mutator.mutate(bytes)
                do throws(MIDIFileError) {
                    let file = try MIDIFile(reading: spoilt, named: "test")
                    read += 1
                    // No more events than bytes: memory is bounded by the file.
                    #expect(file.tracks.reduce(0) { $0 + $1.events.count } <= spoilt.count)
                    #expect(file.warnings.count <= MIDIFile.Limit.warnings)
                    let sequence = MIDISequence(file)
                    let again = try MIDIFile(reading: sequence.file().bytes, named: "test")
                    #expect(again.warnings.isEmpty)
                    #expect(sequence.tempoMap.seconds(at: sequence.length).isFinite)
                } catch {
                    refused += 1
                    #expect(!error.found.isEmpty)
                }
            }
        }
        #expect(read + refused == 10 * count)
        #expect(read > 5 * count && refused > count / 20)
    }
}
