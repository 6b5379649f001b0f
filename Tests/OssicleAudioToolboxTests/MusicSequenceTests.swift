import Foundation
import Testing
@testable import OssicleAudioToolbox

@Suite("MusicSequence, in C form")
struct MusicSequenceTests {
    private let sequence: MusicSequence
    private let track: MusicTrack
    private let tempo: MusicTrack

    init() throws {
        var sequence: MusicSequence?, track: MusicTrack?, tempo: MusicTrack?
        #expect(NewMusicSequence(&sequence) == noErr)
        self.sequence = try #require(sequence)
        #expect(MusicSequenceNewTrack(self.sequence, &track) == noErr)
        #expect(MusicSequenceGetTempoTrack(self.sequence, &tempo) == noErr)
        (self.track, self.tempo) = (try #require(track), try #require(tempo))
    }

    private func add(_ key: UInt8, _ beat: Double, _ duration: Float = 1) {
        var note = MIDINoteMessage(channel: 2, note: key, velocity: 100, releaseVelocity: 3, duration: duration)
        #expect(MusicTrackNewMIDINoteEvent(track, beat, &note) == noErr)
    }

    private func iterator(_ track: MusicTrack? = nil) throws -> MusicEventIterator {
        var iterator: MusicEventIterator?
        #expect(NewMusicEventIterator(track ?? self.track, &iterator) == noErr)
        return try #require(iterator)
    }

    private func info(_ iterator: MusicEventIterator) -> (beat: Double, type: MusicEventType, bytes: [UInt8])? {
        var beat = 0.0, type: MusicEventType = 0, data: UnsafeRawPointer?, size: UInt32 = 0
        guard MusicEventIteratorGetEventInfo(iterator, &beat, &type, &data, &size) == noErr else { return nil }
        return (beat, type, Array(UnsafeRawBufferPointer(start: data, count: Int(size))))
    }

    private func beats(_ track: MusicTrack? = nil) throws -> [Double] {
        let place = try iterator(track)
        var found: [Double] = []
        while let event = info(place) {
            found.append(event.beat)
            MusicEventIteratorNextEvent(place)
        }
        #expect(DisposeMusicEventIterator(place) == noErr)
        return found
    }

    @Test("Tracks are counted, found and taken out; handles that are gone are found out")
    func tracks() throws {
        var count: UInt32 = 9, index: UInt32 = 9, found: MusicTrack?, owner: MusicSequence?
        #expect(MusicSequenceGetTrackCount(sequence, &count) == noErr && count == 1)
        #expect(MusicSequenceGetIndTrack(sequence, 0, &found) == noErr && found == track)
        #expect(MusicSequenceGetIndTrack(sequence, 1, &found) == kAudioToolboxErr_TrackIndexError && found == nil)
        #expect(MusicSequenceGetTrackIndex(sequence, track, &index) == noErr && index == 0)
        #expect(MusicSequenceGetTrackIndex(sequence, tempo, &index) == kAudioToolboxErr_TrackNotFound)
        #expect(MusicTrackGetSequence(track, &owner) == noErr && owner == sequence)
        #expect(MusicSequenceDisposeTrack(sequence, track) == noErr)
        #expect(MusicSequenceDisposeTrack(sequence, track) == kAudioToolboxErr_TrackNotFound)
        #expect(MusicTrackClear(track, 0, 1) == kAudioToolboxErr_TrackNotFound)
        #expect(DisposeMusicSequence(sequence) == noErr)
        #expect(DisposeMusicSequence(sequence) == kAudio_ParamError)
        #expect(MusicSequenceReverse(sequence) == kAudio_ParamError)
        #expect(MusicTrackClear(tempo, 0, 1) == kAudioToolboxErr_TrackNotFound)
    }

    @Test("Iterators go both ways, edit, move and delete")
    func iterators() throws {
        for beat in [0.0, 1, 1, 3] { add(UInt8(60 + beat), beat) }
        let place = try iterator()
        var flag = DarwinBoolean(false)
        #expect(MusicEventIteratorHasPreviousEvent(place, &flag) == noErr && !flag.boolValue)
        #expect(MusicEventIteratorHasNextEvent(place, &flag) == noErr && flag.boolValue)
        #expect(MusicEventIteratorPreviousEvent(place) == kAudioToolboxErr_StartOfTrack)
        #expect(info(place)?.beat == 0)
        #expect(MusicEventIteratorSeek(place, 2) == noErr && info(place)?.beat == 3)
        #expect(MusicEventIteratorHasNextEvent(place, &flag) == noErr && !flag.boolValue)
        #expect(MusicEventIteratorNextEvent(place) == noErr)
        #expect(MusicEventIteratorHasCurrentEvent(place, &flag) == noErr && !flag.boolValue)
        #expect(info(place) == nil)
        #expect(MusicEventIteratorNextEvent(place) == kAudioToolboxErr_EndOfTrack)
        #expect(MusicEventIteratorPreviousEvent(place) == noErr && info(place)?.beat == 3)
        #expect(MusicEventIteratorSetEventTime(place, 0.5) == noErr && info(place)?.beat == 0.5)
        #expect(try beats() == [0, 0.5, 1, 1])
        #expect(MusicEventIteratorSetEventTime(place, .nan) == kAudio_ParamError)
        var message = MIDIChannelMessage(status: 0xB1, data1: 7, data2: 99, reserved: 0)
        #expect(MusicEventIteratorSetEventInfo(place, kMusicEventType_MIDIChannelMessage, &message) == noErr)
        #expect(info(place)?.type == kMusicEventType_MIDIChannelMessage && info(place)?.bytes == [0xB1, 7, 99, 0])
        #expect(
            MusicEventIteratorSetEventInfo(place, kMusicEventType_NULL, &message) == kAudioToolboxErr_InvalidEventType)
        #expect(MusicEventIteratorDeleteEvent(place) == noErr && info(place)?.beat == 1)
        #expect(try beats() == [0, 1, 1])
        #expect(MusicEventIteratorSeek(place, kMusicTimeStamp_EndOfTrack) == noErr && info(place) == nil)
        #expect(MusicEventIteratorDeleteEvent(place) == kAudioToolboxErr_EndOfTrack)
        #expect(DisposeMusicEventIterator(place) == noErr)
        #expect(MusicEventIteratorNextEvent(place) == kAudio_ParamError)
    }

