import OssicleCore
import Testing
@testable import OssicleCodecs

@Suite("Lossless codecs") struct LosslessTests {
    static let codecs: [AudioCodec] = [.flac8, .flac16, .flac24, .alac16, .alac20, .alac24, .alac32]

    /// Lengths around whole packets of 4096 frames.
    static let lengths = [1, 2, 9, 31, 4095, 4096, 4097, 13_000]

    private func roundTrip(
        _ codec: AudioCodec, _ channels: [[Double]]
    ) throws -> (packets: [Packet], samples: [[Double]]) {
        let encoder = try Codecs.makeEncoder(codec, sampleRate: 48_000, channelCount: channels.count)
        let packets = try encoder.packets(of: channels)
        let decoder = try Codecs.makeDecoder(encoder.format)
        #expect(
            decoder.format.codec == codec && decoder.format.channelCount == channels.count
                && decoder.format.sampleRate == 48_000)
        #expect(decoder.format.channelLabels == encoder.format.channelLabels)
        #expect(packets.allSatisfy { $0.bytes.count <= encoder.maximumPacketSize })
        return (packets, try decoder.samples(of: packets))
    }

    @Test("Every depth and number of channels comes back exactly", arguments: codecs)
    func exact(_ codec: AudioCodec) throws {
        for channelCount in 1...8 {
            let input = Sound.integers(channels: channelCount, count: 13_000, bits: codec.bitDepth)
            let (packets, output) = try roundTrip(codec, input)
            #expect(output == input, "\(channelCount) channels")
            #expect(packets.map(\.frames) == [4096, 4096, 4096, 712])
        }
    }

    @Test("Full-scale extremes come back exactly", arguments: codecs)
    func extremes(_ codec: AudioCodec) throws {
        for channelCount in [1, 2, 3] {
            let input = Sound.extremes(channels: channelCount, count: 5000, bits: codec.bitDepth)
            #expect(try roundTrip(codec, input).samples == input, "\(channelCount) channels")
        }
    }

    @Test("Any length comes back, and no sound gives no packet", arguments: codecs)
    func lengths(_ codec: AudioCodec) throws {
        for length in Self.lengths {
            let input = Sound.integers(channels: 2, count: length, bits: codec.bitDepth)
            #expect(try roundTrip(codec, input).samples == input, "\(length) frames")
        }
        #expect(try roundTrip(codec, [[], []]).packets.isEmpty)
    }

    @Test("Silence and a constant take next to nothing", arguments: codecs)
    func small(_ codec: AudioCodec) throws {
        for value in [0, -0.5] {
            let input = [[Double]](repeating: [Double](repeating: value, count: 8192), count: 2)
            let (packets, output) = try roundTrip(codec, input)
            #expect(output == input)
            let verbatim = 4096 * 2 * codec.bitDepth / 8
            // Low bits of deep samples are kept apart and uncompressed in Apple Lossless.
            let keptApart = codec == .alac32 ? 2 * 2 * 4096 : codec == .alac24 ? 2 * 4096 : 0
            #expect(packets.allSatisfy { $0.bytes.count < keptApart + verbatim / 20 })
        }
    }

    @Test("A packet decodes the same wherever decoding begins", arguments: codecs)
    func anywhere(_ codec: AudioCodec) throws {
        let input = Sound.integers(channels: 2, count: 20_000, bits: codec.bitDepth)
        let encoder = try Codecs.makeEncoder(codec, sampleRate: 44_100, channelCount: 2)
        let packets = try encoder.packets(of: input)
        let decoder = try Codecs.makeDecoder(encoder.format)
        for index in packets.indices.reversed() {
            let expected = input.map { Array($0[index * 4096..<min((index + 1) * 4096, 20_000)]) }
            #expect(try decoder.samples(of: packets[index].bytes) == expected)
        }
    }

    @Test(
        "Samples between the steps go to the nearest, beyond full scale to the end; what is no number is silence",
        arguments: codecs)
    func rounding(_ codec: AudioCodec) throws {
        let quantizer = SampleQuantizer(bits: codec.bitDepth)
        let input = [0.1, -0.1, 1.5, -1.5, .nan, .infinity, 1e300, 0.333]
        let expected = input.map { $0.isFinite ? quantizer.sample(quantizer.quantize($0)) : 0 }
        #expect(try roundTrip(codec, [input]).samples == [expected])
    }

    @Test("Noise of full scale does not grow beyond its own size by more than the heads", arguments: codecs)
    func noise(_ codec: AudioCodec) throws {
        let input = Sound.extremes(channels: 2, count: 8192, bits: codec.bitDepth)
        for packet in try roundTrip(codec, input).packets {
            #expect(packet.bytes.count < 4096 * 2 * codec.bitDepth / 8 + 64)
        }
    }
}
