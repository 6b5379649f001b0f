import OssicleCore
import Testing
@testable import OssicleMIDI

@Suite("MIDI 1.0 and 2.0 messages") struct TranslationTests {
    private func control(_ number: UInt8, _ value: UInt8, group: UInt8 = 0) -> UniversalMessage {
        .voice1(0xB, group: group, channel: 3, data1: number, data2: value)
    }

    private func up(_ messages: [UniversalMessage]) -> [UniversalMessage] {
        var translation = PacketsToMIDI2()
        return messages.flatMap { translation.translate($0) } + translation.flush()
    }

    @Test("Channel messages of MIDI 1.0 come back from MIDI 2.0 as they were", arguments: 0..<16 as Range<UInt8>)
    func roundTrip(_ group: UInt8) {
        let random = CounterRandom(seed: 1, object: UInt64(group))
        for index in 0..<2000 as Range<UInt64> {
            let bits = random.bits(index)
            let status = 0x8 + UInt8(bits % 7)
            var (data1, data2) = (UInt8(bits >> 8 & 0x7F), UInt8(bits >> 16 & 0x7F))
            if status == 0x9 { data2 = max(data2, 1) }
            if status == 0xC || status == 0xD { data2 = 0 }
            // Banks and numbers of parameters become one message with others.
            if status == 0xB, [0, 6, 32, 38, 96, 97, 98, 99, 100, 101].contains(data1) { data1 = 7 }
            let message = UniversalMessage.voice1(
                status, group: group, channel: UInt8(bits >> 24 & 0xF), data1: data1, data2: data2)
            let wide = up([message])
            #expect(wide.count == 1 && wide.allSatisfy { $0.type == .channelVoice2 && $0.group == group })
            #expect(wide.flatMap { PacketsToMIDI1().translate($0) } == [message])
        }
    }

    @Test("A note-on with velocity 0 becomes a note-off, and a soft one of MIDI 2.0 stays a note-on")
    func velocities() {
        let ending = UniversalMessage.voice1(9, group: 1, channel: 2, data1: 60, data2: 0)
        #expect(up([ending]) == [UniversalMessage(0x4182_3C00, 0x8000_0000)])
        let soft = UniversalMessage(0x4192_3C00, 0x0100_0000)
        #expect(PacketsToMIDI1().translate(soft) == [UniversalMessage(0x2192_3C01)])
    }

    @Test("Banks go with the program change")
    func banks() {
        let change = UniversalMessage.voice1(0xC, group: 0, channel: 3, data1: 9, data2: 0)
        #expect(up([change]) == [UniversalMessage(0x40C3_0000, 0x0900_0000)])
        #expect(up([control(0, 1), control(32, 2), change]) == [UniversalMessage(0x40C3_0001, 0x0900_0102)])
        let back = PacketsToMIDI1().translate(UniversalMessage(0x40C3_0001, 0x0900_0102))
        #expect(back == [control(0, 1), control(32, 2), change])
    }

    @Test("Numbered parameters are one message of MIDI 2.0, and four controllers of MIDI 1.0")
    func parameters() {
        let registered = [control(101, 1), control(100, 2), control(6, 64), control(38, 0)]
        #expect(up(registered) == [UniversalMessage(0x4023_0102, 0x8000_0000)])
        let assignable = [control(99, 5), control(98, 6), control(6, 127), control(38, 127)]
        #expect(up(assignable) == [UniversalMessage(0x4033_0506, .max)])
        #expect(PacketsToMIDI1().translate(UniversalMessage(0x4023_0102, 0x8000_0000)) == registered)
        #expect(PacketsToMIDI1().translate(UniversalMessage(0x4033_0506, .max)) == assignable)
    }

    @Test("Data entry without a fine part is sent by the next message, and pitch bend's range at once")
    func coarseOnly() {
        let other = control(7, 0)
        #expect(
            up([control(101, 1), control(100, 2), control(6, 64), other])
                == [UniversalMessage(0x4023_0102, 0x8000_0000), UniversalMessage(0x40B3_0700, 0)])
        var translation = PacketsToMIDI2()
        for message in [control(101, 0), control(100, 0)] { #expect(translation.translate(message).isEmpty) }
        #expect(translation.translate(control(6, 64)) == [UniversalMessage(0x4023_0000, 0x8000_0000)])
        #expect(translation.flush().isEmpty)
    }

    @Test("The null parameter takes no data, and steps are relative messages")
    func nullAndSteps() {
        #expect(up([control(101, 127), control(100, 127), control(6, 1), control(38, 1), control(96, 0)]).isEmpty)
        #expect(
            up([control(101, 0), control(100, 1), control(97, 0)])
                == [UniversalMessage(0x4043_0001, UInt32(bitPattern: -1 << 18))])
    }

    @Test("What MIDI 1.0 cannot say is left out", arguments: [0x0, 0x1, 0x4, 0x5, 0x6, 0xF] as [UInt8])
    func untranslatable(_ status: UInt8) {
        let message = UniversalMessage.voice2(status, group: 0, channel: 0, index: 0, value: 5)
        #expect(PacketsToMIDI1().translate(message).isEmpty)
        var bytes = PacketsToByteStream()
        #expect(bytes.bytes(of: message).isEmpty && bytes.untranslated == 1)
    }

    @Test("Messages of every size are found in a row of words, and a cut one is reported")
    func sizes() {
        let sizes = [1, 1, 1, 2, 2, 4, 1, 1, 2, 2, 2, 3, 3, 4, 4, 4]
        let words = sizes.enumerated().flatMap { kind, size in
            (0..<size).map { UInt32(kind) << 28 | UInt32($0) }
        }
        #expect(UniversalMessages(words).map(\.count) == sizes)
        #expect(UniversalMessages(words).leftover == 0 && UniversalMessages(Array(words.dropLast())).leftover == 3)
    }

    @Test("System exclusive pieces of both sizes hold what they were given")
    func sysEx() {
        for part in SysExPart.allCases {
            for count in 0...13 {
                let bytes = (0..<count).map { UInt8(0x70 + $0) }
                let wide = UniversalMessage.sysEx8(part, group: 4, stream: 0xA5, bytes: bytes.map { $0 | 0x80 })
                #expect(wide.sysExBytes == bytes.map { $0 | 0x80 } && wide.sysExPart == part && wide.byte2 == 0xA5)
                let narrow = UniversalMessage.sysEx7(part, group: 4, bytes: bytes)
                #expect(narrow.sysExBytes == Array(bytes.prefix(6)) && narrow.sysExPart == part && narrow.group == 4)
            }
        }
    }

    @Test("Only kinds with groups move to another group")
    func groups() {
        #expect(UniversalMessage(0x2091_0102).moved(to: 7) == UniversalMessage(0x2791_0102))
        #expect(UniversalMessage(0x0020_1234).moved(to: 7) == UniversalMessage(0x0020_1234))
        #expect(UniversalMessage(0xF000_0001, 2, 3, 4).moved(to: 7) == UniversalMessage(0xF000_0001, 2, 3, 4))
    }
}
