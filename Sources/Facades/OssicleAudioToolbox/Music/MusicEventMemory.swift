// Events between a track and the client's memory.

import OssicleMIDI
import OssicleProperties

extension TrackEvent.Kind {
    /// Bytes that are believed behind a head in the client's memory.
    private static let longest = 16 << 20

    /// The event of a kind that lies in the client's memory. `kAudioToolboxErr_InvalidEventType` for another kind,
    /// `kAudio_ParamError` for a length that cannot be.
    init(_ type: MusicEventType, _ memory: UnsafeRawPointer) throws(StatusError) {
        switch type {
        case kMusicEventType_MIDINoteMessage:
            let note = memory.loadUnaligned(as: MIDINoteMessage.self)
            self = .note(
                TrackEvent.Note(
                    channel: note.channel, key: note.note, velocity: note.velocity,
                    releaseVelocity: note.releaseVelocity, duration: Double(note.duration)))
        case kMusicEventType_MIDIChannelMessage:
            let message = memory.loadUnaligned(as: MIDIChannelMessage.self)
            self = .channel(status: message.status, data1: message.data1 & 127, data2: message.data2 & 127)
        case kMusicEventType_MIDIRawData: self = .raw(try Self.tail(memory, count: 0, data: 4))
        case kMusicEventType_User: self = .user(try Self.tail(memory, count: 0, data: 4))
        case kMusicEventType_Meta:
            self = .meta(
                type: memory.loadUnaligned(as: UInt8.self) & 127, data: try Self.tail(memory, count: 4, data: 8))
        case kMusicEventType_ExtendedNote: self = .extendedNote(try Self.extendedNote(memory))
        case kMusicEventType_ExtendedTempo: self = .tempo(memory.loadUnaligned(as: ExtendedTempoEvent.self).bpm)
        case kMusicEventType_Parameter:
            let event = memory.loadUnaligned(as: ParameterEvent.self)
            self = .parameter(
                TrackEvent.Parameter(
                    id: event.parameterID, scope: event.scope, element: event.element, value: event.value))
        case kMusicEventType_AUPreset:
            let event = memory.assumingMemoryBound(to: AUPresetEvent.self).pointee
            self = .preset(
                scope: event.scope, element: event.element, PresetReference(event.preset.takeUnretainedValue()))
        default: throw StatusError(kAudioToolboxErr_InvalidEventType)
        }
        // Files and players know tempi by one kind of event.
        if case .meta(0x51, let data) = self, let tempo = Self.tempo(data) { self = .tempo(tempo) }
    }

    private static func tempo(_ data: [UInt8]) -> Double? {
        let microseconds = data.prefix(3).reduce(0) { $0 << 8 | Int($1) }
        return data.count >= 3 && microseconds > 0 ? 6e7 / Double(microseconds) : nil
    }

    private static func tail(_ memory: UnsafeRawPointer, count: Int, data: Int) throws(StatusError) -> [UInt8] {
        let length = Int(memory.loadUnaligned(fromByteOffset: count, as: UInt32.self))
        guard length <= longest else { throw StatusError(kAudio_ParamError) }
        return Array(UnsafeRawBufferPointer(start: memory + data, count: length))
    }

    private static func extendedNote(_ memory: UnsafeRawPointer) throws(StatusError) -> TrackEvent.ExtendedNote {
        func read<Value: BitwiseCopyable>(_ offset: Int, as type: Value.Type) -> Value {
            memory.loadUnaligned(fromByteOffset: offset, as: type)
        }
        let count = max(Int(read(12, as: UInt32.self)) - 2, 0)
        guard count <= 1024 else { throw StatusError(kAudio_ParamError) }
        return TrackEvent.ExtendedNote(
            instrument: read(0, as: UInt32.self), group: read(4, as: UInt32.self),
            duration: Double(read(8, as: Float.self)), pitch: read(16, as: Float.self),
            velocity: read(20, as: Float.self),
            controls: (0..<count).map {
                TrackEvent.ExtendedNote.Control(
                    id: read(24 + 8 * $0, as: UInt32.self), value: read(28 + 8 * $0, as: Float.self))
            })
    }

