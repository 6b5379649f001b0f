import Foundation
import OssicleAudioToolbox
import OssicleCore
import OssicleCoreAudioTypes
import OssicleTestSupport
import Synchronization
import Testing
@testable import OssicleAVFAudio

@Suite("AVAudioSequencer: played by an engine")
struct AVAudioSequencerTests {
    /// A piece of three tracks with twelve tempi and meters; gives its onsets in seconds as well.
    private func piece(_ sequencer: AVAudioSequencer) -> [Double] {
        let random = CounterRandom(seed: 77, object: 0)
        var beats: [Double] = []
        for change in 0..<12 {
            let beat = Double(change) * 1.3
            sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: 60 + 200 * random.unit(UInt64(change))), at: beat)
            let meter = Data([UInt8(2 + change % 5), 2, 24, 8])
            sequencer.tempoTrack.addEvent(AVMIDIMetaEvent(type: .timeSignature, data: meter), at: beat)
        }
        for part in 0..<3 {
            let track = sequencer.createAndAppendTrack()
            for index in 0..<40 {
                let beat = 16 * random.unit(UInt64(100 * (part + 1) + index))
                beats.append(beat)
                track.addEvent(
                    AVMIDINoteEvent(channel: UInt32(part), key: UInt32(index), velocity: 100, duration: 0.2), at: beat)
            }
        }
        return beats.map { sequencer.seconds(forBeats: $0) }.sorted()
    }

    @Test(
        "Every note of a client's synthesiser begins on the frame nearest to its place; twice the same bytes, however cut"
    )
    func onsets() throws {
        var sounds: [[[Float]]] = []
        for size in [1024, 1, 127, 4096] {
            let rig = try ClickRig()
            let sequencer = AVAudioSequencer(audioEngine: rig.engine)
            let places = piece(sequencer)
            try sequencer.start()
            let frames = 30_000
            let sound = try rig.render(frames, callsOf: size)
            // All notes in order of time: the sum of a frame's samples is 100 for each that begins there.
            var found: [Int] = []
            for (frame, value) in sound[0].enumerated() { found += Array(repeating: frame, count: Int(value / 100)) }
            let expected = places.filter { $0 * 48_000 < Double(frames) - 1 }
            #expect(found.count == expected.count && found.count > 4)
            for (frame, place) in zip(found, expected) { #expect(abs(Double(frame) - place * 48_000) <= 0.501) }
            sounds.append(sound)
        }
        for sound in sounds.dropFirst() { #expect(sound == sounds[0]) }
    }

    @Test("A file that was written is read and played alike; the whole piece within half a tick")
    func files() throws {
        let rig = try ClickRig()
        let first = AVAudioSequencer(audioEngine: rig.engine)
        _ = piece(first)
        let data = first.data(withSMPTEResolution: 0, error: nil)
        let folder = try TemporaryFolder()
        let url = folder.file("piece.mid")
        try first.write(to: url, smpteResolution: 960, replaceExisting: false)
        #expect(avfaudioCode { try first.write(to: url, smpteResolution: 960, replaceExisting: false) } == -54)
        try first.write(to: url, smpteResolution: 960, replaceExisting: true)
        for (resolution, load) in [(480.0, { try $0.load(from: data) }), (960, { try $0.load(from: url) })]
            as [(Double, (AVAudioSequencer) throws -> Void)]
        {
            let second = AVAudioSequencer(audioEngine: rig.engine)
            try load(second)
            #expect(second.tracks.count == 3)
            #expect(Double(second.tempoTrack.timeResolution) == resolution)
            for (a, b) in zip(second.tracks, first.tracks) {
                #expect(a.track.events.count == b.track.events.count)
                for (x, y) in zip(a.track.events, b.track.events) {
                    #expect(abs(x.beat - y.beat) <= 0.5 / resolution + 1e-9)
                }
            }
        }
        #expect(avfaudioCode { try first.load(from: Data("no music".utf8)) } == kAudioToolboxErr_InvalidSequenceType)
        #expect(avfaudioCode { try first.load(from: folder.file("none.mid")) } == -43)
        var error: NSError?
        #expect(first.data(withSMPTEResolution: 70_000, error: &error).isEmpty && error != nil)
    }

    @Test("Position, rate, stop and jump")
    func transport() throws {
        let rig = try ClickRig()
        let sequencer = AVAudioSequencer(audioEngine: rig.engine)
        let track = sequencer.createAndAppendTrack()
        for beat in 0..<16 {
            track.addEvent(AVMIDINoteEvent(channel: 0, key: 60, velocity: 1, duration: 0.5), at: Double(beat))
        }
        #expect(!sequencer.isPlaying)
        var error: NSError?
        #expect(
            sequencer.hostTime(forBeats: 1, error: &error) == 0
                && error?.code == Int(kAudioToolboxErr_InvalidPlayerState))
        try sequencer.start()
        #expect(sequencer.isPlaying)
        #expect(ClickRig.onsets(try rig.render(48_000)[0]) == [0, 24_000])
        #expect(abs(sequencer.currentPositionInBeats - 2) < 1e-12)
        #expect(sequencer.hostTime(forBeats: 4, error: nil) == 2_000_000_000)
        #expect(abs(sequencer.beats(forHostTime: 2_000_000_000, error: nil) - 4) < 1e-9)
        sequencer.rate = 2
        #expect(ClickRig.onsets(try rig.render(24_000)[0]) == [0, 12_000])
        #expect(abs(sequencer.currentPositionInSeconds - 2) < 1e-12)
        sequencer.currentPositionInBeats = 10.5
        #expect(ClickRig.onsets(try rig.render(12_000)[0]) == [6000])
        sequencer.stop()
        let rest = try rig.render(24_000)
        #expect(ClickRig.onsets(rest[0]).isEmpty)
        #expect(abs(sequencer.currentPositionInBeats - 11.5) < 1e-9)
        try sequencer.start()
        #expect(ClickRig.onsets(try rig.render(12_000)[0]) == [6000])
        sequencer.rate = -1
        #expect(sequencer.rate == 2 && rig.engine.lastError != nil)
    }

    @Test("A stop ends what sounds with the first frame of the next call")
    func hangingNote() throws {
        let rig = try ClickRig()
        let sequencer = AVAudioSequencer(audioEngine: rig.engine)
        sequencer.createAndAppendTrack().addEvent(
            AVMIDINoteEvent(channel: 0, key: 60, velocity: 1, duration: 100), at: 0)
        try sequencer.start()
        #expect(ClickRig.onsets(try rig.render(1000)[1]).isEmpty)
        sequencer.stop()
        #expect(ClickRig.onsets(try rig.render(1000)[1]) == [0])
    }

    @Test("Loops, mute, solo, offset and destinations")
    func tracks() throws {
        let rig = try ClickRig()
        let other = ClickInstrument.node()
        rig.engine.attach(other)
        try rig.engine.connectNode(other, to: rig.engine.mainMixerNode, format: rig.format)
        let sequencer = AVAudioSequencer(audioEngine: rig.engine)
        let a = sequencer.createAndAppendTrack(), b = sequencer.createAndAppendTrack()
        a.addEvent(AVMIDINoteEvent(channel: 0, key: 60, velocity: 1, duration: 0.1), at: 0)
        b.addEvent(AVMIDINoteEvent(channel: 0, key: 60, velocity: 2, duration: 0.1), at: 0)
        b.addEvent(AVMIDIProgramChangeEvent(channel: 3, programNumber: 9), at: 0.25)
        b.addEvent(AVMIDISysexEvent(data: Data([0xF0] + (0..<100) + [0xF7])), at: 0.5)
        b.destinationAudioUnit = other
        #expect(b.destinationAudioUnit === other && a.destinationAudioUnit == nil)
        a.lengthInBeats = 1
        a.isLoopingEnabled = true
        #expect(a.loopRange == AVMakeBeatRange(0, 1) && a.numberOfLoops == AVMusicTrackLoopCount.forever.rawValue)
        a.numberOfLoops = 3
        try sequencer.start()
        let sound = try rig.render(96_000)[0]
        #expect(ClickRig.onsets(sound) == [0, 24_000, 48_000])
        #expect(sound[0] == 3)
        let heard = (other.auAudioUnit as? ClickInstrument)?.kernel.others ?? []
        #expect(heard.map(\.frame) == [6000, 12_000])
        #expect(heard.map(\.bytes) == [[0xC3, 9], [0xF0] + (0..<100) + [0xF7]])
        #expect(rig.kernel?.others.isEmpty == true)
        b.destinationAudioUnit = nil
        #expect(b.destinationAudioUnit === other && rig.engine.lastError != nil)
        sequencer.stop()
        sequencer.currentPositionInBeats = 0
        a.isMuted = true
        b.offsetTime = 0.5
        try sequencer.start()
        let muted = try rig.render(24_000)[0]
        #expect(ClickRig.onsets(muted) == [12_000] && muted[12_000] == 2)
        sequencer.currentPositionInBeats = 0
        a.isMuted = false
        a.isSoloed = true
        let solo = try rig.render(24_000)[0]
        #expect(ClickRig.onsets(solo) == [0] && solo[0] == 1)
    }

    @Test("An instrument at another sample rate is heard within a frame of its place, and after a reset as well")
    func otherRate() throws {
        let rig = try ClickRig()
        try rig.engine.connectNode(rig.instrument, to: rig.engine.mainMixerNode, format: OfflineRig.format(24_000, 2))
        let sequencer = AVAudioSequencer(audioEngine: rig.engine)
        let track = sequencer.createAndAppendTrack()
        for beat in [1.0, 2.5, 3] {
            track.addEvent(AVMIDINoteEvent(channel: 0, key: 60, velocity: 1, duration: 0.1), at: beat)
        }
        _ = try rig.render(4800)
        try sequencer.start()
        func peak(_ sound: ArraySlice<Float>) -> Int? { sound.indices.max { sound[$0] < sound[$1] } }
        let sound = try rig.render(72_001)[0]
        for place in [24_000, 60_000] {
            #expect(abs((peak(sound[place - 1000..<place + 1000]) ?? 0) - place) <= 1)
        }
        rig.engine.reset()
        let rest = try rig.render(12_000)[0]
        #expect(rest.max() ?? 0 < 0.9 || peak(rest[...]) ?? 0 < 100)
        #expect(abs(sequencer.currentPositionInSeconds - 84_001.0 / 48_000) < 1e-9)
    }

    @Test("User events call back within the call that plays them; edits while playing are heard")
    func callbacks() throws {
        let rig = try ClickRig()
        let sequencer = AVAudioSequencer(audioEngine: rig.engine)
        let track = sequencer.createAndAppendTrack()
        for beat in 1..<5 { track.addEvent(AVMusicUserEvent(data: Data([UInt8(beat)])), at: Double(beat)) }
        let beats = Mutex<[Double]>([])
        sequencer.setUserCallback { played, data, beat in
            beats.withLock { $0.append(beat) }
            // Each adds a note a beat later.
            played.addEvent(
                AVMIDINoteEvent(channel: 0, key: 60, velocity: UInt32(data[0]), duration: 0.1), at: beat + 1)
        }
        try sequencer.start()
        let sound = try rig.render(24_000 * 6)[0]
        rig.engine.drainCallbacks()
        #expect(beats.withLock { $0 } == [1, 2, 3, 4])
        #expect(ClickRig.onsets(sound) == [48_000, 72_000, 96_000, 120_000])
    }

    @Test("Automated parameters glide in an instrument, and set those of a built-in effect")
    func parameters() throws {
        let rig = try ClickRig()
        let delay = AVAudioUnitDelay()
        rig.engine.attach(delay)
        let sequencer = AVAudioSequencer(audioEngine: rig.engine)
        let gliding = sequencer.createAndAppendTrack(), effect = sequencer.createAndAppendTrack()
        gliding.usesAutomatedParameters = true
        gliding.addEvent(AVParameterEvent(parameterID: 7, scope: 0, element: 0, value: 1), at: 0)
        gliding.addEvent(AVParameterEvent(parameterID: 7, scope: 0, element: 0, value: 2), at: 1)
        gliding.addEvent(AVMusicUserEvent(data: Data([1])), at: 0)
        #expect(rig.engine.lastError != nil && gliding.track.events.count == 2)
        effect.destinationAudioUnit = delay
        effect.addEvent(
            AVParameterEvent(parameterID: kDelayParam_Feedback, scope: 0, element: 0, value: 12), at: 0.5)
        try sequencer.start()
        _ = try rig.render(4096)
        #expect(delay.feedback == 50)
        _ = try rig.render(44_000)
        #expect(delay.feedback == 12)
        let changes = rig.kernel?.parameters ?? []
        #expect(changes.map(\.frame) == [0, 0, 24_000])
        #expect(changes.map(\.value) == [1, 2, 2])
        #expect(changes.map(\.frames) == [0, 24_000, 0])
    }

    @Test("Events are shown as the class they are, edited and removed")
    func enumeration() {
        let sequencer = AVAudioSequencer()
        let track = sequencer.createAndAppendTrack()
        let events: [AVMusicEvent] = [
            AVMIDINoteEvent(channel: 1, key: 60, velocity: 100, duration: 2),
            AVMIDIControlChangeEvent(channel: 2, messageType: .sustain, value: 127),
            AVMIDIPolyPressureEvent(channel: 3, key: 5, pressure: 6),
            AVMIDIProgramChangeEvent(channel: 4, programNumber: 7), AVMIDIChannelPressureEvent(channel: 5, pressure: 8),
            AVMIDIPitchBendEvent(channel: 6, value: 12_345), AVMIDISysexEvent(data: Data([0xF0, 1, 0xF7])),
            AVMIDIMetaEvent(type: .lyric, data: Data("la".utf8)), AVMusicUserEvent(data: Data([1, 2])),
            AVExtendedNoteOnEvent(midiNote: 60.5, velocity: 10.5, groupID: 2, duration: 1),
            AVParameterEvent(parameterID: 1, scope: 2, element: 3, value: 4),
            AVAUPresetEvent(scope: 0, element: 0, dictionary: ["name": "x"]),
        ]
        for (beat, event) in events.enumerated() { track.addEvent(event, at: Double(beat)) }
        #expect(sequencer.lastError == nil)
        var seen: [AVMusicEvent] = []
        track.enumerateEvents(in: AVMakeBeatRange(0, AVMusicTimeStampEndOfTrack)) { event, beat, isRemoved in
            seen.append(event)
            if let note = event as? AVMIDINoteEvent {
                note.key = 61
                beat.pointee = 20
            }
            isRemoved.pointee = ObjCBool(event is AVMIDISysexEvent)
        }
        #expect(seen.map { type(of: $0) == AVMusicEvent.self } == Array(repeating: false, count: events.count))
        for (a, b) in zip(seen, events) { #expect(type(of: a) == type(of: b)) }
        #expect((seen[5] as? AVMIDIPitchBendEvent)?.value == 12_345)
        #expect((seen[1] as? AVMIDIControlChangeEvent)?.messageType == .sustain)
        #expect((seen[11] as? AVAUPresetEvent)?.presetDictionary["name"] as? String == "x")
        #expect(track.track.events.count == events.count - 1)
        let last = track.track.events.last
        #expect(last?.beat == 20)
        #expect(last?.kind == .note(.init(channel: 1, key: 61, velocity: 100, duration: 2)))
        track.addEvent(AVExtendedTempoEvent(tempo: 60), at: 0)
        #expect(sequencer.lastError != nil)
        sequencer.lastError = nil
        sequencer.tempoTrack.addEvent(AVMIDINoteEvent(channel: 0, key: 1, velocity: 1, duration: 1), at: 0)
        sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: -1), at: 0)
        #expect(sequencer.lastError != nil && sequencer.tempoTrack.track.events.isEmpty)
    }

    @Test("What is played while it plays is recorded at its beats")
    func recording() throws {
        let rig = try ClickRig()
        let sequencer = AVAudioSequencer(audioEngine: rig.engine)
        let track = sequencer.createAndAppendTrack()
        try sequencer.start()
        _ = try rig.render(12_000)
        track.record([0x92, 60, 90])
        track.record([0xB2, 7, 80], atHostTime: 500_000_000)
        _ = try rig.render(6000)
        track.record([0x92, 62, 91])
        track.record([0x82, 60, 30])
        _ = try rig.render(6000)
        track.finishRecording()
        sequencer.stop()
        #expect(track.track.events.map(\.beat) == [0.5, 0.75, 1])
        #expect(
            track.track.events.map(\.kind) == [
                .note(.init(channel: 2, key: 60, velocity: 90, releaseVelocity: 30, duration: 0.25)),
                .note(.init(channel: 2, key: 62, velocity: 91, duration: 0.25)),
                .channel(status: 0xB2, data1: 7, data2: 80),
            ])
        track.record([60])
        #expect(rig.engine.lastError != nil)
    }

    @Test("A MusicPlayer of the engine's sequence follows the engine")
    func musicSequence() throws {
        let rig = try ClickRig()
        var sequence: MusicSequence?, track: MusicTrack?, player: MusicPlayer?
        NewMusicSequence(&sequence)
        let piece = try #require(sequence)
        MusicSequenceNewTrack(piece, &track)
        var note = MIDINoteMessage(channel: 0, note: 60, velocity: 5, releaseVelocity: 0, duration: 0.5)
        #expect(MusicTrackNewMIDINoteEvent(try #require(track), 0.25, &note) == noErr)
        rig.engine.musicSequence = piece
        #expect(rig.engine.musicSequence == piece)
        NewMusicPlayer(&player)
        let music = try #require(player)
        #expect(MusicPlayerSetSequence(music, piece) == noErr)
        #expect(MusicPlayerStart(music) == noErr)
        let sound = try rig.render(24_000)
        #expect(ClickRig.onsets(sound[0]) == [6000] && sound[0][6000] == 5)
        #expect(ClickRig.onsets(sound[1]) == [18_000])
        var beat = 0.0
        #expect(MusicPlayerGetTime(music, &beat) == noErr && abs(beat - 1) < 1e-12)
        #expect(DisposeMusicPlayer(music) == noErr && DisposeMusicSequence(piece) == noErr)
        rig.engine.musicSequence = piece
        #expect(rig.engine.lastError != nil)
    }
}
