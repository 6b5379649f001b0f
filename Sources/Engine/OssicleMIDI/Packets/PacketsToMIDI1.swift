/// Messages of MIDI 2.0 as those of MIDI 1.0 (M2-104-UM, D.2). What is neither passes unchanged, but for what the MIDI
/// 1.0 protocol does not carry.
package struct PacketsToMIDI1: Sendable {
    package init() {}

    /// The messages of the MIDI 1.0 protocol that mean the same; none where there is no counterpart: per-note
    /// messages and relative controllers.
    package func translate(_ message: UniversalMessage) -> [UniversalMessage] {
        guard message.type == .channelVoice2 else { return [message] }
        guard let voice = message.voice else { return [] }
        let value = message.words[1]
        switch voice {
        case .noteOff: return [short(message, voice, message.byte2, UInt8(value >> 25))]
        // Velocity 0 would mean the note's end.
        case .noteOn: return [short(message, voice, message.byte2, max(UInt8(value >> 25), 1))]
        case .polyPressure, .controlChange: return [short(message, voice, message.byte2, UInt8(value >> 25))]
        case .channelPressure: return [short(message, voice, UInt8(value >> 25), 0)]
        case .pitchBend: return [short(message, voice, UInt8(value >> 18 & 0x7F), UInt8(value >> 25))]
        case .programChange: return program(message)
        case .registeredController: return parameter(message, select: (101, 100))
        case .assignableController: return parameter(message, select: (99, 98))
        case .registeredPerNote, .assignablePerNote, .relativeRegisteredController, .relativeAssignableController,
            .perNotePitchBend, .perNoteManagement:
            return []
        }
    }

    private func short(
        _ message: UniversalMessage, _ voice: VoiceStatus, _ data1: UInt8, _ data2: UInt8
    ) -> UniversalMessage {
        .voice1(voice.rawValue, group: message.group, channel: message.channel, data1: data1, data2: data2)
    }

    private func control(_ message: UniversalMessage, _ number: UInt8, _ value: UInt8) -> UniversalMessage {
        short(message, .controlChange, number, value)
    }

    private func program(_ message: UniversalMessage) -> [UniversalMessage] {
        let value = message.words[1]
        let change = short(message, .programChange, UInt8(value >> 24 & 0x7F), 0)
        guard message.byte3 & 1 != 0 else { return [change] }
        return [
            control(message, 0, UInt8(value >> 8 & 0x7F)), control(message, 32, UInt8(value & 0x7F)), change,
        ]
    }

    private func parameter(_ message: UniversalMessage, select: (UInt8, UInt8)) -> [UniversalMessage] {
        let value = message.words[1]
        return [
            control(message, select.0, message.byte2), control(message, select.1, message.byte3),
            control(message, 6, UInt8(value >> 25)), control(message, 38, UInt8(value >> 18 & 0x7F)),
        ]
    }
}
