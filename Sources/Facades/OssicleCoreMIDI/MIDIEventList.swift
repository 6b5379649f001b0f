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
    return (UnsafeMutableRawPointer(mutating: pkt) + MIDIEventPacket.headSize + 4 * words).assumingMemoryBound(
        to: MIDIEventPacket.self)
}

/// The head of a list of packets: `protocol`, `numPackets` and the first `packet`. Further packets follow in memory;
/// reach them by `MIDIEventPacketNext(_:)`.
public typealias MIDIEventList = CMIDIPackets.MIDIEventList

extension MIDIEventList {
    /// Bytes before the first packet.
    static let headSize = 8
    /// No list is larger.
    static let largestSize = 65_536
}

/// Makes `evtlist` an empty list and returns the place of its first packet.
@discardableResult
public func MIDIEventListInit(
    _ evtlist: UnsafeMutablePointer<MIDIEventList>, _ protocol: MIDIProtocolID
) -> UnsafeMutablePointer<MIDIEventPacket> {
    evtlist.pointee.protocol = `protocol`
    evtlist.pointee.numPackets = 0
    return (UnsafeMutableRawPointer(evtlist) + MIDIEventList.headSize).assumingMemoryBound(to: MIDIEventPacket.self)
}

/// Adds `wordCount` words at `time` behind `curPacket`, the result of the call before, and returns the packet they went
/// to. Messages of the same time share a packet of at most 64 words. `listSize` is the size of the list's memory in
/// bytes, of which 65 536 are used. Where the words do not fit, the list stays as it is and the result is `curPacket`.
@discardableResult
public func MIDIEventListAdd(
    _ evtlist: UnsafeMutablePointer<MIDIEventList>, _ listSize: Int, _ curPacket: UnsafeMutablePointer<MIDIEventPacket>,
    _ time: MIDITimeStamp, _ wordCount: Int, _ words: UnsafePointer<UInt32>
) -> UnsafeMutablePointer<MIDIEventPacket> {
    let message = UnsafeBufferPointer(start: words, count: max(wordCount, 0))
    return evtlist.add(message, at: time, behind: curPacket, size: listSize) ?? curPacket
}

extension UnsafeMutablePointer where Pointee == MIDIEventList {
    /// As `MIDIEventListAdd`; `nil` where the words do not fit.
    func add(
        _ words: UnsafeBufferPointer<UInt32>, at time: MIDITimeStamp,
        behind current: UnsafeMutablePointer<MIDIEventPacket>,
        size: Int
    ) -> UnsafeMutablePointer<MIDIEventPacket>? {
        guard let source = words.baseAddress, !words.isEmpty, words.count <= MIDIEventPacket.largestCount else {
            return nil
        }
        let memory = UnsafeMutableRawPointer(self)
        let end = memory + Swift.min(Swift.max(size, 0), MIDIEventList.largestSize)
        guard UnsafeMutableRawPointer(current) > memory,
            UnsafeMutableRawPointer(current) + MIDIEventPacket.headSize <= end
        else { return nil }
        let isEmpty = pointee.numPackets == 0
        let joins =
            !isEmpty && current.pointee.timeStamp == time
            && Int(current.pointee.wordCount) + words.count <= MIDIEventPacket.largestCount
        let target = isEmpty || joins ? current : MIDIEventPacketNext(current)
        let before = joins ? Int(target.pointee.wordCount) : 0
        let place = UnsafeMutableRawPointer(target) + MIDIEventPacket.headSize + 4 * before
        guard place + 4 * words.count <= end else { return nil }
        if !joins {
            target.pointee.timeStamp = time
            pointee.numPackets += 1
        }
        target.pointee.wordCount = UInt32(before + words.count)
        place.copyMemory(from: source, byteCount: 4 * words.count)
        return target
    }
}

extension MIDIEventList {
    /// The packets of a list in memory, as pointers that live as long as the list does.
    public struct UnsafeSequence: Sequence {
        fileprivate let list: UnsafePointer<MIDIEventList>

        /// Number of packets.
        public var count: Int { Int(list.pointee.numPackets) }

        /// Starts at the first packet.
        public func makeIterator() -> Iterator {
            Iterator(
                left: count,
                upcoming: (UnsafeRawPointer(list) + MIDIEventList.headSize).assumingMemoryBound(
                    to: MIDIEventPacket.self))
        }

        /// Goes from packet to packet.
        public struct Iterator: IteratorProtocol {
            fileprivate var left: Int
            fileprivate var upcoming: UnsafePointer<MIDIEventPacket>

            /// The next packet, `nil` behind the last.
            public mutating func next() -> UnsafePointer<MIDIEventPacket>? {
                guard left > 0 else { return nil }
                left -= 1
                defer { if left > 0 { upcoming = UnsafePointer(MIDIEventPacketNext(upcoming)) } }
                return upcoming
            }
        }
    }
}

extension UnsafePointer where Pointee == MIDIEventList {
    /// The packets of the list.
    public func unsafeSequence() -> MIDIEventList.UnsafeSequence { MIDIEventList.UnsafeSequence(list: self) }
}
