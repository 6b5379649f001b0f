// Walking through the packets of a list.

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
