// The events of tracks that are MIDI.

import OssicleAudioToolbox
import OssicleMIDI

/// A number cut to a MIDI value.
private func seven(_ value: UInt32) -> UInt8 { UInt8(min(value, 127)) }

/// A note with its length. A velocity of 0 ends a note and begins none.
open class AVMIDINoteEvent: AVMusicEvent {
    /// 0 … 15.
    open var channel: UInt32
    /// 0 … 127.
    open var key: UInt32
    /// 0 … 127.
    open var velocity: UInt32
    /// Beats, 0 or more.
    open var duration: AVMusicTimeStamp
    private var releaseVelocity: UInt8 = 0
    override var kind: TrackEvent.Kind? {
        .note(
            TrackEvent.Note(
                channel: UInt8(min(channel, 15)), key: seven(key), velocity: seven(velocity),
                releaseVelocity: releaseVelocity, duration: duration))
    }

    /// A note; values above their range are taken as its end.
    public init(channel: UInt32, key keyNum: UInt32, velocity: UInt32, duration: AVMusicTimeStamp) {
        self.channel = channel
        key = keyNum
        self.velocity = velocity
        self.duration = duration
    }

    convenience init(
        channel: UInt32, key: UInt32, velocity: UInt32, duration: AVMusicTimeStamp, releaseVelocity: UInt8
    ) {
        self.init(channel: channel, key: key, velocity: velocity, duration: duration)
        self.releaseVelocity = releaseVelocity
    }
}

/// A note whose pitch and velocity may be fractions. Instruments that are played by MIDI get them rounded.
open class AVExtendedNoteOnEvent: AVMusicEvent {
    /// The group's instrument plays.
    open class var defaultInstrument: UInt32 { kMusicNoteEvent_UseGroupInstrument }
    /// MIDI note, with a fraction.
    open var midiNote: Float
    /// 0 … 127, with a fraction.
    open var velocity: Float
    /// The instrument's number.
    open var instrumentID: UInt32
    /// The group; its lowest four bits are the MIDI channel.
    open var groupID: UInt32
    /// Beats, 0 or more.
    open var duration: AVMusicTimeStamp
    override var kind: TrackEvent.Kind? {
        .extendedNote(
            TrackEvent.ExtendedNote(
                instrument: instrumentID, group: groupID, duration: duration, pitch: midiNote, velocity: velocity))
    }

    /// A note of the group's instrument.
    public convenience init(midiNote: Float, velocity: Float, groupID: UInt32, duration: AVMusicTimeStamp) {
        self.init(
            midiNote: midiNote, velocity: velocity, instrumentID: Self.defaultInstrument, groupID: groupID,
            duration: duration)
    }

    /// A note with every field given.
    public init(
        midiNote: Float, velocity: Float, instrumentID: UInt32, groupID: UInt32, duration: AVMusicTimeStamp
    ) {
        self.midiNote = midiNote
        self.velocity = velocity
        self.instrumentID = instrumentID
        self.groupID = groupID
        self.duration = duration
    }
}

/// A channel message.
open class AVMIDIChannelEvent: AVMusicEvent {
    /// 0 … 15.
    open var channel: UInt32
    /// Kind and data; `nil` for a class of the client's own.
    var message: (status: UInt8, data1: UInt8, data2: UInt8)? { nil }
    override var kind: TrackEvent.Kind? {
        message.map { .channel(status: $0.status | UInt8(min(channel, 15)), data1: $0.data1, data2: $0.data2) }
    }

    init(_ channel: UInt32) { self.channel = channel }

    static func make(_ status: UInt8, _ data1: UInt8, _ data2: UInt8) -> AVMusicEvent {
        let channel = UInt32(status & 15), value = UInt32(data2)
        switch status & 0xF0 {
        case 0xA0: return AVMIDIPolyPressureEvent(channel: channel, key: UInt32(data1), pressure: value)
        case 0xB0:
            guard let type = AVMIDIControlChangeEvent.MessageType(rawValue: Int(data1)) else { break }
            return AVMIDIControlChangeEvent(channel: channel, messageType: type, value: value)
        case 0xC0: return AVMIDIProgramChangeEvent(channel: channel, programNumber: UInt32(data1))
        case 0xD0: return AVMIDIChannelPressureEvent(channel: channel, pressure: UInt32(data1))
        case 0xE0: return AVMIDIPitchBendEvent(channel: channel, value: UInt32(data1) | value << 7)
        default: break
        }
        return OtherChannelEvent(status, data1, data2)
    }
}

/// A channel message that no class stands for: a controller without a name, a bare note.
final class OtherChannelEvent: AVMIDIChannelEvent {
    private let own: (status: UInt8, data1: UInt8, data2: UInt8)
    override var message: (status: UInt8, data1: UInt8, data2: UInt8)? { own }