    /// Kind and bytes, as the C interface gives them out. A preset's object is kept by the event.
    var memory: (type: MusicEventType, bytes: [UInt8]) {
        func head(_ value: some BitwiseCopyable) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }
        switch self {
        case .note(let note):
            return (
                kMusicEventType_MIDINoteMessage,
                head(
                    MIDINoteMessage(
                        channel: note.channel, note: note.key, velocity: note.velocity,
                        releaseVelocity: note.releaseVelocity, duration: Float(note.duration)))
            )
        case .channel(let status, let data1, let data2):
            return (kMusicEventType_MIDIChannelMessage, [status, data1, data2, 0])
        case .raw(let data): return (kMusicEventType_MIDIRawData, head(UInt32(data.count)) + data)
        case .user(let data): return (kMusicEventType_User, head(UInt32(data.count)) + data)
        case .meta(let type, let data):
            return (kMusicEventType_Meta, [type, 0, 0, 0] + head(UInt32(data.count)) + data)
        case .tempo(let tempo): return (kMusicEventType_ExtendedTempo, head(tempo))
        case .parameter(let value):
            return (
                kMusicEventType_Parameter,
                head(
                    ParameterEvent(
                        parameterID: value.id, scope: value.scope, element: value.element, value: value.value))
            )
        case .extendedNote(let note):
            let numbers = head(note.instrument) + head(note.group) + head(Float(note.duration))
            let params = head(UInt32(2 + note.controls.count)) + head(note.pitch) + head(note.velocity)
            return (
                kMusicEventType_ExtendedNote,
                note.controls.reduce(numbers + params) { $0 + head($1.id) + head($1.value) }
            )
        case .preset(let scope, let element, let preset):
            let object = UInt(bitPattern: Unmanaged.passUnretained(preset.object).toOpaque())
            return (kMusicEventType_AUPreset, head(scope) + head(element) + head(object))
        }
    }
}

/// An iterator behind a handle: the place, and the memory of the event that was given out last.
final class MusicIterator {
    static let table = HandleTable<MusicIterator>()

    private let lock = NSLock()
    private var place: EventIterator
    private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
    /// Keeps what the memory points to.
    private var given: TrackEvent.Kind?

    init(_ track: MIDITrack) { place = EventIterator(track) }

    deinit { memory.deallocate() }

    func alone<Result>(_ body: (inout EventIterator) throws(StatusError) -> Result) throws(StatusError) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&place)
    }

    /// The event at the place, in memory that stays until the next call or the iterator's end.
    func give() throws(StatusError) -> (beat: Double, type: MusicEventType, bytes: UnsafeRawBufferPointer) {
        lock.lock()
        defer { lock.unlock() }
        guard let event = place.current else { throw StatusError(kAudioToolboxErr_EndOfTrack) }
        let (type, bytes) = event.kind.memory
        if bytes.count > memory.count {
            memory.deallocate()
            memory = .allocate(byteCount: bytes.count, alignment: 16)
        }
        memory.copyBytes(from: bytes)
        given = event.kind
        return (event.beat, type, UnsafeRawBufferPointer(rebasing: memory[0..<bytes.count]))
    }
}

extension StatusError {
    /// Runs what concerns a sequence and gives its errors their status.
    static func sequence<Result>(_ body: () throws(SequenceError) -> Result) throws(StatusError) -> Result {
        do { return try body() } catch { throw StatusError(error.kind.status) }
    }

    /// Runs what concerns a MIDI file and gives its errors their status.
    static func midiFile<Result>(_ body: () throws(MIDIFileError) -> Result) throws(StatusError) -> Result {
        do { return try body() } catch { throw StatusError(error.status) }
    }
}

/// Calls `body` with the sequence behind a handle; `kAudio_ParamError` for one that is not there.
func withSequence(_ handle: MusicSequence, _ body: (MIDISequence) throws(StatusError) -> Void) -> OSStatus {
    guard let sequence = SequenceHandles.sequences.object(of: handle) else { return kAudio_ParamError }
    return status { () throws(StatusError) in try body(sequence) }
}

/// Calls `body` with the track behind a handle; `kAudioToolboxErr_TrackNotFound` for one that is not there.
func withTrack(_ handle: MusicTrack, _ body: (MIDITrack) throws(StatusError) -> Void) -> OSStatus {
    guard let track = SequenceHandles.tracks.object(of: handle) else { return kAudioToolboxErr_TrackNotFound }
    return status { () throws(StatusError) in try body(track) }
}
