import Foundation
import Testing
@testable import OssicleCodecs

@Suite("The life of encoders and decoders") struct LifeCycleTests {
    static let codecs: [AudioCodec] = [
        .muLaw, .aLaw, .ima4, .flac8, .flac16, .flac24, .alac16, .alac20, .alac24, .alac32, .opus,
    ]

    private let input = Sound.integers(channels: 2, count: 15_000, bits: 16)

    private func encoder(_ codec: AudioCodec) throws -> any PacketEncoder {
        try Codecs.makeEncoder(codec, sampleRate: 48_000, channelCount: 2)
    }

    @Test("A reset encoder and a reset decoder give the same bytes and samples again", arguments: codecs)
    func reset(_ codec: AudioCodec) throws {
        let encoder = try encoder(codec)
        let packets = try encoder.packets(of: input)
        let decoder = try Codecs.makeDecoder(encoder.format)
        let samples = try decoder.samples(of: packets)
        let remainder = encoder.remainderFrames
        try encoder.reset()
        decoder.reset()
        #expect(try encoder.packets(of: input) == packets)
        #expect(encoder.remainderFrames == remainder)
        #expect(try decoder.samples(of: packets) == samples)
    }

    @Test("A reset amid a stream forgets what was gathered", arguments: codecs)
    func resetAmid(_ codec: AudioCodec) throws {
        let expected = try encoder(codec).packets(of: input)
        let encoder = try encoder(codec)
        try withPlanes(input) { try encoder.encode($0, frames: 5000) { _, _ in } }
        try encoder.reset()
        #expect(try encoder.packets(of: input) == expected)
    }

    @Test("However the input is cut, the packets are the same", arguments: codecs)
    func pieces(_ codec: AudioCodec) throws {
        let expected = try encoder(codec).packets(of: input, piece: 15_000)
        for piece in [1, 63, 960, 4096, 5000] {
            #expect(try encoder(codec).packets(of: input, piece: piece) == expected, "pieces of \(piece)")
        }
    }

    @Test("Priming, input and remainder make up what the packets hold", arguments: codecs)
    func counts(_ codec: AudioCodec) throws {
        for count in [1, 63, 64, 960, 4096, 15_000] {
            let encoder = try encoder(codec)
            let packets = try encoder.packets(of: input.map { Array($0.prefix(count)) })
            let held = packets.reduce(0) { $0 + $1.frames }
            #expect(held == encoder.primingFrames + count + encoder.remainderFrames, "\(count) frames")
            #expect(try Codecs.makeDecoder(encoder.format).samples(of: packets)[0].count == held)
        }
    }

    @Test("Encoders at work at the same time do not disturb each other", arguments: codecs)
    func together(_ codec: AudioCodec) throws {
        let others = Sound.extremes(channels: 2, count: 15_000, bits: 8)
        let (first, second) = (try encoder(codec), try encoder(codec))
        let expected = (try encoder(codec).packets(of: input), try encoder(codec).packets(of: others))
        var packets: ([Packet], [Packet]) = ([], [])
        try withPlanes(input) { a in
            try withPlanes(others) { b in
                for start in stride(from: 0, to: 15_000, by: 500) {
                    try first.encode(a.map { $0 + start }, frames: 500) {
                        packets.0.append(Packet(bytes: Array($0), frames: $1))
                    }
                    try second.encode(b.map { $0 + start }, frames: 500) {
                        packets.1.append(Packet(bytes: Array($0), frames: $1))
                    }
                }
            }
        }
        try first.finish { packets.0.append(Packet(bytes: Array($0), frames: $1)) }
        try second.finish { packets.1.append(Packet(bytes: Array($0), frames: $1)) }
        #expect(packets == expected)
    }

