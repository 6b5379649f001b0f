import CSndfile
import Testing
@testable import OssicleCodecs

@Suite("Apple Lossless beside libsndfile") struct ALACTests {
    static let depths: [(codec: AudioCodec, format: Int)] = [
        (.alac16, SF_FORMAT_ALAC_16), (.alac20, SF_FORMAT_ALAC_20), (.alac24, SF_FORMAT_ALAC_24),
        (.alac32, SF_FORMAT_ALAC_32),
    ]

    @Test("What libsndfile encodes, we decode exactly", arguments: depths.indices, [1, 2, 5, 6, 8])
    func decodes(_ depth: Int, _ channelCount: Int) throws {
        let (codec, format) = Self.depths[depth]
        let input = Sound.integers(channels: channelCount, count: 10_000, bits: codec.bitDepth)
        let (cookie, packets) = try CAFBytes.packets(of: MemoryFile.write(input, format: SF_FORMAT_CAF | format))
        let decoder = try Codecs.makeDecoder(
            PacketFormat(codec: codec, sampleRate: 48_000, channelCount: channelCount, cookie: cookie))
        #expect(try decoder.samples(of: packets.map { Packet(bytes: $0, frames: 0) }) == input)
        #expect(decoder.format.channelLabels == Codecs.channelLabels(of: codec, channelCount: channelCount))
    }

    @Test("What we encode, libsndfile decodes exactly", arguments: depths.indices, [1, 2, 5, 6, 8])
    func encodes(_ depth: Int, _ channelCount: Int) throws {
        let codec = Self.depths[depth].codec
        let input = Sound.integers(channels: channelCount, count: 10_000, bits: codec.bitDepth)
        let encoder = try Codecs.makeEncoder(codec, sampleRate: 48_000, channelCount: channelCount)
        let packets = try encoder.packets(of: input).map(\.bytes)
        let output = try MemoryFile.read(CAFBytes.appleLossless(packets, format: encoder.format, frames: 10_000))
        #expect(output.map { Array($0.prefix(10_000)) } == input)
    }

    @Test("Packets are no larger than libsndfile's by more than two in a hundred", arguments: depths.indices)
    func size(_ depth: Int) throws {
        let (codec, format) = Self.depths[depth]
        let input = Sound.integers(channels: 2, count: 100_000, bits: codec.bitDepth)
        let theirs = try CAFBytes.packets(of: MemoryFile.write(input, format: SF_FORMAT_CAF | format)).packets.reduce(0)
        { $0 + $1.count }
        let ours = try Codecs.makeEncoder(codec, sampleRate: 48_000, channelCount: 2).packets(of: input).reduce(0) {
            $0 + $1.bytes.count
        }
        #expect(Double(ours) < 1.02 * Double(theirs), "\(ours) bytes against \(theirs)")
    }
}