    @Test("Events of every kind come back as they were given, byte for byte")
    func kinds() throws {
        func bytes(_ values: any BitwiseCopyable...) -> [UInt8] {
            values.flatMap { value in withUnsafeBytes(of: value) { Array($0) } }
        }
        let note = bytes(UInt8(1), UInt8(60), UInt8(100), UInt8(64), Float(1.5))
        let raw = bytes(UInt32(5), UInt8(0xF0), UInt8(1), UInt8(2), UInt8(3), UInt8(0xF7))
        let extended = bytes(
            UInt32(7), UInt32(3), Float(2), UInt32(4), Float(60.5), Float(99.5), UInt32(1), Float(0.5), UInt32(2),
            Float(0.25))
        let meta = [5, 0, 0, 0] + bytes(UInt32(3)) + Array("la ".utf8)
        let user = bytes(UInt32(2), UInt8(8), UInt8(9))
        let parameter = bytes(UInt32(1), UInt32(2), UInt32(3), Float(4))
        let given: [(MusicEventType, [UInt8])] = [
            (kMusicEventType_MIDINoteMessage, note), (kMusicEventType_MIDIChannelMessage, [0xE3, 1, 2, 0]),
            (kMusicEventType_MIDIRawData, raw), (kMusicEventType_ExtendedNote, extended), (kMusicEventType_Meta, meta),
            (kMusicEventType_User, user), (kMusicEventType_Parameter, parameter),
        ]
        add(1, 0)
        let place = try iterator()
        for (type, memory) in given {
            let status = memory.withUnsafeBytes { MusicEventIteratorSetEventInfo(place, type, $0.baseAddress!) }
            #expect(status == noErr)
            let back = info(place)
            #expect(back?.type == type && back?.bytes == memory)
        }
        let dictionary = NSDictionary(object: "x" as NSString, forKey: "name" as NSString)
        var preset = AUPresetEvent(scope: 1, element: 2, preset: Unmanaged.passUnretained(dictionary as CFPropertyList))
        #expect(MusicTrackNewAUPresetEvent(track, 5, &preset) == noErr)
        MusicEventIteratorSeek(place, 5)
        var beat = 0.0, type: MusicEventType = 0, data: UnsafeRawPointer?, size: UInt32 = 0
        #expect(MusicEventIteratorGetEventInfo(place, &beat, &type, &data, &size) == noErr)
        #expect(type == kMusicEventType_AUPreset)
        let read = try #require(data).assumingMemoryBound(to: AUPresetEvent.self).pointee
        #expect(read.scope == 1 && read.element == 2 && read.preset.takeUnretainedValue() === dictionary)
    }

