import CSndfile
import Testing
@testable import OssicleCodecs

@Suite("FLAC") struct FLACTests {
    private func stream(
        _ input: [[Double]], _ codec: AudioCodec = .flac16, labels: [UInt32]? = nil, quality: Double? = nil
    )
        throws -> (format: PacketFormat, packets: [Packet])
    {
        let encoder = try Codecs.makeEncoder(
            codec, sampleRate: 48_000, channelCount: input.count, channelLabels: labels,
            settings: EncoderSettings(quality: quality))
        let packets = try encoder.packets(of: input)
        return (encoder.format, packets)
    }

    /// A native file: the head of the stream, then its packets.
    private func file(_ stream: (format: PacketFormat, packets: [Packet])) throws -> [UInt8] {
        try #require(FLACStreamInfo(cookie: stream.format.cookie)).streamHead + stream.packets.flatMap(\.bytes)
    }

    @Test(
        "Behind the head of a stream, the packets are a file that libsndfile reads exactly",
        arguments: [AudioCodec.flac8, .flac16, .flac24])
    func native(_ codec: AudioCodec) throws {
        let input = Sound.integers(channels: 2, count: 10_000, bits: codec.bitDepth)
        #expect(try MemoryFile.read(file(stream(input, codec))) == input)
    }

    @Test("After the end the cookie tells length, sizes and signature")
    func cookie() throws {
        let stream = try stream(Sound.integers(channels: 2, count: 10_000, bits: 16))
        let info = try #require(FLACStreamInfo(cookie: stream.format.cookie))
        let sizes = stream.packets.map(\.bytes.count)
        #expect(
            info.frameCount == 10_000 && info.minimumFrameSize == sizes.min() && info.maximumFrameSize == sizes.max())
        #expect(info.signature.contains { $0 != 0 })
        #expect(
            info.sampleRate == 48_000 && info.channelCount == 2 && info.bitsPerSample == 16
                && info.maximumBlockSize == 4096)
    }

    @Test("In the stream channels lie in FLAC's order, and out they come in that of the labels")
    func labels() throws {
        let input = Sound.integers(channels: 8, count: 5000, bits: 16)
        let apple: [UInt32] = [1, 2, 3, 4, 5, 6, 33, 34]
        let stream = try stream(input, labels: apple)
        // FLAC has the rear channels before the sides.
        #expect(try MemoryFile.read(file(stream)) == [0, 1, 2, 3, 6, 7, 4, 5].map { input[$0] })
        #expect(try Codecs.makeDecoder(stream.format).samples(of: stream.packets) == input)
        var unlabelled = stream.format
        unlabelled.channelLabels = nil
        let decoder = try Codecs.makeDecoder(unlabelled)
        #expect(decoder.format.channelLabels == apple)
        #expect(try decoder.samples(of: stream.packets) == input)
        var strange = stream.format
        strange.channelLabels = Array(200...207)
        #expect(try Codecs.makeDecoder(strange).samples(of: stream.packets) == MemoryFile.read(file(stream)))
    }

    @Test("The decoder takes the cookie bare, behind fLaC and in a box")
    func cookieForms() throws {
        let input = Sound.integers(channels: 2, count: 5000, bits: 24)
        var stream = try stream(input, .flac24)
        let info = try #require(FLACStreamInfo(cookie: stream.format.cookie))
        for cookie in [info.bytes, info.streamHead, info.box] {
            stream.format.cookie = cookie
            #expect(try Codecs.makeDecoder(stream.format).samples(of: stream.packets) == input)
        }
        stream.format.cookie = []
        let error = #expect(throws: CodecError.self) { try Codecs.makeDecoder(stream.format) }
        #expect(error?.kind == .damaged)
    }

    @Test("More effort makes smaller packets")
    func effort() throws {
        let input = Sound.integers(channels: 2, count: 50_000, bits: 16)
        let sizes = try [0, 1].map { try stream(input, quality: $0).packets.reduce(0) { $0 + $1.bytes.count } }
        #expect(sizes[1] < sizes[0])
    }
}
