// Messages of the Universal MIDI Packet format from their fields. What has too many bits is cut.

import OssicleMIDI

/// A message of one word.
public typealias MIDIMessage_32 = UInt32

/// A message of two words.
public struct MIDIMessage_64: Hashable, Sendable {
    /// The first word.
    public var word0: UInt32
    /// The second word.
    public var word1: UInt32

    /// Zeros.
    public init() { self.init(word0: 0, word1: 0) }

    /// From its words.
    public init(word0: UInt32, word1: UInt32) {
        self.word0 = word0
        self.word1 = word1
    }

    init(_ message: UniversalMessage) { self.init(word0: message.words[0], word1: message.words[1]) }
}

/// A message of three words.
public struct MIDIMessage_96: Hashable, Sendable {
    /// The words in order.
    public var word0: UInt32 = 0, word1: UInt32 = 0, word2: UInt32 = 0
    /// Zeros.
    public init() {}
}

/// A message of four words.
public struct MIDIMessage_128: Hashable, Sendable {
    /// The words in order.
    public var word0: UInt32 = 0, word1: UInt32 = 0, word2: UInt32 = 0, word3: UInt32 = 0
    /// Zeros.
    public init() {}
}

/// A channel voice message of MIDI 1.0. `status` is 0x8...0xE; its upper half counts where it is a whole byte.
public func MIDI1UPChannelVoiceMessage(
    _ group: UInt8, _ status: UInt8, _ channel: UInt8, _ data1: UInt8, _ data2: UInt8
) -> MIDIMessage_32 {
    UniversalMessage.voice1(
        status > 0xF ? status >> 4 : status, group: group, channel: channel, data1: data1, data2: data2
    ).words[0]
}

/// The end of a note, in MIDI 1.0.
public func MIDI1UPNoteOff(
    _ group: UInt8, _ channel: UInt8, _ noteNumber: UInt8, _ velocity: UInt8
) -> MIDIMessage_32 {
    MIDI1UPChannelVoiceMessage(group, 0x8, channel, noteNumber, velocity)
}

/// The beginning of a note, in MIDI 1.0.
public func MIDI1UPNoteOn(_ group: UInt8, _ channel: UInt8, _ noteNumber: UInt8, _ velocity: UInt8) -> MIDIMessage_32 {
    MIDI1UPChannelVoiceMessage(group, 0x9, channel, noteNumber, velocity)
}

/// A controller, in MIDI 1.0.
public func MIDI1UPControlChange(_ group: UInt8, _ channel: UInt8, _ index: UInt8, _ data: UInt8) -> MIDIMessage_32 {
    MIDI1UPChannelVoiceMessage(group, 0xB, channel, index, data)
}

/// Pitch bend, in MIDI 1.0.
public func MIDI1UPPitchBend(_ group: UInt8, _ channel: UInt8, _ lsb: UInt8, _ msb: UInt8) -> MIDIMessage_32 {
    MIDI1UPChannelVoiceMessage(group, 0xE, channel, lsb, msb)
}

/// A system common or real-time message.
public func MIDI1UPSystemCommon(_ group: UInt8, _ status: UInt8, _ byte1: UInt8, _ byte2: UInt8) -> MIDIMessage_32 {
    UniversalMessage.system(status, group: group, data1: byte1, data2: byte2).words[0]
}

/// A piece of a system exclusive message of `bytesUsed` bytes, six at most.
public func MIDI1UPSysEx(
    _ group: UInt8, _ status: UInt8, _ bytesUsed: UInt8, _ byte1: UInt8, _ byte2: UInt8, _ byte3: UInt8,
    _ byte4: UInt8, _ byte5: UInt8, _ byte6: UInt8
) -> MIDIMessage_64 {
    let bytes = [byte1, byte2, byte3, byte4, byte5, byte6].prefix(Int(min(bytesUsed, 6)))
    return MIDIMessage_64(
        UniversalMessage.sysEx7(SysExPart(rawValue: status & 3) ?? .complete, group: group, bytes: bytes))
}

/// A piece of a system exclusive message from the bytes between two pointers, six at most.
public func MIDI1UPSysExArray(
    _ group: UInt8, _ status: UInt8, _ begin: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>
) -> MIDIMessage_64 {
    let bytes = UnsafeBufferPointer(start: begin, count: min(max(end - begin, 0), 6))
    return MIDIMessage_64(
        UniversalMessage.sysEx7(SysExPart(rawValue: status & 3) ?? .complete, group: group, bytes: bytes))
}

/// A channel voice message of MIDI 2.0. `status` is 0x0...0xF.
public func MIDI2ChannelVoiceMessage(
    _ group: UInt8, _ status: UInt8, _ channel: UInt8, _ index: UInt16, _ value: UInt32
) -> MIDIMessage_64 {
    MIDIMessage_64(UniversalMessage.voice2(status, group: group, channel: channel, index: index, value: value))
}

private func make(
    _ status: VoiceStatus, _ group: UInt8, _ channel: UInt8, _ high: UInt8, _ low: UInt8, _ value: UInt32
) -> MIDIMessage_64 {
    MIDI2ChannelVoiceMessage(group, status.rawValue, channel, UInt16(high & 0x7F) << 8 | UInt16(low), value)
}

