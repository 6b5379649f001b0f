// Putting a packet or a list of packets together without pointers.

extension MIDIEventList {
    /// Owns the memory of a list and fills it.
    public final class Builder {
        private let memory: UnsafeMutableRawBufferPointer
        private let list: UnsafeMutablePointer<MIDIEventList>
        private let protocolID: MIDIProtocolID
        private var current: UnsafeMutablePointer<MIDIEventPacket>

        /// An empty list of messages of `inProtocol` with room for `wordSize` words, heads included; at least one
        /// packet, at most 16 384 words.
        public init(inProtocol: MIDIProtocolID, wordSize: Int) {
            let bytes = 4 * min(max(wordSize, 0), MIDIEventList.largestSize / 4)
            (memory, list) = makeListMemory(of: MIDIEventList.self, size: max(bytes, MemoryLayout<MIDIEventList>.size))
            protocolID = inProtocol
            current = MIDIEventListInit(list, inProtocol)
        }

        deinit { memory.deallocate() }

        /// Number of packets.
        public var count: Int { Int(list.pointee.numPackets) }

        /// Adds words at `timestamp`; returns their packet, or `nil` where they do not fit.
        @discardableResult
        public func append(timestamp: MIDITimeStamp, words: [UInt32]) -> UnsafePointer<MIDIEventPacket>? {
            guard
                let packet = words.withUnsafeBufferPointer({
                    list.add($0, at: timestamp, behind: current, size: memory.count)
                })
            else { return nil }
            current = packet
            return UnsafePointer(packet)
        }

        /// Removes all packets.
        public func clear() { current = MIDIEventListInit(list, protocolID) }

        /// Calls `body` with the list, which is valid until the next change.
        public func withUnsafePointer<R>(_ body: (UnsafePointer<MIDIEventList>) -> R) -> R { body(UnsafePointer(list)) }
    }
}

extension MIDIEventPacket {
    /// Collects the words of one packet.
    public final class Builder {
        private var words: [UInt32] = []
        /// Most words it takes.
        public let capacity: Int
        /// Host time of the packet; 0 means now.
        public var timeStamp = 0

        /// An empty packet for at most `maximumNumberMIDIWords` words, 64 at most.
        public init(maximumNumberMIDIWords: Int) {
            capacity = min(max(maximumNumberMIDIWords, 0), MIDIEventPacket.largestCount)
        }

        /// Number of words.
        public var count: Int { words.count }

        /// Adds words; those beyond `capacity` are left out.
        public func append(_ words: UInt32...) { self.words += words.prefix(capacity - count) }

        /// Calls `body` with the packet.
        public func withUnsafePointer<Result>(_ body: (UnsafePointer<MIDIEventPacket>) -> Result) -> Result {
            var packet = MIDIEventPacket()
            packet.timeStamp = MIDITimeStamp(max(timeStamp, 0))
            packet.wordCount = UInt32(count)
            withUnsafeMutableBytes(of: &packet.words) { place in words.withUnsafeBytes { place.copyMemory(from: $0) } }
            return Swift.withUnsafePointer(to: packet, body)
        }
    }
}
