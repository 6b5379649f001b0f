import CSndfile
import Foundation
import OssicleTestSupport
import Testing
@testable import OssicleCodecs

/// The frames of an MP3 file, cut at their headers.
enum MPEGFrames {
    static func split(_ file: [UInt8]) throws -> [[UInt8]] {
        var rest = file[...]
        var frames: [[UInt8]] = []
        while let header = MPEGHeader(rest), header.byteCount > 0, rest.count >= header.byteCount {
            frames.append(Array(rest.prefix(header.byteCount)))
            rest = rest.dropFirst(header.byteCount)
        }
        return frames
    }

    /// The frames of sound, and how many frames LAME tells that its encoder puts before the recording: twelve bits in
    /// the tag of the first frame.
    static func sound(_ file: [UInt8]) throws -> (packets: [Packet], encoderDelay: Int) {
        let frames = try split(file)
        let first = try #require(frames.first)
        let tag = try #require(
            (0..<first.count - 4).first {
                ["Info", "Xing"].contains(String(decoding: first[$0..<$0 + 4], as: UTF8.self))
            })
        let lame = tag + 120
        let delay = Int(first[lame + 21]) << 4 | Int(first[lame + 22]) >> 4
        return (frames.dropFirst().map { Packet(bytes: $0, frames: MPEGHeader($0)?.framesPerPacket ?? 0) }, delay)
    }
}

@Suite("MPEG audio") struct MPEGTests {
    private static let mp3 = SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III

    @Test(
        "A recording comes back where it was once the encoder's and the decoder's delays are dropped",
        arguments: [48_000, 44_100, 32_000, 22_050, 16_000], [1, 2])
    func alignment(_ rate: Int, _ channels: Int) throws {
        let noise = (0..<channels).map {
            Signal.noise(count: 20_000, seed: UInt64($0), amplitude: 0.6).map { Double($0) }
        }
        let smooth = noise.map { noise in
            noise.indices.map { index in noise[max(index - 15, 0)...index].reduce(0, +) / 16 }
        }
        let (packets, encoderDelay) = try MPEGFrames.sound(MemoryFile.write(smooth, format: Self.mp3, rate: rate))
        let decoder = try Codecs.makeDecoder(
            PacketFormat(codec: .mp3, sampleRate: Double(rate), channelCount: channels))
        #expect(decoder.delay == 529)
        #expect(decoder.format.framesPerPacket == (rate < 32_000 ? 576 : 1152))
        let decoded = try decoder.samples(of: packets)
        #expect(decoded[0].count == packets.count * decoder.format.framesPerPacket)
        for channel in 0..<channels {
            let output = decoded[channel].dropFirst(encoderDelay + decoder.delay).prefix(20_000)
            let delay = Measure.delay(
                of: output.map { Float($0) }, after: smooth[channel].map { Float($0) }, range: 100)
            #expect(abs(delay) < 0.05, "\(delay) frames")
        }
    }

    @Test("A tone keeps its level within 0.1 dB and is 40 dB over the noise")
    func tone() throws {
        let input = [Sound.sine(997, rate: 44_100, count: 44_100), Sound.sine(1499, rate: 44_100, count: 44_100)]
        let (packets, encoderDelay) = try MPEGFrames.sound(MemoryFile.write(input, format: Self.mp3, rate: 44_100))
        let decoder = try Codecs.makeDecoder(PacketFormat(codec: .mp3, sampleRate: 44_100, channelCount: 2))
        let output = try decoder.samples(of: packets).map { Array($0.dropFirst(encoderDelay + decoder.delay)) }
        for channel in 0..<2 {
            let ratio = Sound.signalToNoise(input[channel][4410..<39_690], output[channel][4410..<39_690])
            #expect(ratio > 40, "\(ratio) dB")
        }
    }

