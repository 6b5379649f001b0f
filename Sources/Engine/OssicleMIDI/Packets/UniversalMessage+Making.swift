// Messages from their fields. Fields beyond their bits are cut to them, so that no argument spoils a neighbour.

extension UniversalMessage {
    /// A channel voice message of MIDI 1.0. - Parameter status: 0x8...0xE.
    package static func voice1(
        _ status: UInt8, group: UInt8, channel: UInt8, data1: UInt8, data2: UInt8
    ) -> UniversalMessage {
        UniversalMessage(
            head(.channelVoice1, group) | UInt32(status & 0xF) << 20 | UInt32(channel & 0xF) << 16
                | UInt32(data1 & 0x7F) << 8 | UInt32(data2 & 0x7F))
    }

    /// A system common or real-time message. - Parameter status: 0xF1...0xFF.
    package static func system(_ status: UInt8, group: UInt8, data1: UInt8, data2: UInt8) -> UniversalMessage {
        UniversalMessage(
            head(.system, group) | UInt32(status) << 16 | UInt32(data1 & 0x7F) << 8 | UInt32(data2 & 0x7F))
    }

    /// A channel voice message of MIDI 2.0.
    /// - Parameters:
    ///   - status: 0x0...0xF.
    ///   - index: what it is about: note and attribute type, controller, bank and index.
    ///   - value: the second word.
    package static func voice2(
        _ status: UInt8, group: UInt8, channel: UInt8, index: UInt16, value: UInt32
    ) -> UniversalMessage {
        UniversalMessage(
            head(.channelVoice2, group) | UInt32(status & 0xF) << 20 | UInt32(channel & 0xF) << 16 | UInt32(index),
            value)
    }

    package static func voice2(
        _ status: VoiceStatus, group: UInt8, channel: UInt8, index: UInt16, value: UInt32
    ) -> UniversalMessage {
        voice2(status.rawValue, group: group, channel: channel, index: index, value: value)
    }

    /// A piece of a system exclusive message of 7-bit bytes. - Parameter bytes: the first six are taken.
    package static func sysEx7(
        _ part: SysExPart, group: UInt8, bytes: some Collection<UInt8>
    ) -> UniversalMessage {
        var data = SIMD8<UInt8>(repeating: 0)
        for (index, byte) in bytes.prefix(6).enumerated() { data[index] = byte & 0x7F }
        let count = UInt32(Swift.min(bytes.count, 6))
        return UniversalMessage(
            head(.sysEx7, group) | UInt32(part.rawValue) << 20 | count << 16 | UInt32(data[0]) << 8 | UInt32(data[1]),
            word(data[2], data[3], data[4], data[5]))
    }

    /// A piece of a system exclusive message of 8-bit bytes. - Parameter bytes: the first thirteen are taken.
    package static func sysEx8(
        _ part: SysExPart, group: UInt8, stream: UInt8, bytes: some Collection<UInt8>
    ) -> UniversalMessage {
        var data = SIMD16<UInt8>(repeating: 0)
        for (index, byte) in bytes.prefix(13).enumerated() { data[index] = byte }
        let count = UInt32(Swift.min(bytes.count, 13) + 1)
        return UniversalMessage(
            head(.data128, group) | UInt32(part.rawValue) << 20 | count << 16 | UInt32(stream) << 8 | UInt32(data[0]),
            word(data[1], data[2], data[3], data[4]), word(data[5], data[6], data[7], data[8]),
            word(data[9], data[10], data[11], data[12]))
    }

    private static func head(_ type: UniversalMessageType, _ group: UInt8) -> UInt32 {
        UInt32(type.rawValue) << 28 | UInt32(group & 0xF) << 24
    }

    private static func word(_ byte0: UInt8, _ byte1: UInt8, _ byte2: UInt8, _ byte3: UInt8) -> UInt32 {
        UInt32(byte0) << 24 | UInt32(byte1) << 16 | UInt32(byte2) << 8 | UInt32(byte3)
    }
}

/// Which piece of a system exclusive message a packet is.
package enum SysExPart: UInt8, Sendable, CaseIterable {
    case complete = 0
    case start = 1
    case middle = 2
    case end = 3

    /// The piece that has the message's beginning or not, and its end or not.
    package init(begins: Bool, ends: Bool) {
        self = begins ? (ends ? .complete : .start) : (ends ? .end : .middle)
    }

    package var begins: Bool { self == .complete || self == .start }
    package var ends: Bool { self == .complete || self == .end }
}

extension UniversalMessage {
    /// Which piece of a system exclusive message this is; `nil` for other kinds, and for mixed data sets.
    package var sysExPart: SysExPart? {
        guard type == .sysEx7 || type == .data128 else { return nil }
        return SysExPart(rawValue: UInt8(words[0] >> 20 & 0xF))
    }

    /// The bytes of a piece of a system exclusive message, without the stream identifier; a count that does not fit is
    /// cut.
    package var sysExBytes: [UInt8] {
        let stated = Int(words[0] >> 16 & 0xF)
        let (first, most) = type == .sysEx7 ? (2, 6) : (3, 13)
        let count = Swift.min(type == .sysEx7 ? stated : Swift.max(stated - 1, 0), most)
        return (first..<first + count).map { UInt8(truncatingIfNeeded: words[$0 / 4] >> UInt32(24 - 8 * ($0 % 4))) }
    }
}
