// MIDI 1.0 messages with one time, as bytes.

/// The head of a packet: time, number of bytes, and the first of them. Longer contents run on in memory; packets lie one behind
/// the other in a `MIDIPacketList`, each at a multiple of four bytes.
public struct MIDIPacket: BitwiseCopyable, Sendable {
    private var packedTime: PackedTime
    /// Number of valid bytes, which may exceed 256 in a list that has the room.
    public var length: UInt16
    /// The bytes: whole messages, or a part of one system exclusive message. No running status.
    public var data: MIDIPacketBytes
    private var padding: UInt16 = 0

    /// Host time at which the messages apply; 0 means now.
    public var timeStamp: MIDITimeStamp {
        get { packedTime.time }
        set { packedTime = PackedTime(newValue) }
    }

    /// An empty packet.
    public init() { self.init(timeStamp: 0, length: 0, data: zeroed(MIDIPacketBytes.self)) }

    /// A packet of `length` bytes of `data`.
    public init(timeStamp: MIDITimeStamp, length: UInt16, data: MIDIPacketBytes) {
        packedTime = PackedTime(timeStamp)
        self.length = length
        self.data = data
    }

    /// Bytes before the contents.
    static let headSize = 10
}

/// The packet that follows `pkt` in its list: at the next multiple of four bytes, on every processor.
public func MIDIPacketNext(_ pkt: UnsafePointer<MIDIPacket>) -> UnsafeMutablePointer<MIDIPacket> {
    let end = UnsafeMutableRawPointer(mutating: pkt) + MIDIPacket.headSize + Int(pkt.pointee.length)
    return end.alignedUp(toMultipleOf: 4).assumingMemoryBound(to: MIDIPacket.self)
}

extension UnsafePointer where Pointee == MIDIPacket {
    /// The contents, however long; they live as long as the list does.
    var contents: UnsafePointer<UInt8> {
        (UnsafeRawPointer(self) + MIDIPacket.headSize).assumingMemoryBound(to: UInt8.self)
    }

    /// Whether the packet holds whole channel or system messages, which others may join; system exclusive data stands alone.
    var takesCompany: Bool { pointee.length > 0 && isStatusOfWholeMessage(contents.pointee) }
}

/// Whether `byte` begins a message other than a system exclusive one.
func isStatusOfWholeMessage(_ byte: UInt8) -> Bool {
    byte >= 0x80 && byte != 0xF0 && byte != 0xF7
}