    init(_ status: UInt8, _ data1: UInt8, _ data2: UInt8) {
        own = (status & 0xF0, data1, data2)
        super.init(UInt32(status & 15))
    }
}

/// Pressure on one key.
open class AVMIDIPolyPressureEvent: AVMIDIChannelEvent {
    /// 0 … 127.
    open var key: UInt32
    /// 0 … 127.
    open var pressure: UInt32
    override var message: (status: UInt8, data1: UInt8, data2: UInt8)? { (0xA0, seven(key), seven(pressure)) }

    /// Pressure on a key of a channel.
    public init(channel: UInt32, key: UInt32, pressure: UInt32) {
        (self.key, self.pressure) = (key, pressure)
        super.init(channel)
    }
}

/// Another sound for a channel.
open class AVMIDIProgramChangeEvent: AVMIDIChannelEvent {
    /// 0 … 127.
    open var programNumber: UInt32
    override var message: (status: UInt8, data1: UInt8, data2: UInt8)? { (0xC0, seven(programNumber), 0) }

    /// A sound for a channel.
    public init(channel: UInt32, programNumber: UInt32) {
        self.programNumber = programNumber
        super.init(channel)
    }
}

/// Pressure on all keys of a channel.
open class AVMIDIChannelPressureEvent: AVMIDIChannelEvent {
    /// 0 … 127.
    open var pressure: UInt32
    override var message: (status: UInt8, data1: UInt8, data2: UInt8)? { (0xD0, seven(pressure), 0) }

    /// Pressure on a channel.
    public init(channel: UInt32, pressure: UInt32) {
        self.pressure = pressure
        super.init(channel)
    }
}

/// Bent pitch of a channel.
open class AVMIDIPitchBendEvent: AVMIDIChannelEvent {
    /// 0 … 16383, 8192 for none.
    open var value: UInt32
    override var message: (status: UInt8, data1: UInt8, data2: UInt8)? {
        let value = min(value, 16_383)
        return (0xE0, UInt8(value & 127), UInt8(value >> 7))
    }

    /// A bend of a channel.
    public init(channel: UInt32, value: UInt32) {
        self.value = value
        super.init(channel)
    }
}

/// A system exclusive message, or other bytes that are sent as they are.
open class AVMIDISysexEvent: AVMusicEvent {
    let data: Data
    override var kind: TrackEvent.Kind? { .raw(Array(data)) }

    /// A message with 0xF0 and 0xF7.
    public init(data: Data) { self.data = data }

    /// Number of bytes.
    open var sizeInBytes: UInt32 { UInt32(clamping: data.count) }
}

/// What MIDI files have besides messages. Tempi, time signatures and SMPTE offsets belong to the tempo track.
open class AVMIDIMetaEvent: AVMusicEvent {
    /// Kind of the event.
    public let type: EventType
    let data: Data
    override var kind: TrackEvent.Kind? {
        let bytes = Array(data), number = bytes.prefix(3).reduce(0) { $0 << 8 | Int($1) }
        if type == .tempo, bytes.count >= 3, number > 0 { return .tempo(6e7 / Double(number)) }
        return .meta(type: UInt8(type.rawValue), data: bytes)
    }

    /// An event of a kind with its bytes, as a file has them.
    public init(type: AVMIDIMetaEvent.EventType, data: Data) { (self.type, self.data) = (type, data) }

    /// Kind of a meta event.
    public enum EventType: Int, Sendable {
        /// A number for the sequence.
        case sequenceNumber = 0x00
        /// Any text.
        case text = 0x01
        /// The rights.
        case copyright = 0x02
        /// Name of the sequence or track.
        case trackName = 0x03
        /// What is played on.
        case instrument = 0x04
        /// A syllable that is sung.
        case lyric = 0x05
        /// A place in the music.
        case marker = 0x06
        /// Something that happens meanwhile.
        case cuePoint = 0x07
        /// The channel of the meta events that follow.
        case midiChannel = 0x20
        /// The port of the events that follow.
        case midiPort = 0x21
        /// End of the track.
        case endOfTrack = 0x2F
        /// Microseconds of a quarter note, in three bytes.
        case tempo = 0x51
        /// The SMPTE time at which the track begins.
        case smpteOffset = 0x54
        /// Numerator, power of the denominator, clocks of a click, and 32nds of a quarter note.
        case timeSignature = 0x58
        /// Sharps, and 1 for minor.
        case keySignature = 0x59
        /// Of one maker's programs.
        case proprietaryEvent = 0x7F
    }
}
