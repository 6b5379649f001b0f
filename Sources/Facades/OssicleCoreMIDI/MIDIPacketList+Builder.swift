// Putting a packet or a list of packets together without pointers.

extension MIDIPacketList {
    /// Owns the memory of a list and fills it.
    public final class Builder {
        private let memory: UnsafeMutableRawBufferPointer
        private let list: UnsafeMutablePointer<MIDIPacketList>
        private var current: UnsafeMutablePointer<MIDIPacket>

        /// An empty list with room for `byteSize` bytes, packet heads included; at least one packet, at most 65 536
        /// bytes.
        public init(byteSize: Int) {
            let size = min(max(byteSize, MemoryLayout<MIDIPacketList>.size), MIDIPacketList.largestSize)
            (memory, list) = makeListMemory(of: MIDIPacketList.self, size: size)
            current = MIDIPacketListInit(list)
        }

        deinit { memory.deallocate() }

        /// Number of packets.
        public var count: Int { Int(list.pointee.numPackets) }

        /// Adds bytes at `timestamp`; returns their packet, or `nil` where they do not fit.
        @discardableResult
        public func append(timestamp: MIDITimeStamp, data: [UInt8]) -> UnsafePointer<MIDIPacket>? {
            guard
                let packet = data.withUnsafeBufferPointer({
                    list.add($0, at: timestamp, behind: current, size: memory.count)
                })
            else { return nil }
            current = packet
            return UnsafePointer(packet)
        }

        /// Removes all packets.
        public func clear() { current = MIDIPacketListInit(list) }

        /// Calls `body` with the list, which is valid until the next change.
        public func withUnsafePointer<R>(_ body: (UnsafePointer<MIDIPacketList>) -> R) -> R {
            body(UnsafePointer(list))
        }
    }
}

extension MIDIPacket {
    /// Collects the bytes of one packet.
    public final class Builder {
        private var bytes: [UInt8] = []
        /// Most bytes it takes.
        public let capacity: Int
        /// Host time of the packet; 0 means now.
        public var timeStamp = 0

        /// An empty packet for at most `maximumNumberMIDIBytes` bytes, 256 at most.
        public init(maximumNumberMIDIBytes: Int) { capacity = min(max(maximumNumberMIDIBytes, 0), 256) }

        /// Number of bytes.
        public var count: Int { bytes.count }

        /// Adds bytes; those beyond `capacity` are left out.
        public func append(_ bytes: UInt8...) { self.bytes += bytes.prefix(capacity - count) }

        /// Calls `body` with the packet.
        public func withUnsafePointer<Result>(_ body: (UnsafePointer<MIDIPacket>) -> Result) -> Result {
            var packet = MIDIPacket()
            packet.timeStamp = MIDITimeStamp(max(timeStamp, 0))
            packet.length = UInt16(count)
            withUnsafeMutableBytes(of: &packet.data) { $0.copyBytes(from: bytes) }
            return Swift.withUnsafePointer(to: packet, body)
        }
    }
}

/// Zeroed memory of `size` bytes that begins with a list.
func makeListMemory<List>(of type: List.Type, size: Int) -> (UnsafeMutableRawBufferPointer, UnsafeMutablePointer<List>)
{
    let start = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<UInt64>.alignment)
    start.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    return (UnsafeMutableRawBufferPointer(start: start, count: size), start.assumingMemoryBound(to: List.self))
}
