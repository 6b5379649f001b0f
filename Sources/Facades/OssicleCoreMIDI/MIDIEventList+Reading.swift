// Walking through the packets of a list.

extension MIDIEventList {
    /// The packets of a list in memory, as pointers that live as long as the list does.
    public struct UnsafeSequence: Sequence {
        fileprivate let list: UnsafePointer<MIDIEventList>

        /// Number of packets.
        public var count: Int { Int(list.pointee.numPackets) }

        /// Starts at the first packet.
        public func makeIterator() -> Iterator {
            Iterator(left: count, upcoming: (UnsafeRawPointer(list) + MIDIEventList.headSize).assumingMemoryBound(to: MIDIEventPacket.self))
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
