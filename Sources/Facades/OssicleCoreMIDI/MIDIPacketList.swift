// MIDI 1.0 messages with one time, as bytes.

import CMIDIPackets

/// The head of a packet: `timeStamp`, `length`, and the first bytes as `data`, laid out as Core MIDI lays them out in
/// C.
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

    /// Whether the packet holds whole channel or system messages, which others may join; system exclusive data stands
    /// alone.
    var takesCompany: Bool { pointee.length > 0 && isStatusOfWholeMessage(contents.pointee) }
}

/// Whether `byte` begins a message other than a system exclusive one.
func isStatusOfWholeMessage(_ byte: UInt8) -> Bool {
    byte >= 0x80 && byte != 0xF0 && byte != 0xF7
}

/// The head of a list of packets: `numPackets` and the first `packet`. Further packets follow in memory; reach them by
/// `MIDIPacketNext(_:)`.
public typealias MIDIPacketList = CMIDIPackets.MIDIPacketList

extension MIDIPacketList {
    /// No list is larger.
    static let largestSize = 65_536
}

/// Makes `pktlist` an empty list and returns the place of its first packet.
@discardableResult
public func MIDIPacketListInit(_ pktlist: UnsafeMutablePointer<MIDIPacketList>) -> UnsafeMutablePointer<MIDIPacket> {
    pktlist.pointee.numPackets = 0
    return (UnsafeMutableRawPointer(pktlist) + 4).assumingMemoryBound(to: MIDIPacket.self)
}

/// Adds `nData` bytes at `time` behind `curPacket`, the result of the call before, and returns the packet they went to.
/// Messages of the same time share a packet; system exclusive data has one of its own. `listSize` is the size of the
/// list's memory in bytes, of which 65 536 are used. Where the bytes do not fit, the list stays as it is and the result
/// is `curPacket`.
@discardableResult
public func MIDIPacketListAdd(
    _ pktlist: UnsafeMutablePointer<MIDIPacketList>, _ listSize: Int, _ curPacket: UnsafeMutablePointer<MIDIPacket>,
    _ time: MIDITimeStamp, _ nData: Int, _ data: UnsafePointer<UInt8>
) -> UnsafeMutablePointer<MIDIPacket> {
    let bytes = UnsafeBufferPointer(start: data, count: max(nData, 0))
    return pktlist.add(bytes, at: time, behind: curPacket, size: listSize) ?? curPacket
}

extension UnsafeMutablePointer where Pointee == MIDIPacketList {
    /// As `MIDIPacketListAdd`; `nil` where the bytes do not fit.
    func add(
        _ bytes: UnsafeBufferPointer<UInt8>, at time: MIDITimeStamp, behind current: UnsafeMutablePointer<MIDIPacket>,
        size: Int
    ) -> UnsafeMutablePointer<MIDIPacket>? {
        guard let first = bytes.first, bytes.count <= Int(UInt16.max) else { return nil }
        let memory = UnsafeMutableRawPointer(self)
        let end = memory + Swift.min(Swift.max(size, 0), MIDIPacketList.largestSize)
        guard UnsafeMutableRawPointer(current) > memory, UnsafeMutableRawPointer(current) + MIDIPacket.headSize <= end
        else { return nil }
        let isEmpty = pointee.numPackets == 0
        let joins =
            !isEmpty && current.pointee.timeStamp == time && UnsafePointer(current).takesCompany
            && isStatusOfWholeMessage(first)
        let target = isEmpty || joins ? current : MIDIPacketNext(current)
        let before = joins ? Int(target.pointee.length) : 0
        let place = UnsafeMutableRawPointer(target) + MIDIPacket.headSize + before
        guard before + bytes.count <= Int(UInt16.max), place + bytes.count <= end else { return nil }
        if !joins {
            target.pointee.timeStamp = time
            pointee.numPackets += 1
        }
        target.pointee.length = UInt16(before + bytes.count)
        place.copyMemory(
            from: UnsafeRawPointer(bytes.baseAddress ?? UnsafePointer(place.assumingMemoryBound(to: UInt8.self))),
            byteCount: bytes.count)
        return target
    }
}

extension MIDIPacketList {
    /// The packets of a list in memory, as pointers that live as long as the list does.
    public struct UnsafeSequence: Sequence {
        fileprivate let list: UnsafePointer<MIDIPacketList>

        /// Number of packets.
        public var count: Int { Int(list.pointee.numPackets) }

        /// Starts at the first packet.
        public func makeIterator() -> Iterator {
            Iterator(left: count, upcoming: (UnsafeRawPointer(list) + 4).assumingMemoryBound(to: MIDIPacket.self))
        }

        /// Goes from packet to packet.
        public struct Iterator: IteratorProtocol {
            fileprivate var left: Int
            fileprivate var upcoming: UnsafePointer<MIDIPacket>

            /// The next packet, `nil` behind the last.
            public mutating func next() -> UnsafePointer<MIDIPacket>? {
                guard left > 0 else { return nil }
                left -= 1
                defer { if left > 0 { upcoming = UnsafePointer(MIDIPacketNext(upcoming)) } }
                return upcoming
            }
        }
    }
}

extension UnsafePointer where Pointee == MIDIPacketList {
    /// The packets of the list.
    public func unsafeSequence() -> MIDIPacketList.UnsafeSequence { MIDIPacketList.UnsafeSequence(list: self) }
}
