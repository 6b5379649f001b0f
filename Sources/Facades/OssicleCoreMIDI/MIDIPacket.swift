// MIDI 1.0 messages with one time, as bytes.

import CMIDIPackets

/// The head of a packet: `timeStamp`, `length`, and the first bytes as `data`, laid out as Core MIDI lays them out in C.
public typealias MIDIPacket = CMIDIPackets.MIDIPacket

extension MIDIPacket {
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