/// The beginning of a note, in MIDI 2.0.
public func MIDI2NoteOn(
    _ group: UInt8, _ channel: UInt8, _ noteNumber: UInt8, _ attributeType: UInt8, _ attributeData: UInt16,
    _ velocity: UInt16
) -> MIDIMessage_64 {
    make(.noteOn, group, channel, noteNumber, attributeType, UInt32(velocity) << 16 | UInt32(attributeData))
}

/// The end of a note, in MIDI 2.0.
public func MIDI2NoteOff(
    _ group: UInt8, _ channel: UInt8, _ noteNumber: UInt8, _ attributeType: UInt8, _ attributeData: UInt16,
    _ velocity: UInt16
) -> MIDIMessage_64 {
    make(.noteOff, group, channel, noteNumber, attributeType, UInt32(velocity) << 16 | UInt32(attributeData))
}

/// Pressure of one key, in MIDI 2.0.
public func MIDI2PolyPressure(
    _ group: UInt8, _ channel: UInt8, _ noteNumber: UInt8, _ value: UInt32
) -> MIDIMessage_64 {
    make(.polyPressure, group, channel, noteNumber, 0, value)
}

/// A registered controller of one note.
public func MIDI2RegisteredPNC(
    _ group: UInt8, _ channel: UInt8, _ noteNumber: UInt8, _ index: UInt8, _ value: UInt32
) -> MIDIMessage_64 {
    make(.registeredPerNote, group, channel, noteNumber, index, value)
}

/// An assignable controller of one note.
public func MIDI2AssignablePNC(
    _ group: UInt8, _ channel: UInt8, _ noteNumber: UInt8, _ index: UInt8, _ value: UInt32
) -> MIDIMessage_64 {
    make(.assignablePerNote, group, channel, noteNumber, index, value)
}

/// A registered parameter.
public func MIDI2RegisteredControl(
    _ group: UInt8, _ channel: UInt8, _ bank: UInt8, _ index: UInt8, _ value: UInt32
) -> MIDIMessage_64 {
    make(.registeredController, group, channel, bank, index & 0x7F, value)
}

/// A non-registered parameter.
public func MIDI2AssignableControl(
    _ group: UInt8, _ channel: UInt8, _ bank: UInt8, _ index: UInt8, _ value: UInt32
) -> MIDIMessage_64 {
    make(.assignableController, group, channel, bank, index & 0x7F, value)
}

/// A change of a registered parameter by `value` in two's complement.
public func MIDI2RelRegisteredControl(
    _ group: UInt8, _ channel: UInt8, _ bank: UInt8, _ index: UInt8, _ value: UInt32
) -> MIDIMessage_64 {
    make(.relativeRegisteredController, group, channel, bank, index & 0x7F, value)
}

/// A change of a non-registered parameter by `value` in two's complement.
public func MIDI2RelAssignableControl(
    _ group: UInt8, _ channel: UInt8, _ bank: UInt8, _ index: UInt8, _ value: UInt32
) -> MIDIMessage_64 {
    make(.relativeAssignableController, group, channel, bank, index & 0x7F, value)
}

/// A controller, in MIDI 2.0.
public func MIDI2ControlChange(_ group: UInt8, _ channel: UInt8, _ index: UInt8, _ value: UInt32) -> MIDIMessage_64 {
    make(.controlChange, group, channel, index, 0, value)
}

/// Another program, with a bank where `bankIsValid`.
public func MIDI2ProgramChange(
    _ group: UInt8, _ channel: UInt8, _ bankIsValid: Bool, _ program: UInt8, _ bank_msb: UInt8, _ bank_lsb: UInt8
) -> MIDIMessage_64 {
    let bank = UInt32(bank_msb & 0x7F) << 8 | UInt32(bank_lsb & 0x7F)
    return make(
        .programChange, group, channel, 0, bankIsValid ? 1 : 0,
        UInt32(program & 0x7F) << 24 | (bankIsValid ? bank : 0))
}

/// Pressure of all keys, in MIDI 2.0.
public func MIDI2ChannelPressure(_ group: UInt8, _ channel: UInt8, _ value: UInt32) -> MIDIMessage_64 {
    make(.channelPressure, group, channel, 0, 0, value)
}

/// Pitch bend of a channel, in MIDI 2.0; the center is 0x80000000.
public func MIDI2PitchBend(_ group: UInt8, _ channel: UInt8, _ value: UInt32) -> MIDIMessage_64 {
    make(.pitchBend, group, channel, 0, 0, value)
}

/// Pitch bend of one note; the center is 0x80000000.
public func MIDI2PerNotePitchBend(
    _ group: UInt8, _ channel: UInt8, _ noteNumber: UInt8, _ value: UInt32
) -> MIDIMessage_64 {
    make(.perNotePitchBend, group, channel, noteNumber, 0, value)
}

/// Detaches or resets the controllers of a note.
public func MIDI2PerNoteManagment(
    _ group: UInt8, _ channel: UInt8, _ noteNumber: UInt8, _ detachPNCs: Bool, _ resetPNCsToDefault: Bool
) -> MIDIMessage_64 {
    make(.perNoteManagement, group, channel, noteNumber, (detachPNCs ? 2 : 0) | (resetPNCsToDefault ? 1 : 0), 0)
}
