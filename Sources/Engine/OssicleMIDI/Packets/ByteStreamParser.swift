import OssicleCore

/// What is wrong with MIDI bytes or words. The stream continues behind it.
package enum MIDIPacketFault: FaultKind {
    /// A data byte without a status before it.
    case strayData
    /// A status byte that MIDI 1.0 does not define.
    case undefinedStatus
    /// A message that another one cuts off.
    case cutOff
    /// The end of a system exclusive message that did not begin.
    case strayEnd
}

/// Bytes of MIDI 1.0 as messages, however they are cut into pieces.
///
/// Running status applies to channel voice messages and ends with a system common or exclusive message. Real-time
/// messages may stand between any two bytes. What makes no sense is reported as a fault and left out; the parser
/// allocates nothing beyond what it returns, and no input is too long for it.
package struct ByteStreamParser: Sendable {
    /// One thing found in the stream.
    package enum Item: Hashable, Sendable {
        /// A whole message other than a system exclusive one; bytes it does not have are 0.
        case message(status: UInt8, data1: UInt8, data2: UInt8)
        /// Some of the bytes of a system exclusive message, without F0 and F7. A message may end in a piece without
        /// bytes.
        case sysEx([UInt8], begins: Bool, ends: Bool)
        /// Something malformed, at a byte of this value.
        case fault(MIDIPacketFault, UInt8)
    }

    /// Of the message that is being read; 0 where none is. A running status stays.
    private var status: UInt8 = 0
    private var first: UInt8?
    private var sysEx: [UInt8] = []
    private var isInSysEx = false
    /// Whether a piece of the system exclusive message was already given out.
    private var hasGivenOut = false

    package init() {}

    /// Takes the next piece of the stream. What is there of a system exclusive message is given out with each piece.
    package mutating func parse(_ bytes: some Sequence<UInt8>) -> [Item] {
        var items: [Item] = []
        for byte in bytes { take(byte, &items) }
        if isInSysEx, !sysEx.isEmpty { giveOut(ends: false, &items) }
        return items
    }

    /// Forgets a message that is under way, and the running status.
    package mutating func reset() { self = ByteStreamParser() }

    private mutating func take(_ byte: UInt8, _ items: inout [Item]) {
        switch byte {
        case 0xF8...0xFF: takeRealTime(byte, &items)
        case 0xF7: takeEnd(&items)
        case 0x80...: begin(byte, &items)
        default: takeData(byte, &items)
        }
    }

    private mutating func takeRealTime(_ byte: UInt8, _ items: inout [Item]) {
        guard byte != 0xF9, byte != 0xFD else { return items.append(.fault(.undefinedStatus, byte)) }
        if isInSysEx, !sysEx.isEmpty { giveOut(ends: false, &items) }
        items.append(.message(status: byte, data1: 0, data2: 0))
    }

    private mutating func takeEnd(_ items: inout [Item]) {
        guard isInSysEx else {
            cutOff(by: 0xF7, &items)
            status = 0
            return items.append(.fault(.strayEnd, 0xF7))
        }
        giveOut(ends: true, &items)
        isInSysEx = false
    }

    private mutating func begin(_ byte: UInt8, _ items: inout [Item]) {
        cutOff(by: byte, &items)
        status = byte
        switch byte {
        case 0xF0:
            status = 0
            (isInSysEx, hasGivenOut) = (true, false)
        case 0xF4, 0xF5:
            status = 0
            items.append(.fault(.undefinedStatus, byte))
        case 0xF6: finish(0, 0, &items)
        default: break
        }
    }

    /// Ends what is under way: a system exclusive message is closed, so that receivers do not wait for more of it.
    private mutating func cutOff(by byte: UInt8, _ items: inout [Item]) {
        if isInSysEx {
            items.append(.fault(.cutOff, byte))
            giveOut(ends: true, &items)
            isInSysEx = false
        } else if first != nil || status >= 0xF0 {
            items.append(.fault(.cutOff, byte))
        }
        first = nil
    }

    private mutating func takeData(_ byte: UInt8, _ items: inout [Item]) {
        if isInSysEx {
            sysEx.append(byte)
            return
        }
        switch (ByteStreamParser.dataCount(of: status), first) {
        case (0, _): items.append(.fault(.strayData, byte))
        case (1, _): finish(byte, 0, &items)
        case (_, let known?): finish(known, byte, &items)
        case (_, nil): first = byte
        }
    }

    private mutating func finish(_ data1: UInt8, _ data2: UInt8, _ items: inout [Item]) {
        items.append(.message(status: status, data1: data1, data2: data2))
        first = nil
        if status >= 0xF0 { status = 0 }
    }

    private mutating func giveOut(ends: Bool, _ items: inout [Item]) {
        items.append(.sysEx(sysEx, begins: !hasGivenOut, ends: ends))
        hasGivenOut = true
        sysEx.removeAll(keepingCapacity: true)
    }

    /// Data bytes behind a status; 0 where none may follow.
    package static func dataCount(of status: UInt8) -> Int {
        switch status {
        case 0x80...0xEF: VoiceStatus(rawValue: status >> 4)?.dataCount ?? 0
        case 0xF1, 0xF3: 1
        case 0xF2: 2
        default: 0
        }
    }
}
