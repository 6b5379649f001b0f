// One event of a unit's list, whichever kind it is.

/// An event: one of four structures in the same memory, of which `head.eventType` tells which holds. As large as the
/// largest.
public struct AURenderEvent: BitwiseCopyable, @unchecked Sendable {
    private var memory: AUMIDIEventList

    /// An event of no kind and no effect.
    public init() {
        memory = AUMIDIEventList(
            next: nil, eventSampleTime: 0, eventType: .MIDI, reserved: 0, cable: 0, eventList: MIDIEventList())
    }

    /// An event of which only the head is set.
    public init(head: AURenderEventHeader) {
        self.init()
        self.head = head
    }

    /// A change of a parameter.
    public init(parameter: AUParameterEvent) {
        self.init()
        self.parameter = parameter
    }

    /// A MIDI 1.0 message.
    public init(MIDI: AUMIDIEvent) {
        self.init()
        self.MIDI = MIDI
    }

    /// A list of Universal MIDI messages.
    public init(MIDIEventsList: AUMIDIEventList) {
        memory = MIDIEventsList
    }

    /// The fields common to all kinds.
    public var head: AURenderEventHeader {
        get { read() }
        set { write(newValue) }
    }

    /// The event as a change of a parameter.
    public var parameter: AUParameterEvent {
        get { read() }
        set { write(newValue) }
    }

    /// The event as a MIDI 1.0 message.
    public var MIDI: AUMIDIEvent {
        get { read() }
        set { write(newValue) }
    }

    /// The event as a list of Universal MIDI messages.
    public var MIDIEventsList: AUMIDIEventList {
        get { memory }
        set { memory = newValue }
    }

    private func read<Kind: BitwiseCopyable>() -> Kind {
        withUnsafeBytes(of: memory) { $0.load(as: Kind.self) }
    }

    private mutating func write<Kind: BitwiseCopyable>(_ kind: Kind) {
        withUnsafeMutableBytes(of: &memory) { $0.storeBytes(of: kind, as: Kind.self) }
    }
}

/// Kind of a render event.
public enum AURenderEventType: UInt8, Sendable {
    /// A parameter steps to a value.
    case parameter = 1
    /// A parameter moves to a value in a straight line.
    case parameterRamp = 2
    /// A MIDI 1.0 message of up to three bytes.
    case MIDI = 8
    /// A system exclusive message.
    case midiSysEx = 9
    /// A list of Universal MIDI messages.
    case midiEventList = 10
}

/// The number of a kind, as it lies in memory.
struct PackedEventType: BitwiseCopyable, Sendable {
    private var number: UInt8

    init(_ type: AURenderEventType) { number = type.rawValue }

    /// A number that is none of the kinds is taken for a MIDI message, which a zeroed event makes one of no bytes.
    var type: AURenderEventType { AURenderEventType(rawValue: number) ?? .MIDI }
}

/// What all events have in common.
public struct AURenderEventHeader: BitwiseCopyable, @unchecked Sendable {
    /// The event after this one; `nil` behind the last.
    public var next: UnsafeMutablePointer<AURenderEvent>?
    /// Frame at which it takes effect.
    public var eventSampleTime: AUEventSampleTime
    private var packedType: PackedEventType
    /// Always 0.
    public var reserved: UInt8

    /// Kind of the event.
    public var eventType: AURenderEventType {
        get { packedType.type }
        set { packedType = PackedEventType(newValue) }
    }

    /// A head with every field given.
    public init(
        next: UnsafeMutablePointer<AURenderEvent>?, eventSampleTime: AUEventSampleTime, eventType: AURenderEventType,
        reserved: UInt8
    ) {
        self.next = next
        self.eventSampleTime = eventSampleTime
        packedType = PackedEventType(eventType)
        self.reserved = reserved
    }
}

