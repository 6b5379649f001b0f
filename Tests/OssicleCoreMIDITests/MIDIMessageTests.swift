import Testing
@testable import OssicleCoreMIDI

@Suite("Core MIDI messages") struct MIDIMessageTests {
    @Test("Messages of MIDI 1.0 from their fields")
    func midi1() {
        #expect(MIDI1UPNoteOn(3, 2, 60, 100) == 0x2392_3C64 && MIDI1UPNoteOff(0, 15, 127, 0) == 0x208F_7F00)
        #expect(MIDI1UPControlChange(0, 0, 7, 127) == 0x20B0_077F && MIDI1UPPitchBend(1, 0, 1, 64) == 0x21E0_0140)
        #expect(MIDI1UPChannelVoiceMessage(0, 0xC0, 1, 5, 0) == 0x20C1_0500)
        #expect(MIDI1UPSystemCommon(0xF, 0xF2, 1, 2) == 0x1FF2_0102)
        #expect(MIDI1UPNoteOn(0xFF, 0xFF, 0xFF, 0xFF) == 0x2F9F_7F7F)
        let piece = MIDI1UPSysEx(2, 1, 6, 1, 2, 3, 4, 5, 6)
        #expect(piece == MIDIMessage_64(word0: 0x3216_0102, word1: 0x0304_0506))
        let bytes: [UInt8] = [9, 8]
        bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return }
            #expect(MIDI1UPSysExArray(0, 3, start, start + 2) == MIDIMessage_64(word0: 0x3032_0908, word1: 0))
            #expect(MIDI1UPSysExArray(0, 3, start, start - 2) == MIDIMessage_64(word0: 0x3030_0000, word1: 0))
        }
    }

    @Test("Messages of MIDI 2.0 from their fields")
    func midi2() {
        #expect(MIDI2NoteOn(1, 2, 60, 3, 0x1234, 0xFFFF) == MIDIMessage_64(word0: 0x4192_3C03, word1: 0xFFFF_1234))
        #expect(MIDI2NoteOff(1, 2, 60, 0, 0, 1).word1 == 0x1_0000)
        #expect(MIDI2ControlChange(0, 0, 7, 5) == MIDIMessage_64(word0: 0x40B0_0700, word1: 5))
        #expect(MIDI2ProgramChange(0, 1, true, 9, 1, 2) == MIDIMessage_64(word0: 0x40C1_0001, word1: 0x0900_0102))
        #expect(MIDI2ProgramChange(0, 1, false, 9, 1, 2) == MIDIMessage_64(word0: 0x40C1_0000, word1: 0x0900_0000))
        #expect(MIDI2RegisteredControl(0, 0, 1, 2, 3).word0 == 0x4020_0102)
        #expect(MIDI2PerNotePitchBend(0, 0, 60, 1 << 31).word0 == 0x4060_3C00)
        #expect(MIDI2PerNoteManagment(0, 0, 60, true, true).word0 == 0x40F0_3C03)
        #expect(MIDI2RelAssignableControl(0, 0, 1, 2, .max) == MIDIMessage_64(word0: 0x4050_0102, word1: .max))
    }

    @Test("A list is visited message by message, with what each kind holds")
    func visit() {
        let builder = MIDIEventList.Builder(inProtocol: ._2_0, wordSize: 64)
        let sysEx = MIDI1UPSysEx(5, 0, 2, 7, 8, 0, 0, 0, 0)
        builder.append(timestamp: 4, words: [0x0020_0001, 0x1AF8_0000, sysEx.word0, sysEx.word1])
        builder.append(timestamp: 9, words: [0x4291_3C00, 1, 0x4000_0000])
        var found: [MIDIUniversalMessage] = []
        var times: [MIDITimeStamp] = []
        let visitor: MIDIEventVisitor = { _, time, message in
            times.append(time)
            found.append(message)
        }
        builder.withUnsafePointer { MIDIEventListForEachEvent($0, visitor, nil) }
        MIDIEventListForEachEvent(nil, visitor, nil)
        #expect(times == [4, 4, 4, 9])
        #expect(found.map(\.type) == [.utility, .system, .sysEx, .channelVoice2])
        #expect(found.map(\.group) == [0, 10, 5, 2] && found[1].systemStatus == .timingClock)
        #expect(found[2].sysExBytes == [7, 8] && found[3].channelVoiceStatus == .noteOn && found[3].channel == 1)
        #expect(
            MIDIMessageTypeForUPWord(0x8000_0000) == .unknownF && MIDIMessageTypeForUPWord(0xD000_0000) == .flexData)
    }
}