    @Test("Encoders on several threads give what one gives", arguments: codecs)
    func threads(_ codec: AudioCodec) async throws {
        let input = input
        let expected = try encoder(codec).packets(of: input)
        try await withThrowingTaskGroup(of: [Packet].self) { group in
            for _ in 0..<4 {
                group.addTask { try Codecs.makeEncoder(codec, sampleRate: 48_000, channelCount: 2).packets(of: input) }
            }
            for try await packets in group { #expect(packets == expected) }
        }
    }

    @Test(
        "Planes that are not the stream's, frames below none and frames behind the end are refused", arguments: codecs)
    func refusals(_ codec: AudioCodec) throws {
        let encoder = try encoder(codec)
        func refused(_ frames: Int, _ channels: Int) -> CodecError.Kind? {
            do {
                try withPlanes([[Double]](repeating: [0, 0], count: channels)) {
                    try encoder.encode($0, frames: frames) { _, _ in }
                }
                return nil
            } catch { return (error as? CodecError)?.kind }
        }
        #expect(refused(2, 1) == .outOfRange && refused(2, 3) == .outOfRange && refused(-1, 2) == .outOfRange)
        #expect(refused(0, 2) == nil && refused(2, 2) == nil)
        try encoder.finish { _, _ in }
        try encoder.finish { _, _ in Issue.record("a second end gave a packet") }
        #expect(refused(2, 2) == .outOfRange)
        try encoder.reset()
        #expect(refused(2, 2) == nil)
    }

    @Test("Rates and channels out of range are refused by a typed error", arguments: codecs)
    func ranges(_ codec: AudioCodec) {
        for (rate, channels) in [
            (48_000.0, 0), (48_000, -1), (48_000, 256), (48_000, .max), (0, 2), (-48_000, 2), (.nan, 2), (.infinity, 2),
        ] {
            let error = #expect(throws: CodecError.self) {
                try Codecs.makeEncoder(codec, sampleRate: rate, channelCount: channels)
            }
            #expect(error.map { $0.kind == .unsupported && !$0.rule.isEmpty && !$0.cure.isEmpty } == true)
            _ = Codecs.encoderRange(codec, sampleRate: rate, channelCount: channels)
        }
    }

    @Test(
        "A decoder wants a rate, and as many channels as its codec has",
        arguments: [AudioCodec.muLaw, .ima4, .opus, .mp3, .alac16])
    func decoderRanges(_ codec: AudioCodec) {
        let alac = ALACConfiguration(bitDepth: 16, channelCount: 2, sampleRate: 0)
        for (rate, channels) in [
            (0.0, 2), (.nan, 2), (-1, 2), (.infinity, 2), (48_000, 0), (48_000, -1), (48_000, .max),
        ] {
            // Apple Lossless takes the channels from its cookie.
            guard codec != .alac16 || channels == 2 else { continue }
            let format = PacketFormat(
                codec: codec, sampleRate: rate, channelCount: channels, cookie: codec == .alac16 ? alac.bytes : [])
            #expect(throws: CodecError.self) { try Codecs.makeDecoder(format) }
        }
    }

    @Test("Ranges tell what encoders take", arguments: codecs)
    func encoderRange(_ codec: AudioCodec) throws {
        let range = try #require(Codecs.encoderRange(codec, sampleRate: 48_000, channelCount: 2))
        for channels in range.channelCounts.prefix(8) {
            for rate in range.sampleRates + (range.sampleRates.isEmpty ? [1, 8000, 96_000, 192_000] : []) {
                let encoder = try Codecs.makeEncoder(codec, sampleRate: rate, channelCount: channels)
                #expect(encoder.format.sampleRate == rate && encoder.format.channelCount == channels)
            }
        }
    }

    @Test("A bit rate out of range is refused, one within is taken")
    func bitRates() throws {
        let range = try #require(Codecs.encoderRange(.opus, sampleRate: 48_000, channelCount: 2)?.bitRates)
        for rate in [range.lowerBound, range.upperBound] {
            _ = try Codecs.makeEncoder(
                .opus, sampleRate: 48_000, channelCount: 2, settings: EncoderSettings(bitRate: rate)
            ).packets(of: input)
        }
        for rate in [range.lowerBound - 1, range.upperBound + 1, .min, .max] {
            let error = #expect(throws: CodecError.self) {
                try Codecs.makeEncoder(
                    .opus, sampleRate: 48_000, channelCount: 2, settings: EncoderSettings(bitRate: rate))
            }
            #expect(error?.kind == .outOfRange)
        }
        for quality in [Double.nan, -1, 7, .infinity] {
            for codec in [AudioCodec.opus, .flac16] {
                _ = try Codecs.makeEncoder(
                    codec, sampleRate: 48_000, channelCount: 2, settings: EncoderSettings(quality: quality)
                ).packets(of: input)
            }
        }
    }

    @Test("What has no packets says so", arguments: [AudioCodec.pcm16, .float32, .imaADPCM, .microsoftADPCM, .other])
    func none(_ codec: AudioCodec) throws {
        let decoder = #expect(throws: CodecError.self) {
            try Codecs.makeDecoder(PacketFormat(codec: codec, sampleRate: 48_000, channelCount: 2))
        }
        let encoder = #expect(throws: CodecError.self) {
            try Codecs.makeEncoder(codec, sampleRate: 48_000, channelCount: 2)
        }
        #expect(decoder?.kind == .unsupported && encoder?.kind == .unsupported)
    }
}
