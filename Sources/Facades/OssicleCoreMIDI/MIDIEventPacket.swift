// MIDI messages with one time, as the words of the Universal MIDI Packet format.

import CMIDIPackets

/// The head of a packet: `timeStamp`, `wordCount` and `words`, laid out as Core MIDI lays them out in C.
public typealias MIDIEventPacket = CMIDIPackets.MIDIEventPacket

extension MIDIEventPacket {
    /// Bytes before the words.
    static let headSize = 12
    /// Most words of a packet.
    static let largestCount = 64
}

/// The packet that follows `pkt` in its list. A count above 64 is taken as 64.
public func MIDIEventPacketNext(_ pkt: UnsafePointer<MIDIEventPacket>) -> UnsafeMutablePointer<MIDIEventPacket> {
    let words = min(Int(pkt.pointee.wordCount), MIDIEventPacket.largestCount)
    return (UnsafeMutableRawPointer(mutating: pkt) + MIDIEventPacket.headSize + 4 * words).assumingMemoryBound(to: MIDIEventPacket.self)
}