    @Test("The tempo track has tempi and meters, other tracks have not; values that cannot be are refused")
    func refused() throws {
        #expect(MusicTrackNewExtendedTempoEvent(tempo, 0, 90) == noErr)
        #expect(MusicTrackNewExtendedTempoEvent(track, 0, 90) == kAudioToolboxErr_InvalidEventType)
        #expect(MusicTrackNewExtendedTempoEvent(tempo, 0, 0) == kAudio_ParamError)
        #expect(MusicTrackNewExtendedTempoEvent(tempo, .infinity, 90) == kAudio_ParamError)
        var note = MIDINoteMessage(channel: 0, note: 1, velocity: 1, releaseVelocity: 0, duration: -1)
        #expect(MusicTrackNewMIDINoteEvent(track, 0, &note) == kAudio_ParamError)
        note.duration = .nan
        #expect(MusicTrackNewMIDINoteEvent(track, 0, &note) == kAudio_ParamError)
        note.duration = 1
        #expect(MusicTrackNewMIDINoteEvent(tempo, 0, &note) == kAudioToolboxErr_InvalidEventType)
        var message = MIDIChannelMessage(status: 0x20, data1: 0, data2: 0, reserved: 0)
        #expect(MusicTrackNewMIDIChannelEvent(track, 0, &message) == kAudio_ParamError)
        var long = MIDIRawData(length: 1 << 30, data: 0)
        #expect(MusicTrackNewMIDIRawDataEvent(track, 0, &long) == kAudio_ParamError)
        #expect(try beats().isEmpty)
        #expect(try beats(tempo) == [0])
        #expect(MusicTrackMoveEvents(track, 2, 1, 1) == kAudio_ParamError)
        #expect(MusicTrackCut(track, .nan, 1) == kAudio_ParamError)
    }

    @Test("Ranges up to the end of the track are moved, cut, copied and merged")
    func ranges() throws {
        var other: MusicTrack?
        MusicSequenceNewTrack(sequence, &other)
        let target = try #require(other)
        for beat in 0..<4 { add(60, Double(beat)) }
        #expect(MusicTrackMerge(track, 1, kMusicTimeStamp_EndOfTrack, target, 10) == noErr)
        #expect(try beats(target) == [10, 11, 12])
        #expect(MusicTrackCopyInsert(track, 0, 2, target, 11) == noErr)
        #expect(try beats(target) == [10, 11, 12, 13, 14])
        #expect(MusicTrackCut(target, 11, 13) == noErr)
        #expect(try beats(target) == [10, 11, 12])
        #expect(MusicTrackClear(target, 11, 12) == noErr)
        #expect(MusicTrackMoveEvents(target, 12, kMusicTimeStamp_EndOfTrack, 0.5) == noErr)
        #expect(try beats(target) == [10, 12.5])
    }

