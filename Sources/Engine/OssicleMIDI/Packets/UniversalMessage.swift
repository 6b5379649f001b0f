/// The kinds of messages of the Universal MIDI Packet format (M2-104-UM, 2.1.4), by the first four bits of a message.
/// Kinds without a case are reserved; their sizes are known.
package enum UniversalMessageType: UInt8, Sendable, CaseIterable {
    /// Jitter reduction and clocks of clips; one word. Without a group.
    case utility = 0x0
    /// System common and real-time messages of MIDI 1.0; one word.
    case system = 0x1
    /// Channel voice messages of MIDI 1.0; one word.
    case channelVoice1 = 0x2
    /// Up to six 7-bit bytes of system exclusive data; two words.
    case sysEx7 = 0x3
    /// Channel voice messages of MIDI 2.0; two words.
    case channelVoice2 = 0x4
    /// Up to thirteen 8-bit bytes of system exclusive data, and mixed data sets; four words.
    case data128 = 0x5
    /// Tempo, meter, lyrics; four words.
    case flexData = 0xD
    /// Messages about the endpoint; four words. Without a group.
    case stream = 0xF

    /// Of the message that begins with `word`; `nil` for a reserved one.
    package init?(of word: UInt32) { self.init(rawValue: UInt8(word >> 28)) }

    /// Words of the message that begins with `word`: 1...4, reserved kinds included.
    package static func wordCount(of word: UInt32) -> Int { counts[Int(word >> 28)] }

    private static let counts = [1, 1, 1, 2, 2, 4, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4]

    /// Whether messages of this kind have a group, in the second four bits.
    package var hasGroup: Bool { self != .utility && self != .stream }
}

/// What the second four bits of a status say in channel voice messages of MIDI 1.0 and 2.0.
package enum VoiceStatus: UInt8, Sendable, CaseIterable {
    case registeredPerNote = 0x0
    case assignablePerNote = 0x1
    case registeredController = 0x2
    case assignableController = 0x3
    case relativeRegisteredController = 0x4
    case relativeAssignableController = 0x5
    case perNotePitchBend = 0x6
    case noteOff = 0x8
    case noteOn = 0x9
    case polyPressure = 0xA
    case controlChange = 0xB
    case programChange = 0xC
    case channelPressure = 0xD
    case pitchBend = 0xE
    case perNoteManagement = 0xF

    /// Bytes behind the status of the MIDI 1.0 message; `nil` for what only MIDI 2.0 has.
    package var dataCount: Int? {
        switch self {
        case .noteOff, .noteOn, .polyPressure, .controlChange, .pitchBend: 2
        case .programChange, .channelPressure: 1
        default: nil
        }
    }
}

/// One message of one to four words, which carries them in place.
package struct UniversalMessage: Hashable, Sendable {
    package let words: SIMD4<UInt32>

    /// Words beyond `count` of the kind are 0.
    package init(_ word0: UInt32, _ word1: UInt32 = 0, _ word2: UInt32 = 0, _ word3: UInt32 = 0) {
        words = SIMD4(word0, word1, word2, word3)
    }

    /// 1...4.
    package var count: Int { UniversalMessageType.wordCount(of: words[0]) }
    package var type: UniversalMessageType? { UniversalMessageType(of: words[0]) }
    /// 0...15. What a utility or stream message has there is something else.
    package var group: UInt8 { UInt8(words[0] >> 24 & 0xF) }
    /// The whole status byte of a system or channel message.
    package var status: UInt8 { UInt8(words[0] >> 16 & 0xFF) }
    /// 0...15, of a channel voice message.
    package var channel: UInt8 { UInt8(words[0] >> 16 & 0xF) }
    /// Of a channel voice message; `nil` for reserved ones.
    package var voice: VoiceStatus? { VoiceStatus(rawValue: UInt8(words[0] >> 20 & 0xF)) }
    /// The third and fourth byte: note and velocity, controller and value, bank and index.
    package var byte2: UInt8 { UInt8(words[0] >> 8 & 0xFF) }
    package var byte3: UInt8 { UInt8(words[0] & 0xFF) }

    /// The same message for another group; a kind without groups stays as it is.
    package func moved(to group: UInt8) -> UniversalMessage {
        guard type?.hasGroup != false else { return self }
        return UniversalMessage(words[0] & 0xF0FF_FFFF | UInt32(group & 0xF) << 24, words[1], words[2], words[3])
    }

    /// Adds the message's words to `list`.
    package func append(to list: inout [UInt32]) { for index in 0..<count { list.append(words[index]) } }
}

/// Splits words into whole messages. What is left of a message that is cut off is reported and not passed on.
package struct UniversalMessages: Sequence, IteratorProtocol {
    private let words: [UInt32]
    private var position = 0

    package init(_ words: [UInt32]) { self.words = words }

    /// Words at the end that are no whole message; 0 in what a well-behaved sender made.
    package var leftover: Int {
        var copy = self
        while copy.next() != nil {}
        return words.count - copy.position
    }

    package mutating func next() -> UniversalMessage? {
        guard position < words.count else { return nil }
        let count = UniversalMessageType.wordCount(of: words[position])
        guard position + count <= words.count else { return nil }
        defer { position += count }
        func word(_ index: Int) -> UInt32 { index < count ? words[position + index] : 0 }
        return UniversalMessage(word(0), word(1), word(2), word(3))
    }
}
