/// A stream of MIDI 1.0 bytes as messages of the MIDI 1.0 protocol in Universal MIDI Packets (M2-104-UM, D.1). Feed
/// it piece by piece.
package struct ByteStreamToPackets: Sendable {
    /// Where the messages go: 0...15.
    package let group: UInt8
    private var parser = ByteStreamParser()
    /// Bytes of a system exclusive message that wait for the sixth.
    private var waiting: [UInt8] = []
    /// Whether the waiting bytes begin the message.
    private var begins = true
    /// What was malformed since the start, newest last; at most `mostFaults`.
    package private(set) var faults: [MIDIPacketFault] = []
    /// More are counted and not kept.
    package static let mostFaults = 64
    /// All that was malformed.
    package private(set) var faultCount = 0

    package init(group: UInt8 = 0) { self.group = group & 0xF }

    /// The words of the messages that are whole now. Of a system exclusive message that continues, all but up to six
    /// bytes come out at once, the rest with its next bytes.
    package mutating func words(of bytes: some Sequence<UInt8>) -> [UInt32] {
        var words: [UInt32] = []
        for item in parser.parse(bytes) {
            switch item {
            case .message(let status, let data1, let data2):
                message(status, data1, data2).append(to: &words)
            case .sysEx(let piece, let starts, let ends):
                if starts {
                    waiting.removeAll()
                    begins = true
                }
                waiting += piece
                giveOut(ends: ends, &words)
            case .fault(let kind, _):
                faultCount += 1
                if faults.count < ByteStreamToPackets.mostFaults { faults.append(kind) }
            }
        }
        return words
    }

    private func message(_ status: UInt8, _ data1: UInt8, _ data2: UInt8) -> UniversalMessage {
        status >= 0xF0
            ? .system(status, group: group, data1: data1, data2: data2)
            : .voice1(status >> 4, group: group, channel: status & 0xF, data1: data1, data2: data2)
    }

    /// Six bytes to a packet. The last ones wait until it is known whether the message ends with them.
    private mutating func giveOut(ends: Bool, _ words: inout [UInt32]) {
        var position = 0
        while waiting.count - position > 6 {
            piece(waiting[position..<position + 6], ends: false, &words)
            position += 6
        }
        waiting.removeFirst(position)
        guard ends else { return }
        piece(waiting[...], ends: true, &words)
        waiting.removeAll()
    }

    private mutating func piece(_ bytes: ArraySlice<UInt8>, ends: Bool, _ words: inout [UInt32]) {
        UniversalMessage.sysEx7(SysExPart(begins: begins, ends: ends), group: group, bytes: bytes).append(to: &words)
        begins = ends
    }
}
