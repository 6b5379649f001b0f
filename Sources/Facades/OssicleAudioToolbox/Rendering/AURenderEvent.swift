// One event of a unit's list, whichever kind it is.

/// An event: one of four structures in the same memory, of which `head.eventType` tells which holds. As large as the largest.
public struct AURenderEvent: BitwiseCopyable, @unchecked Sendable {
    private var memory: AUMIDIEventList

    /// An event of no kind and no effect.
    public init() {
        memory = AUMIDIEventList(next: nil, eventSampleTime: 0, eventType: .MIDI, reserved: 0, cable: 0, eventList: MIDIEventList())
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
