import Foundation
import OssicleAVFAudio
import OssicleAudioToolbox
import OssicleCoreAudioTypes

/// Sequencers, their tracks and events, and the same in C.
let sequenceCases: [MisuseCase] = [
    MisuseCase("sequences: beats, lengths and values that cannot be") {
        let graph = try OfflineGraph(), sequencer = AVAudioSequencer(audioEngine: graph.engine)
        let track = sequencer.createAndAppendTrack()
        for number in Hostile.doubles {
            track.addEvent(AVMIDINoteEvent(channel: .max, key: .max, velocity: .max, duration: number), at: number)
            track.addEvent(AVMIDIPitchBendEvent(channel: .max, value: .max), at: number)
            track.addEvent(
                AVExtendedNoteOnEvent(midiNote: Float(number), velocity: Float(number), groupID: .max, duration: 1),
                at: 0)
            track.addEvent(AVParameterEvent(parameterID: .max, scope: .max, element: .max, value: Float(number)), at: 0)
            sequencer.tempoTrack.addEvent(AVExtendedTempoEvent(tempo: number), at: number)
            track.loopRange = AVMakeBeatRange(number, number)
            (track.offsetTime, track.lengthInBeats, track.lengthInSeconds) = (number, number, number)
            for range in [AVMakeBeatRange(number, 1), AVMakeBeatRange(0, number), AVMakeBeatRange(number, number)] {
                track.moveEvents(in: range, by: number)
                track.clearEvents(in: range)
                track.cutEvents(in: range)
                track.copyEvents(in: range, from: track, insertAt: number)
                track.copyAndMergeEvents(in: range, from: track, mergeAt: number)
                track.enumerateEvents(in: range) { _, beat, _ in beat.pointee = number }
            }
            (sequencer.currentPositionInBeats, sequencer.currentPositionInSeconds) = (number, number)
            sequencer.rate = Float(number)
            _ = sequencer.seconds(forBeats: number)
            _ = sequencer.beats(forSeconds: number)
            _ = sequencer.hostTime(forBeats: number, error: nil)
        }
        track.numberOfLoops = 0
        track.numberOfLoops = .min
        track.isLoopingEnabled = true
        try sequencer.start()
        try graph.render(1024)
        for number in Hostile.doubles {
            sequencer.currentPositionInBeats = number
            sequencer.rate = Float(number)
            try graph.render(256)
            _ = sequencer.hostTime(forBeats: number, error: nil)
        }
        _ = sequencer.beats(forHostTime: .max, error: nil)
    },
    MisuseCase("sequences: events where they do not belong, and of classes of one's own") {
        final class OwnEvent: AVMusicEvent {}
        let sequencer = AVAudioSequencer(), track = sequencer.createAndAppendTrack()
        track.addEvent(OwnEvent(), at: 0)
        track.addEvent(AVMusicEvent(), at: 0)
        track.addEvent(AVMIDIMetaEvent(type: .tempo, data: Data()), at: 0)
        sequencer.tempoTrack.addEvent(AVMIDIMetaEvent(type: .tempo, data: Data([0, 0, 0])), at: 0)
        sequencer.tempoTrack.addEvent(AVMIDIMetaEvent(type: .timeSignature, data: Data([0, 255])), at: 0)
        sequencer.tempoTrack.addEvent(AVMIDINoteEvent(channel: 0, key: 0, velocity: 0, duration: 0), at: 0)
        track.addEvent(AVMIDISysexEvent(data: Data()), at: 0)
        track.addEvent(AVMusicUserEvent(data: Data()), at: 0)
        track.usesAutomatedParameters = true
        try expect(!track.usesAutomatedParameters, "a track with other events became one of parameters")
        _ = sequencer.removeTrack(sequencer.tempoTrack)
        try expect(sequencer.removeTrack(track), "a track cannot be removed")
        try expect(!sequencer.removeTrack(track), "a track was removed twice")
        track.addEvent(AVMusicUserEvent(data: Data()), at: 0)
        _ = sequencer.data(withSMPTEResolution: .max, error: nil)
        _ = sequencer.data(withSMPTEResolution: -1, error: nil)
    },
    MisuseCase("sequences: destinations of other engines, engines that go, files that are none") {
        let graph = try OfflineGraph(), unit = AVAudioUnitDelay()
        let sequencer = AVAudioSequencer(audioEngine: graph.engine), track = sequencer.createAndAppendTrack()
        track.destinationAudioUnit = unit
        try expect(track.destinationAudioUnit == nil, "a unit that is not attached is a destination")
        graph.engine.attach(unit)
        track.destinationAudioUnit = unit
        graph.engine.detach(unit)
        try sequencer.start()
        track.destinationAudioUnit = nil
        try expectThrown("load while it plays") { try sequencer.load(from: Data()) }
        sequencer.stop()
        for data in [Data(), Data([0x4D, 0x54, 0x68, 0x64]), Data(repeating: 0xFF, count: 1000)] {
            try expectThrown("load what is none") { try sequencer.load(from: data) }
        }
        try expectThrown("load a folder") { try sequencer.load(from: URL(fileURLWithPath: "/")) }
        try expectThrown("load a device") { try sequencer.load(from: URL(fileURLWithPath: "/dev/zero")) }
        try expectThrown("write to nowhere") {
            try sequencer.write(to: URL(fileURLWithPath: "/nowhere/a.mid"), smpteResolution: 0, replaceExisting: true)
        }
        let orphan = AVAudioSequencer(audioEngine: AVAudioEngine())
        orphan.createAndAppendTrack().addEvent(AVMusicUserEvent(data: Data([1])), at: 0)
        try orphan.start()
        orphan.stop()
        let lost = AVAudioSequencer().createAndAppendTrack()
        lost.addEvent(AVMusicUserEvent(data: Data([1])), at: 0)
        _ = (lost.lengthInSeconds, lost.destinationAudioUnit, lost.timeResolution)
        lost.record([0x90, 60, 1])
        lost.finishRecording()
    },
    MisuseCase("sequences in C: handles that are none, twice gone, or of something else") {
        var sequence: MusicSequence?, track: MusicTrack?, player: MusicPlayer?, place: MusicEventIterator?
        NewMusicSequence(&sequence)
        NewMusicPlayer(&player)
        guard let sequence, let player else { throw MisuseFailure("no sequence") }
        MusicSequenceNewTrack(sequence, &track)
        guard let track else { throw MisuseFailure("no track") }
        NewMusicEventIterator(track, &place)
        guard let place, let wrong = OpaquePointer(bitPattern: 0xDEAD_BEE0) else { throw MisuseFailure("no iterator") }
        for handle in [wrong, player, place] {
            try expect(DisposeMusicSequence(handle) != noErr, "a sequence that is none was disposed of")
            try expect(MusicSequenceReverse(handle) != noErr, "what is no sequence was reversed")
        }
        for handle in [wrong, sequence, player] {
            try expect(MusicTrackClear(handle, 0, 1) != noErr, "what is no track was cleared")
            var none: MusicEventIterator?
            try expect(NewMusicEventIterator(handle, &none) != noErr, "an iterator of no track")
        }
        for handle in [wrong, sequence, track] {
            try expect(MusicPlayerStart(handle) != noErr, "what is no player was started")
            try expect(MusicEventIteratorNextEvent(handle) != noErr, "what is no iterator went on")
        }
        MusicPlayerSetSequence(player, sequence)
        MusicPlayerStart(player)
        try expect(DisposeMusicSequence(sequence) == noErr, "a sequence that plays cannot be disposed of")
        try expect(DisposeMusicSequence(sequence) != noErr, "a sequence was disposed of twice")
        _ = MusicEventIteratorNextEvent(place)
        var beat = 0.0
        for number in Hostile.doubles {
            _ = MusicPlayerSetTime(player, number)
            _ = MusicPlayerSetPlayRateScalar(player, number)
            _ = MusicPlayerGetTime(player, &beat)
            _ = MusicEventIteratorSeek(place, number)
        }
        MusicPlayerStop(player)
        try expect(DisposeMusicPlayer(player) == noErr && DisposeMusicPlayer(player) != noErr, "a player is gone twice")
    },
]
