/// Universal MIDI Packets as MIDI 1.0 bytes (M2-104-UM, D.1): messages of the MIDI 1.0 protocol, without running
/// status. Messages of MIDI 2.0 are translated before (`PacketsToMIDI1`); what bytes cannot say is counted and left
/// out.
package struct PacketsToByteStream: Sendable {
    private var toMIDI1 = PacketsToMIDI1()
    /// The group whose system exclusive message is open. Bytes cannot interleave two, nor other messages with one, but
    /// for real-time messages: what comes between ends the message.
    private var openGroup: UInt8?
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
            if status < 0xF8 { closeSysEx(&bytes) }
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

    /// A piece without a beginning is left out.
    private mutating func writeSysEx(_ message: UniversalMessage, to bytes: inout [UInt8]) {
        guard let part = message.sysExPart, part.begins || openGroup == message.group else { return untranslated += 1 }
        if part.begins {
            closeSysEx(&bytes)
            bytes.append(0xF0)
        }
        bytes += message.sysExBytes.map { $0 & 0x7F }
        openGroup = message.group
        if part.ends { closeSysEx(&bytes) }
    }

    private mutating func closeSysEx(_ bytes: inout [UInt8]) {
        if openGroup != nil { bytes.append(0xF7) }
        openGroup = nil
    }
}
