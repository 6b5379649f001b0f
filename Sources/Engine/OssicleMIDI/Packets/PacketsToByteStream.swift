/// Universal MIDI Packets as MIDI 1.0 bytes (M2-104-UM, D.1): messages of the MIDI 1.0 protocol, without running
/// status. Messages of MIDI 2.0 are translated before (`PacketsToMIDI1`); what bytes cannot say is counted and left
/// out.
package struct PacketsToByteStream: Sendable {
    private var toMIDI1 = PacketsToMIDI1()
    /// Which groups are within a system exclusive message, a bit each.
    private var openSysEx: UInt16 = 0
    /// Messages left out: 8-bit data, utility, flex data and stream messages, and those of MIDI 2.0 without a
    /// counterpart.
    package private(set) var untranslated = 0

    package init() {}

    /// One message as bytes; empty where there are none for it.
    package mutating func bytes(of message: UniversalMessage) -> [UInt8] {
        var bytes: [UInt8] = []
        let messages = toMIDI1.translate(message)
        if messages.isEmpty { untranslated += 1 }
        for translated in messages { write(translated, to: &bytes) }
        return bytes
    }

    package mutating func bytes(of words: [UInt32]) -> [UInt8] {
        var bytes: [UInt8] = []
        for message in UniversalMessages(words) { bytes += self.bytes(of: message) }
        return bytes
    }

    private mutating func write(_ message: UniversalMessage, to bytes: inout [UInt8]) {
        switch message.type {
        case .system?, .channelVoice1?:
            let status = message.status
            guard isDefined(status, message.type == .system) else { return untranslated += 1 }
            bytes.append(status)
            let count = ByteStreamParser.dataCount(of: status)
            if count > 0 { bytes.append(message.byte2 & 0x7F) }
            if count > 1 { bytes.append(message.byte3 & 0x7F) }
        case .sysEx7?: writeSysEx(message, to: &bytes)
        default: untranslated += 1
        }
    }

    private func isDefined(_ status: UInt8, _ isSystem: Bool) -> Bool {
        isSystem
            ? status > 0xF0 && ![0xF4, 0xF5, 0xF7, 0xF9, 0xFD].contains(status)
            : (0x80...0xEF).contains(status)
    }

    /// A message that begins within another, or goes on without a beginning, is malformed: the one is closed, the other
    /// left out.
    private mutating func writeSysEx(_ message: UniversalMessage, to bytes: inout [UInt8]) {
        guard let part = message.sysExPart else { return untranslated += 1 }
        let bit = UInt16(1) << UInt16(message.group)
        let isOpen = openSysEx & bit != 0
        guard part.begins || isOpen else { return untranslated += 1 }
        if part.begins {
            if isOpen { bytes.append(0xF7) }
            bytes.append(0xF0)
        }
        bytes += message.sysExBytes.map { $0 & 0x7F }
        if part.ends { bytes.append(0xF7) }
        openSysEx = part.ends ? openSysEx & ~bit : openSysEx | bit
    }
}