    @Test("After a reset the same packets give the same samples; from amid a stream only the first packets differ")
    func reset() throws {
        let input = Sound.integers(channels: 2, count: 40_000, bits: 16)
        let packets = try MPEGFrames.sound(MemoryFile.write(input, format: Self.mp3)).packets
        let decoder = try Codecs.makeDecoder(PacketFormat(codec: .mp3, sampleRate: 48_000, channelCount: 2))
        let first = try decoder.samples(of: packets)
        decoder.reset()
        #expect(try decoder.samples(of: packets) == first)
        decoder.reset()
        let tail = try decoder.samples(of: Array(packets[10...]))
        // Nine frames hold the largest reservoir of 511 bytes, and one more the overlap.
        #expect(tail.map { Array($0.dropFirst(10 * 1152)) } == first.map { Array($0.dropFirst(20 * 1152)) })
    }

    @Test(
        "A packet of another layer, rate or number of channels, cut short or of no header is refused, and the stream goes on"
    )
    func strangers() throws {
        let input = Sound.integers(channels: 2, count: 20_000, bits: 16)
        let packets = try MPEGFrames.sound(MemoryFile.write(input, format: Self.mp3)).packets
        let mono = try MPEGFrames.sound(MemoryFile.write([input[0]], format: Self.mp3)).packets[0].bytes
        let slow = try MPEGFrames.sound(MemoryFile.write(input, format: Self.mp3, rate: 44_100)).packets[0].bytes
        let decoder = try Codecs.makeDecoder(PacketFormat(codec: .mp3, sampleRate: 48_000, channelCount: 2))
        let whole = try decoder.samples(of: packets)
        decoder.reset()
        var output: [[Double]] = [[], []]
        for packet in packets {
            for stranger in [mono, slow, Array(packet.bytes.dropLast()), [], [0, 1, 2, 3, 4]] {
                let error = #expect(throws: CodecError.self) { try decoder.samples(of: stranger) }
                #expect(error?.kind == .damaged)
            }
            for (channel, samples) in try decoder.samples(of: packet.bytes).enumerated() { output[channel] += samples }
        }
        #expect(output == whole)
    }

    @Test("There is no encoder, and the error tells what to do instead", arguments: [AudioCodec.mp1, .mp2, .mp3])
    func noEncoder(_ codec: AudioCodec) throws {
        let error = #expect(throws: CodecError.self) {
            try Codecs.makeEncoder(codec, sampleRate: 44_100, channelCount: 2)
        }
        #expect(error?.kind == .unsupported && error?.cure.contains(".mp3 file") == true)
        #expect(Codecs.encoderRange(codec, sampleRate: 44_100, channelCount: 2) == nil)
    }

    @Test("Headers tell the length of their frames")
    func headers() throws {
        let layer3 = try #require(MPEGHeader([0xFF, 0xFB, 0x90, 0x00]))
        #expect(
            layer3.layer == 3 && layer3.sampleRate == 44_100 && layer3.bitRate == 128_000 && layer3.byteCount == 417
                && layer3.channelCount == 2)
        let padded = try #require(MPEGHeader([0xFF, 0xFB, 0x92, 0xC0]))
        #expect(padded.byteCount == 418 && padded.channelCount == 1)
        let layer1 = try #require(MPEGHeader([0xFF, 0xFF, 0x14, 0x00]))
        #expect(layer1.layer == 1 && layer1.framesPerPacket == 384 && layer1.byteCount == 12 * 32_000 / 48_000 * 4)
        let half = try #require(MPEGHeader([0xFF, 0xF3, 0x40, 0xC0]))
        #expect(
            half.sampleRate == 22_050 && half.framesPerPacket == 576 && half.bitRate == 32_000 && half.byteCount == 104)
        for bytes in [
            [0xFF, 0xFB, 0xF0, 0x00], [0xFF, 0xFB, 0x9C, 0x00], [0xFF, 0xEB, 0x90, 0x00], [0xFF, 0xF9, 0x90], [],
        ] as [[UInt8]] {
            #expect(MPEGHeader(bytes) == nil)
        }
    }
}