    @Test("Properties are set and read, with their sizes")
    func properties() throws {
        func set<Value: BitwiseCopyable>(
            _ id: UInt32, _ value: Value, _ size: Int = MemoryLayout<Value>.size
        ) -> OSStatus {
            var value = value
            return MusicTrackSetProperty(track, id, &value, UInt32(size))
        }
        func get<Value: BitwiseCopyable>(_ id: UInt32, _ value: Value, of other: MusicTrack? = nil) -> Value? {
            var value = value, size = UInt32(MemoryLayout<Value>.size)
            return MusicTrackGetProperty(other ?? track, id, &value, &size) == noErr ? value : nil
        }
        add(60, 2, 1.5)
        #expect(get(kSequenceTrackProperty_TrackLength, 0.0) == 3.5)
        #expect(set(kSequenceTrackProperty_TrackLength, 8.0) == noErr)
        #expect(get(kSequenceTrackProperty_TrackLength, 0.0) == 8)
        let loop = MusicTrackLoopInfo(loopDuration: 4, numberOfLoops: 3)
        #expect(get(kSequenceTrackProperty_LoopInfo, loop)?.loopDuration == 0)
        #expect(set(kSequenceTrackProperty_LoopInfo, loop) == noErr)
        #expect(get(kSequenceTrackProperty_LoopInfo, MusicTrackLoopInfo()) == loop)
        #expect(
            set(kSequenceTrackProperty_LoopInfo, MusicTrackLoopInfo(loopDuration: -1, numberOfLoops: 0))
                == kAudio_ParamError)
        #expect(set(kSequenceTrackProperty_OffsetTime, 1.25) == noErr)
        #expect(get(kSequenceTrackProperty_OffsetTime, 0.0) == 1.25)
        #expect(
            set(kSequenceTrackProperty_MuteStatus, true) == noErr
                && get(kSequenceTrackProperty_MuteStatus, false) == true)
        #expect(
            set(kSequenceTrackProperty_SoloStatus, true) == noErr
                && get(kSequenceTrackProperty_SoloStatus, false) == true)
        #expect(set(kSequenceTrackProperty_OffsetTime, 1.25, 4) == kAudio_ParamError)
        #expect(set(99, 1.25) == kAudio_ParamError)
        #expect(get(kSequenceTrackProperty_TimeResolution, Int16(0), of: tempo) == 480)
        #expect(get(kSequenceTrackProperty_TimeResolution, Int16(0)) == nil)
        var endpoint: MIDIEndpointRef = 0
        #expect(MusicTrackGetDestMIDIEndpoint(track, &endpoint) == kAudioToolboxErr_IllegalTrackDestination)
        #expect(MusicTrackSetDestMIDIEndpoint(track, 77) == noErr)
        #expect(MusicTrackGetDestMIDIEndpoint(track, &endpoint) == noErr && endpoint == 77)
    }

    @Test("Seconds, bars and SMPTE resolutions")
    func times() throws {
        MusicTrackNewExtendedTempoEvent(tempo, 0, 60)
        MusicTrackNewExtendedTempoEvent(tempo, 4, 120)
        var meter = [0x58, 0, 0, 0, 4, 0, 0, 0, 3, 2, 24, 8] as [UInt8]
        let status = meter.withUnsafeMutableBytes {
            MusicTrackNewMetaEvent(tempo, 8, $0.baseAddress!.assumingMemoryBound(to: MIDIMetaEvent.self))
        }
        #expect(status == noErr)
        var value = 0.0
        #expect(MusicSequenceGetSecondsForBeats(sequence, 6, &value) == noErr && value == 5)
        #expect(MusicSequenceGetBeatsForSeconds(sequence, 5, &value) == noErr && value == 6)
        var time = CABarBeatTime()
        #expect(MusicSequenceBeatsToBarBeatTime(sequence, 12.25, 480, &time) == noErr)
        #expect(time == CABarBeatTime(bar: 4, beat: 2, subbeat: 120, subbeatDivisor: 480, reserved: 0))
        #expect(MusicSequenceBarBeatTimeToBeats(sequence, &time, &value) == noErr && value == 12.25)
        #expect(MusicSequenceBeatsToBarBeatTime(sequence, 1, 0, &time) == kAudio_ParamError)
        var frames: Int8 = 0, ticks: UInt8 = 0
        #expect(MusicSequenceSetSMPTEResolution(25, 40) == -6360)
        MusicSequenceGetSMPTEResolution(-6360, &frames, &ticks)
        #expect(frames == -25 && ticks == 40)
        var type = MusicSequenceType.samples
        #expect(MusicSequenceGetSequenceType(sequence, &type) == noErr && type == .beats)
        #expect(MusicSequenceSetSequenceType(sequence, .seconds) == noErr)
        #expect(MusicSequenceGetSecondsForBeats(sequence, 6, &value) == noErr && value == 6)
    }

    @Test("Written to memory and disk, and read again")
    func files() throws {
        for beat in 0..<4 { add(UInt8(60 + beat), Double(beat)) }
        MusicTrackNewExtendedTempoEvent(tempo, 0, 100)
        var data: Unmanaged<CFData>?
        #expect(MusicSequenceFileCreateData(sequence, .midiType, [], 0, &data) == noErr)
        let bytes = try #require(data).takeRetainedValue()
        var second: MusicSequence?, count: UInt32 = 0, found: MusicTrack?
        NewMusicSequence(&second)
        let copy = try #require(second)
        #expect(MusicSequenceFileLoadData(copy, bytes, .anyType, []) == noErr)
        #expect(MusicSequenceGetTrackCount(copy, &count) == noErr && count == 1)
        MusicSequenceGetIndTrack(copy, 0, &found)
        #expect(try beats(found) == [0, 1, 2, 3])
        let info = MusicSequenceGetInfoDictionary(copy)
        #expect(Double(info["tempo"] as? String ?? "") == 100)
        #expect(info["approximate duration in seconds"] as? String == "2.4")
        let url =
            FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-\(UUID().uuidString).mid") as NSURL
        defer { try? FileManager.default.removeItem(at: url as URL) }
        #expect(MusicSequenceFileCreate(sequence, url, .midiType, [], 960) == noErr)
        #expect(MusicSequenceFileCreate(sequence, url, .midiType, [], 960) == -54)
        #expect(MusicSequenceFileCreate(sequence, url, .midiType, .eraseFile, 960) == noErr)
        #expect(MusicSequenceFileLoad(copy, url, .midiType, .smf_ChannelsToTracks) == noErr)
        #expect(MusicSequenceFileLoad(copy, url, .iMelodyType, []) == kAudioToolboxErr_InvalidSequenceType)
        #expect(
            MusicSequenceFileLoadData(copy, Data("no".utf8) as NSData, .anyType, [])
                == kAudioToolboxErr_InvalidSequenceType)
        #expect(MusicSequenceFileLoad(copy, NSURL(fileURLWithPath: "/nowhere.mid"), .anyType, []) == -43)
    }

    @Test("A player without an engine follows the machine's clock and calls back")
    func player() throws {
        var made: MusicPlayer?, found: MusicSequence?, beat = 9.0, rate = 0.0, host: UInt64 = 1
        NewMusicPlayer(&made)
        let player = try #require(made)
        #expect(MusicPlayerStart(player) == kAudioToolboxErr_NoSequence)
        #expect(MusicPlayerGetSequence(player, &found) == kAudioToolboxErr_NoSequence && found == nil)
        #expect(MusicPlayerSetSequence(player, sequence) == noErr)
        #expect(MusicPlayerGetSequence(player, &found) == noErr && found == sequence)
        var user: [UInt8] = [3, 0, 0, 0, 7, 8, 9]
        user.withUnsafeMutableBytes {
            _ = MusicTrackNewUserEvent(track, 10.01, $0.baseAddress!.assumingMemoryBound(to: MusicEventUserData.self))
        }
        let heard = Shared<[Double]>([]), gate = Gate()
        MusicSequenceSetUserCallback(
            sequence,
            { _, _, _, beat, data, _, _ in
                heard.change { $0 += [beat, Double(data.pointee.length)] }
                gate.open()
            }, nil)
        #expect(MusicPlayerSetTime(player, 10) == noErr)
        #expect(MusicPlayerSetPlayRateScalar(player, 2) == noErr)
        #expect(MusicPlayerGetPlayRateScalar(player, &rate) == noErr && rate == 2)
        #expect(MusicPlayerSetPlayRateScalar(player, 0) == kAudio_ParamError)
        #expect(MusicPlayerGetHostTimeForBeats(player, 1, &host) == kAudioToolboxErr_InvalidPlayerState)
        #expect(MusicPlayerPreroll(player) == noErr)
        #expect(MusicPlayerStart(player) == noErr)
        var flag = DarwinBoolean(false)
        #expect(MusicPlayerIsPlaying(player, &flag) == noErr && flag.boolValue)
        #expect(MusicPlayerSetSequence(player, nil) == kAudioToolboxErr_InvalidPlayerState)
        #expect(gate.wait())
        #expect(heard.value == [10.01, 3])
        // Two hundred beats later are 50 s of the clock.
        var first: UInt64 = 0
        MusicPlayerGetHostTimeForBeats(player, 10, &first)
        #expect(MusicPlayerGetHostTimeForBeats(player, 210, &host) == noErr && host - first == 50_000_000_000)
        #expect(MusicPlayerGetBeatsForHostTime(player, host, &beat) == noErr && abs(beat - 210) < 1e-4)
        #expect(MusicPlayerStop(player) == noErr)
        #expect(MusicPlayerGetTime(player, &beat) == noErr && beat >= 10.01)
        #expect(DisposeMusicPlayer(player) == noErr && DisposeMusicPlayer(player) == kAudio_ParamError)
    }
}
