import CSndfile
import Testing
@testable import OssicleCodecs

@Suite("Apple's IMA4") struct IMA4Tests {
    private func decoder(_ channels: Int) throws -> any PacketDecoder {
        try Codecs.makeDecoder(PacketFormat(codec: .ima4, sampleRate: 44_100, channelCount: channels))
    }

    @Test(
        "Four bits a sample keep a tone 30 dB over the noise; the last packet is filled with silence",
        arguments: [1, 2, 6])
    func tone(_ channels: Int) throws {
        let input = (0..<channels).map { Sound.sine(300 * Double($0 + 1), rate: 44_100, count: 10_000) }
        let encoder = try Codecs.makeEncoder(.ima4, sampleRate: 44_100, channelCount: channels)
        let packets = try encoder.packets(of: input)
        #expect(packets.count == 157 && packets.allSatisfy { $0.bytes.count == 34 * channels && $0.frames == 64 })
        #expect(encoder.remainderFrames == 157 * 64 - 10_000)
        let output = try decoder(channels).samples(of: packets)
        for channel in 0..<channels {
            #expect(Sound.signalToNoise(input[channel][1000...], output[channel][1000...]) > 30)
        }
        #expect(try decoder(channels).samples(of: packets.flatMap(\.bytes)) == output, "all packets at once")
    }

    @Test("Decoding may begin at any packet: what a packet does not tell of the last sample is below 128 / 32768")
    func anywhere() throws {
        let input = [Sound.sine(440, rate: 44_100, count: 6400)]
        let packets = try Codecs.makeEncoder(.ima4, sampleRate: 44_100, channelCount: 1).packets(of: input)
        let whole = try decoder(1).samples(of: packets)[0]
        let tail = try decoder(1).samples(of: Array(packets[50...]))[0]
        let largest = zip(whole[3200...], tail).reduce(0) { max($0, abs($1.0 - $1.1)) }
        #expect(largest < 128.0 / 32_768)
    }

    @Test("What libsndfile encodes, we decode as it does")
    func sndfile() throws {
        let input = [Sound.sine(440, rate: 44_100, count: 6400)]
        let file = try MemoryFile.write(input, format: SF_FORMAT_AIFF | SF_FORMAT_IMA_ADPCM, rate: 44_100)
        let name = try #require((0..<file.count - 16).first { Array(file[$0..<$0 + 4]) == Array("SSND".utf8) })
        let packets = Array(file[(name + 16)...].prefix(100 * 34))
        let ours = try decoder(1).samples(of: packets)[0], theirs = try MemoryFile.read(file)[0]
        #expect(Sound.signalToNoise(input[0][1000..<6400], ours[1000..<6400]) > 30)
        #expect(zip(theirs, ours).allSatisfy { abs($0 - $1) < 128.0 / 32_768 })
    }

    @Test("A step that does not exist is refused, and the next packet decodes")
    func damaged() throws {
        let packets = try Codecs.makeEncoder(.ima4, sampleRate: 44_100, channelCount: 1).packets(of: [
            Sound.sine(440, rate: 44_100, count: 128)
        ])
        let decoder = try decoder(1)
        var bytes = packets[0].bytes
        bytes[1] |= 0x7F
        let error = #expect(throws: CodecError.self) { try decoder.samples(of: bytes) }
        #expect(error?.kind == .damaged)
        #expect(try decoder.samples(of: packets[1].bytes)[0].count == 64)
    }
}
