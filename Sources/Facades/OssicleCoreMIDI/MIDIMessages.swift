// Kinds of messages in the Universal MIDI Packet format, and messages taken apart.

import OssicleCoreAudioTypes
import OssicleMIDI

/// Kind of a message, the first four bits of its first word.
public enum MIDIMessageType: UInt32, Sendable {
    /// Jitter reduction and clocks; one word.
    case utility = 0x0
    /// System common and real-time messages; one word.
    case system = 0x1
    /// Channel voice messages of MIDI 1.0; one word.
    case channelVoice1 = 0x2
    /// System exclusive data of 7 bits; two words.
    case sysEx = 0x3
    /// Channel voice messages of MIDI 2.0; two words.
    case channelVoice2 = 0x4
    /// System exclusive data of 8 bits; four words.
    case data128 = 0x5
    /// Tempo, meter, lyrics; four words.
    case flexData = 0xD
    /// Messages about the endpoint, four words; stands for reserved kinds, too.
    case unknownF = 0xF

    /// Messages about the endpoint.
    public static let stream = MIDIMessageType.unknownF
}

/// What a channel voice message says: the upper half of its status byte.
public enum MIDICVStatus: UInt32, Sendable {
    /// Registered controller of one note; MIDI 2.0.
    case registeredPNC = 0x0
    /// Assignable controller of one note; MIDI 2.0.
    case assignablePNC = 0x1
    /// Registered parameter; MIDI 2.0.
    case registeredControl = 0x2
    /// Non-registered parameter; MIDI 2.0.
    case assignableControl = 0x3
    /// Registered parameter, changed by so much; MIDI 2.0.
    case relRegisteredControl = 0x4
    /// Non-registered parameter, changed by so much; MIDI 2.0.
    case relAssignableControl = 0x5
    /// Pitch bend of one note; MIDI 2.0.
    case perNotePitchBend = 0x6
    /// The end of a note.
    case noteOff = 0x8
    /// The beginning of a note.
    case noteOn = 0x9
    /// Pressure of one key.
    case polyPressure = 0xA
    /// A controller.
    case controlChange = 0xB
    /// Another program.
    case programChange = 0xC
    /// Pressure of all keys.
    case channelPressure = 0xD
    /// Pitch bend of the channel.
    case pitchBend = 0xE
    /// Detaches or resets the controllers of a note; MIDI 2.0.
    case perNoteMgmt = 0xF
}

/// Status bytes of system messages.
public enum MIDISystemStatus: UInt32, Sendable {
    /// A system exclusive message begins.
    case startOfExclusive = 0xF0
    /// MIDI time code, a quarter frame.
    case MTC = 0xF1
    /// Position in the song, in sixteenths.
    case songPosPointer = 0xF2
    /// Another song.
    case songSelect = 0xF3
    /// Oscillators are to be tuned.
    case tuneRequest = 0xF6
    /// A system exclusive message ends.
    case endOfExclusive = 0xF7
    /// A 24th of a quarter note.
    case timingClock = 0xF8
    /// From the beginning.
    case start = 0xFA
    /// From here.
    case `continue` = 0xFB
    /// Stop.
    case stop = 0xFC
    /// The sender is there.
    case activeSending = 0xFE
    /// As after power-on.
    case systemReset = 0xFF
}

/// Which piece of a message of system exclusive data a packet is.
public enum MIDISysExStatus: UInt32, Sendable {
    /// The whole message.
    case complete = 0x0
    /// The first of several.
    case start = 0x1
    /// Between others.
    case `continue` = 0x2
    /// The last of several.
    case end = 0x3
    /// Head of a mixed data set, in 128-bit messages.
    case mixedDatasetHeader = 0x8
    /// Contents of a mixed data set, in 128-bit messages.
    case mixedDatasetPayload = 0x9
}

/// What a utility message says.
public enum MIDIUtilityStatus: UInt32, Sendable {
    /// Nothing.
    case NOOP = 0x0
    /// The sender's clock.
    case jitterReductionClock = 0x1
    /// The time of the message behind it.
    case jitterReductionTimestamp = 0x2
    /// Ticks of a quarter note in a clip.
    case deltaClockstampTicksPerQuarterNote = 0x3
    /// Ticks since the last event of a clip.
    case ticksSinceLastEvent = 0x4
}

/// What the attribute of a MIDI 2.0 note means.
public enum MIDINoteAttribute: UInt8, Sendable {
    /// There is none.
    case none = 0x0
    /// What the maker says.
    case manufacturerSpecific = 0x1
    /// What the profile says.
    case profileSpecific = 0x2
    /// The pitch, 7 bits of semitones and 9 of fraction.
    case pitch = 0x3
}

/// What happens to the controllers of a note.
public struct MIDIPerNoteManagementOptions: OptionSet, Sendable {
    /// The bits of the message.
    public let rawValue: UInt8
    /// From the bits of the message.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// They return to their defaults.
    public static let reset = MIDIPerNoteManagementOptions(rawValue: 1)
    /// Controllers of earlier notes of the number no longer follow.
    public static let detach = MIDIPerNoteManagementOptions(rawValue: 2)
}

/// Kind of the message that begins with `word`; `.unknownF` for reserved ones.
public func MIDIMessageTypeForUPWord(_ word: UInt32) -> MIDIMessageType {
    MIDIMessageType(rawValue: word >> 28) ?? .unknownF
}

/// A message of any kind, taken apart. What belongs to other kinds is 0.
public struct MIDIUniversalMessage: Sendable {
    private var kind: UInt32 = 0
    /// 0...15; 0 for kinds without groups.
    public var group: UInt8 = 0
    private var message = UniversalMessage(0)

    /// Kind of the message.
    public var type: MIDIMessageType {
        get { MIDIMessageType(rawValue: kind) ?? .unknownF }
        set { kind = newValue.rawValue }
    }

    /// A utility message that says nothing.
    public init() {}

    init(_ message: UniversalMessage) {
        self.message = message
        kind = message.words[0] >> 28
        group = message.type?.hasGroup == false ? 0 : message.group
    }

    /// Words of the message, as they were: 1...4.
    public var words: [UInt32] { (0..<message.count).map { message.words[$0] } }

    /// The status byte of a system message.
    public var systemStatus: MIDISystemStatus? {
        type == .system ? MIDISystemStatus(rawValue: UInt32(message.status)) : nil
    }

    /// What a channel voice message says.
    public var channelVoiceStatus: MIDICVStatus? {
        type == .channelVoice1 || type == .channelVoice2 ? MIDICVStatus(rawValue: message.words[0] >> 20 & 0xF) : nil
    }

    /// 0...15, of a channel voice message.
    public var channel: UInt8 { message.channel }

    /// Bytes of a piece of system exclusive data, without stream identifiers.
    public var sysExBytes: [UInt8] { message.sysExPart == nil ? [] : message.sysExBytes }
}

/// Receives a message, taken apart, with what was given to the visit and its time.
public typealias MIDIEventVisitor = (UnsafeMutableRawPointer?, MIDITimeStamp, MIDIUniversalMessage) -> Void

/// Calls `visitor` with each message of a list. A message that is cut off at the end of its packet is left out.
public func MIDIEventListForEachEvent(
    _ evtlist: UnsafePointer<MIDIEventList>?, _ visitor: MIDIEventVisitor?, _ visitorContext: UnsafeMutableRawPointer?
) {
    guard let evtlist, let visitor, case .words(let packets, _) = packets(of: evtlist) else { return }
    for packet in packets {
        for message in UniversalMessages(packet.words) {
            visitor(visitorContext, packet.time, MIDIUniversalMessage(message))
        }
    }
}
