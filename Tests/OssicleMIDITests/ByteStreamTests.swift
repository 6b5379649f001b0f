import OssicleCore
import OssicleTestSupport
import Testing
@testable import OssicleMIDI

@Suite("MIDI byte streams") struct ByteStreamTests {
    @Test("Running status serves for channel messages, and ends with system common messages")
    func runningStatus() {
        var parser = ByteStreamParser()
        let items = parser.parse([0x91, 60, 100, 62, 0xF8, 101, 0xF3, 5, 63, 64] as [UInt8])
        #expect(
            items == [
                .message(status: 0x91, data1: 60, data2: 100), .message(status: 0xF8, data1: 0, data2: 0),
                .message(status: 0x91, data1: 62, data2: 101), .message(status: 0xF3, data1: 5, data2: 0),
                .fault(.strayData, 63), .fault(.strayData, 64),
            ])
    }

    @Test("Any cut of a stream gives the same messages and words", arguments: [1, 2, 3, 5, 64])
    func cuts(_ length: Int) {
        let stream = Stream(seed: 3).bytes(messages: 400)
        var (whole, cut) = (ByteStreamToPackets(), ByteStreamToPackets())
        var words: [UInt32] = []
        for start in stride(from: 0, to: stream.count, by: length) {
            words += cut.words(of: stream[start..<min(start + length, stream.count)])
        }
        #expect(words == whole.words(of: stream))
        #expect(whole.faultCount == 0)
    }

    @Test("Every kind of message goes from bytes to words and back, byte for byte")
    func roundTrip() {
        let stream = Stream(seed: 8).bytes(messages: 3000)
        var (toWords, toBytes) = (ByteStreamToPackets(group: 5), PacketsToByteStream())
        let words = toWords.words(of: stream)
        #expect(toBytes.bytes(of: words) == stream)
        #expect(toBytes.untranslated == 0 && UniversalMessages(words).leftover == 0)
        #expect(UniversalMessages(words).allSatisfy { $0.group == 5 })
    }

    @Test("System exclusive data is cut into pieces of six bytes")
    func sysEx() {
        var toWords = ByteStreamToPackets(group: 2)
        #expect(toWords.words(of: [0xF0, 0xF7] as [UInt8]) == [0x3200_0000, 0])
        #expect(toWords.words(of: [0xF0, 1, 2, 3, 4, 5, 6, 0xF7] as [UInt8]) == [0x3206_0102, 0x0304_0506])
        #expect(
            toWords.words(of: [0xF0] + [UInt8](1...13) + [0xF7])
                == [0x3216_0102, 0x0304_0506, 0x3226_0708, 0x090A_0B0C, 0x3231_0D00, 0])
    }

    @Test("What is malformed is reported by its kind, and the stream continues")
    func faults() {
        var parser = ByteStreamParser()
        #expect(
            parser.parse([0xF4, 0xF7, 0x90, 60, 0x80, 1, 2, 0xF9, 0xF2, 1, 0xF6] as [UInt8]) == [
                .fault(.undefinedStatus, 0xF4), .fault(.strayEnd, 0xF7), .fault(.cutOff, 0x80),
                .message(status: 0x80, data1: 1, data2: 2), .fault(.undefinedStatus, 0xF9), .fault(.cutOff, 0xF6),
                .message(status: 0xF6, data1: 0, data2: 0),
            ])
        #expect(
            parser.parse([0xF0, 1, 2, 0x90, 3, 4] as [UInt8]) == [
                .fault(.cutOff, 0x90), .sysEx([1, 2], begins: true, ends: true),
                .message(status: 0x90, data1: 3, data2: 4),
            ])
    }

    @Test("Spoilt streams give whole messages only")
    func mutated() {
        let stream = Stream(seed: 2).bytes(messages: 20)
        var mutator = Mutator(seed: 17)
        for _ in 0..<mutationCount(1000) {
            var (toWords, toBytes) = (ByteStreamToPackets(), PacketsToByteStream())
            let words = toWords.words(of: mutator.mutate(stream))
            #expect(UniversalMessages(words).leftover == 0)
            var again = ByteStreamToPackets()
            _ = again.words(of: toBytes.bytes(of: words))
            #expect(again.faultCount == 0)
        }
    }

    @Test("Spoilt words, and words of any value, become well-formed bytes")
    func mutatedWords() {
        let random = CounterRandom(seed: 5, object: 1)
        var (toBytes, toMIDI2) = (PacketsToByteStream(), PacketsToMIDI2())
        var parser = ByteStreamParser()
        for index in 0..<10_000 {
            let bits = random.bits(UInt64(index))
            let message = UniversalMessage(UInt32(truncatingIfNeeded: bits), UInt32(truncatingIfNeeded: bits >> 32))
            let items = parser.parse(toBytes.bytes(of: message))
            #expect(items.allSatisfy { if case .fault = $0 { false } else { true } })
            #expect(toMIDI2.translate(message).allSatisfy { $0.type != .channelVoice1 })
            _ = (message.sysExBytes, message.sysExPart, message.moved(to: 9))
        }
    }
}

/// Seeded streams of well-formed messages of every kind of MIDI 1.0, without running status.
struct Stream {
    private let random: CounterRandom

    init(seed: UInt64) { random = CounterRandom(seed: seed, object: 7) }

    func bytes(messages count: Int) -> [UInt8] {
        (0..<count).flatMap { message(UInt64($0)) }
    }

    private func message(_ index: UInt64) -> [UInt8] {
        let bits = random.bits(index)
        let (data1, data2) = (UInt8(bits >> 8 & 0x7F), UInt8(bits >> 16 & 0x7F))
        let channel = UInt8(bits >> 24 & 0xF)
        switch bits % 16 {
        case 0: return [0x80 | channel, data1, data2]
        case 1: return [0x90 | channel, data1, data2]
        case 2: return [0xA0 | channel, data1, data2]
        case 3: return [0xB0 | channel, data1, data2]
        case 4: return [0xC0 | channel, data1]
        case 5: return [0xD0 | channel, data1]
        case 6: return [0xE0 | channel, data1, data2]
        case 7: return [0xF1, data1]
        case 8: return [0xF2, data1, data2]
        case 9: return [0xF3, data1]
        case 10: return [0xF6]
        case 11: return [[0xF8, 0xFA, 0xFB, 0xFC, 0xFE, 0xFF][Int(bits >> 32) % 6]]
        default:
            let length = Int(bits >> 40 % 40)
            let bytes = (0..<UInt64(min(length, 40))).map { UInt8(random.bits(index << 20 | $0) & 0x7F) }
            return [0xF0] + bytes + [0xF7]
        }
    }
}
