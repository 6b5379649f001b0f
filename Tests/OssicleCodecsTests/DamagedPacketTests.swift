import CSndfile
import OssicleTestSupport
import Testing
@testable import OssicleCodecs

@Suite("Damaged packets") struct DamagedPacketTests {
    static let codecs: [AudioCodec] = [
        .muLaw, .aLaw, .ima4, .flac8, .flac16, .flac24, .alac16, .alac20, .alac24, .alac32, .opus,
    ]

    /// Packets of sound, and the format of their stream.
    private func stream(_ codec: AudioCodec, channels: Int) throws -> (format: PacketFormat, packets: [[UInt8]]) {
        let input = Sound.integers(channels: channels, count: 20_000, bits: 16)
        let encoder = try Codecs.makeEncoder(codec, sampleRate: 48_000, channelCount: channels)
        let packets = try encoder.packets(of: input).map(\.bytes)
        return (encoder.format, Array(packets.prefix(20)))
    }

    /// Throws mutations at a decoder: each is refused by a typed error or gives plain samples of no more than
    /// `mostFrames` frames.
    private func attack(_ format: PacketFormat, _ packets: [[UInt8]], rounds: Int, mostFrames: Int) throws {
        let decoder = try Codecs.makeDecoder(format)
        var mutator = Mutator(seed: 11)
        var refused = 0
        for round in 0..<rounds {
            let packet = mutator.mutate(packets[round % packets.count])
            do {
                try packet.withUnsafeBytes { bytes in
                    let frames = try decoder.decode(bytes)
                    #expect(frames.count <= max(mostFrames, packet.count * 2))
                    #expect(frames.count == 0 || frames.planes.count == decoder.format.channelCount)
                    #expect(frames.arrays.allSatisfy { $0.allSatisfy { $0.isFinite } }, "round \(round)")
                }
            } catch let error as CodecError {
                refused += 1
                #expect(error.kind == .damaged && !error.rule.isEmpty && !error.cure.isEmpty)
            }
        }
        // To the laws of G.711 every byte is a sample, and to Opus nearly all bytes are sound.
        #expect(refused > (format.codec == .opus ? 0 : rounds / 100) || format.bytesPerPacket == 1)
        decoder.reset()
        #expect(try !decoder.samples(of: packets[0])[0].isEmpty)
    }

    @Test("A damaged packet is refused or gives plain samples, and the decoder lives on", arguments: codecs)
    func packets(_ codec: AudioCodec) throws {
        for channels in [1, 2, 6] {
            let (format, packets) = try stream(codec, channels: channels)
            let mostFrames = [.opus: 5760, .flac8: 65_536, .flac16: 65_536, .flac24: 65_536][codec] ?? 4096
            try attack(format, packets, rounds: 1000, mostFrames: mostFrames)
        }
    }

    @Test("Damaged MP3 is refused or gives plain samples, and the decoder lives on")
    func mp3() throws {
        let input = Sound.integers(channels: 2, count: 40_000, bits: 16)
        let packets = try MPEGFrames.sound(MemoryFile.write(input, format: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III))
            .packets.map(\.bytes)
        try attack(
            PacketFormat(codec: .mp3, sampleRate: 48_000, channelCount: 2), packets, rounds: 3000, mostFrames: 1152)
    }

    @Test("Behind a damaged packet the next is whole", arguments: [AudioCodec.flac16, .flac24, .alac16, .alac24])
    func next(_ codec: AudioCodec) throws {
        let (format, packets) = try stream(codec, channels: 2)
        let whole = try Codecs.makeDecoder(format).samples(of: packets[1])
        let decoder = try Codecs.makeDecoder(format)
        var mutator = Mutator(seed: 5)
        for _ in 0..<300 {
            _ = try? decoder.samples(of: mutator.mutate(packets[0]))
            #expect(try decoder.samples(of: packets[1]) == whole)
        }
    }

    @Test("A single wrong bit in a FLAC packet is noticed")
    func checksum() throws {
        let (format, packets) = try stream(.flac16, channels: 2)
        let decoder = try Codecs.makeDecoder(format)
        for bit in stride(from: 0, to: packets[0].count * 8, by: 997) {
            var packet = packets[0]
            packet[bit / 8] ^= 1 << UInt8(bit % 8)
            let error = #expect(throws: CodecError.self) { try decoder.samples(of: packet) }
            #expect(error?.kind == .damaged)
        }
    }
}
