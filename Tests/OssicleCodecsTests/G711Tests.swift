import Foundation
import Testing
@testable import OssicleCodecs

@Suite("G.711") struct G711Tests {
    private func decoder(_ codec: AudioCodec, channels: Int = 1) throws -> any PacketDecoder {
        try Codecs.makeDecoder(PacketFormat(codec: codec, sampleRate: 8000, channelCount: channels))
    }

    /// The values of the recommendation's tables in closed form, on its scales of 14 and 13 bits.
    private func value(_ codec: AudioCodec, sign: Double, exponent: Int, mantissa: Int) -> Double {
        let steps = Double(2 * mantissa + 33)
        if codec == .muLaw { return sign * (steps * exp2(Double(exponent)) - 33) / 8192 }
        return sign * (exponent == 0 ? Double(2 * mantissa + 1) : steps * exp2(Double(exponent - 1))) / 4096
    }

    @Test("All 256 codes stand for the values of the recommendation", arguments: [AudioCodec.muLaw, .aLaw])
    func table(_ codec: AudioCodec) throws {
        let decoded = try decoder(codec).samples(of: [UInt8](0...255))[0]
        for exponent in 0..<8 {
            for mantissa in 0..<16 {
                let bits = UInt8(exponent << 4 | mantissa)
                let marked: UInt8 = bits | 0x80
                let positive: UInt8 = codec == .muLaw ? ~bits : marked ^ 0x55
                let negative: UInt8 = codec == .muLaw ? ~marked : bits ^ 0x55
                #expect(decoded[Int(positive)] == value(codec, sign: 1, exponent: exponent, mantissa: mantissa))
                #expect(decoded[Int(negative)] == value(codec, sign: -1, exponent: exponent, mantissa: mantissa))
            }
        }
        #expect(decoded.max() == (codec == .muLaw ? 8031.0 / 8192 : 4032.0 / 4096))
    }

    @Test("All codes come back", arguments: [AudioCodec.muLaw, .aLaw])
    func codes(_ codec: AudioCodec) throws {
        let decoded = try decoder(codec).samples(of: [UInt8](0...255))
        let packets = try Codecs.makeEncoder(codec, sampleRate: 8000, channelCount: 1).packets(of: decoded)
        let again = try decoder(codec).samples(of: packets)
        #expect(again == decoded)
        // In µ-law there are two zeros; the positive one is written.
        let expected = (0...255).map { UInt8($0 == 0x7F && codec == .muLaw ? 0xFF : $0) }
        #expect(packets.flatMap(\.bytes) == expected)
    }

    @Test("A value is coded by the interval that holds it", arguments: [AudioCodec.muLaw, .aLaw])
    func intervals(_ codec: AudioCodec) throws {
        // The highest decision values: 8159 on the scale of 14 bits, 4096 on that of 13.
        let highest = codec == .muLaw ? 8159 * 4 : 32_767
        let input = (-highest...highest).map { Double($0) / 32_768 }
        let output = try decoder(codec).samples(
            of: Codecs.makeEncoder(codec, sampleRate: 8000, channelCount: 1).packets(of: [input]))[0]
        let isWithin = zip(input, output).allSatisfy { sample, coded in
            // Codes stand for the middle of their intervals, which double from segment to segment.
            let half =
                codec == .muLaw
                ? exp2((log2(abs(coded) * 8192 + 33) - 5).rounded(.down)) / 8192
                : exp2(max((log2(abs(coded) * 4096) - 5).rounded(.down), 0)) / 4096
            return abs(coded - sample) <= half
        }
        #expect(isWithin)
    }

    @Test("A tone keeps 35 dB over the noise from full scale down to -30 dB", arguments: [AudioCodec.muLaw, .aLaw])
    func noise(_ codec: AudioCodec) throws {
        for level in [0.0, -10, -20, -30] {
            let input = Sound.sine(1004, rate: 8000, count: 8000, amplitude: 0.98 * pow(10, level / 20))
            let output = try decoder(codec).samples(
                of: Codecs.makeEncoder(codec, sampleRate: 8000, channelCount: 1).packets(of: [input]))[0]
            #expect(Sound.signalToNoise(input[...], output[...]) > 35, "at \(level) dB")
        }
    }

    @Test("Many packets at once decode as one by one, and channels lie side by side")
    func several() throws {
        let input = Sound.integers(channels: 3, count: 500, bits: 16)
        let packets = try Codecs.makeEncoder(.muLaw, sampleRate: 48_000, channelCount: 3).packets(of: input)
        #expect(packets.count == 500 && packets.allSatisfy { $0.frames == 1 && $0.bytes.count == 3 })
        let oneByOne = try decoder(.muLaw, channels: 3).samples(of: packets)
        #expect(try decoder(.muLaw, channels: 3).samples(of: packets.flatMap(\.bytes)) == oneByOne)
        for (channel, output) in oneByOne.enumerated() {
            #expect(Sound.signalToNoise(input[channel][...], output[...]) > 30)
        }
    }
}