/// A parameter changes.
public struct AUParameterEvent: BitwiseCopyable, @unchecked Sendable {
    /// The event after this one; `nil` behind the last.
    public var next: UnsafeMutablePointer<AURenderEvent>?
    /// Frame at which the change begins.
    public var eventSampleTime: AUEventSampleTime
    private var packedType: PackedEventType
    /// Always 0.
    public var reserved: (UInt8, UInt8, UInt8)
    /// Frames until the value is reached; 0 for a step.
    public var rampDurationSampleFrames: AUAudioFrameCount
    /// Which parameter.
    public var parameterAddress: AUParameterAddress
    /// Its new value.
    public var value: AUValue

    /// `.parameter` or `.parameterRamp`.
    public var eventType: AURenderEventType {
        get { packedType.type }
        set { packedType = PackedEventType(newValue) }
    }

    /// An event with every field given.
    public init(
        next: UnsafeMutablePointer<AURenderEvent>?, eventSampleTime: AUEventSampleTime, eventType: AURenderEventType,
        reserved: (UInt8, UInt8, UInt8), rampDurationSampleFrames: AUAudioFrameCount,
        parameterAddress: AUParameterAddress, value: AUValue
    ) {
        self.next = next
        self.eventSampleTime = eventSampleTime
        packedType = PackedEventType(eventType)
        self.reserved = reserved
        self.rampDurationSampleFrames = rampDurationSampleFrames
        self.parameterAddress = parameterAddress
        self.value = value
    }
}

/// A MIDI 1.0 message. System exclusive data is longer and runs on in memory.
public struct AUMIDIEvent: BitwiseCopyable, @unchecked Sendable {
    /// The event after this one; `nil` behind the last.
    public var next: UnsafeMutablePointer<AURenderEvent>?
    /// Frame at which it takes effect.
    public var eventSampleTime: AUEventSampleTime
    private var packedType: PackedEventType
    /// Always 0.
    public var reserved: UInt8
    /// Number of bytes.
    public var length: UInt16
    /// Cable it came by.
    public var cable: UInt8
    /// The first bytes.
    public var data: (UInt8, UInt8, UInt8)

    /// `.MIDI` or `.midiSysEx`.
    public var eventType: AURenderEventType {
        get { packedType.type }
        set { packedType = PackedEventType(newValue) }
    }

    /// An event with every field given.
    public init(
        next: UnsafeMutablePointer<AURenderEvent>?, eventSampleTime: AUEventSampleTime, eventType: AURenderEventType,
        reserved: UInt8,
        length: UInt16, cable: UInt8, data: (UInt8, UInt8, UInt8)
    ) {
        self.next = next
        self.eventSampleTime = eventSampleTime
        packedType = PackedEventType(eventType)
        self.reserved = reserved
        self.length = length
        self.cable = cable
        self.data = data
    }
}

/// A list of Universal MIDI messages.
public struct AUMIDIEventList: BitwiseCopyable, @unchecked Sendable {
    /// The event after this one; `nil` behind the last.
    public var next: UnsafeMutablePointer<AURenderEvent>?
    /// Frame at which it takes effect.
    public var eventSampleTime: AUEventSampleTime
    private var packedType: PackedEventType
    /// Always 0.
    public var reserved: UInt8
    /// Cable it came by.
    public var cable: UInt8
    /// The messages.
    public var eventList: MIDIEventList

    /// `.midiEventList`.
    public var eventType: AURenderEventType {
        get { packedType.type }
        set { packedType = PackedEventType(newValue) }
    }

    /// An event with every field given.
    public init(
        next: UnsafeMutablePointer<AURenderEvent>?, eventSampleTime: AUEventSampleTime, eventType: AURenderEventType,
        reserved: UInt8,
        cable: UInt8, eventList: MIDIEventList
    ) {
        self.next = next
        self.eventSampleTime = eventSampleTime
        packedType = PackedEventType(eventType)
        self.reserved = reserved
        self.cable = cable
        self.eventList = eventList
    }
}
