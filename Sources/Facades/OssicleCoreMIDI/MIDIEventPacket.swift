// MIDI messages with one time, as the words of the Universal MIDI Packet format.

/// The head of a packet: time, number of words, and the words. Packets lie one behind the other in a `MIDIEventList`.
public struct MIDIEventPacket: BitwiseCopyable, Sendable {
    private var packedTime: PackedTime
    /// Number of valid words, at most 64.
    public var wordCount: UInt32
    /// The words: whole messages.
    public var words: MIDIEventPacketWords

    /// Host time at which the messages apply; 0 means now.
    public var timeStamp: MIDITimeStamp {
        get { packedTime.time }
        set { packedTime = PackedTime(newValue) }
    }

    /// An empty packet.
    public init() { self.init(timeStamp: 0, wordCount: 0, words: zeroed(MIDIEventPacketWords.self)) }

    /// A packet of `wordCount` of `words`.
    public init(timeStamp: MIDITimeStamp, wordCount: UInt32, words: MIDIEventPacketWords) {
        packedTime = PackedTime(timeStamp)
        self.wordCount = wordCount
        self.words = words
    }

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
