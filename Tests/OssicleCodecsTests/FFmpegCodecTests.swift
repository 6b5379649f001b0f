#if FFmpeg
import Foundation
import OssicleChannels
import OssicleCore
import Testing
@testable import OssicleCodecs

@Suite("AAC") struct FFmpegCodecTests {
    /// A tone of its own for each channel, all within the band of a low-frequency channel too where the label says so.
    static func tones(_ labels: [UInt32], count: Int) -> [[Double]] {
        labels.map {
            Sound.sine($0 == 4 ? 60 : 500 + 400 * Double($0 % 16), rate: 48_000, count: count, amplitude: 0.4)
        }
    }

    static func noise(_ count: Int, seed: UInt64) -> [Double] {
        let random = CounterRandom(seed: seed, object: 0)
        return (0..<count).map { 0.4 * (random.unit(UInt64($0)) - 0.5) }
    }

    @Test(
        "The decoded stream is priming, sound and remainder, for any length",
        arguments: [0, 1, 1023, 1024, 1025, 48_000, 100_003])
    func lengths(count: Int) throws {
        let encoder = try Codecs.makeEncoder(.aac, sampleRate: 48_000, channelCount: 2)
        let packets = try encoder.packets(of: Self.tones([1, 2], count: count))
        let decoded = try Codecs.makeDecoder(encoder.format).samples(of: packets)
        #expect(encoder.primingFrames == 1024)
        #expect(decoded[0].count == packets.count * 1024 && packets.allSatisfy { $0.frames == 1024 })
        #expect(count == 0 || decoded[0].count == encoder.primingFrames + count + encoder.remainderFrames)
        #expect(packets.allSatisfy { $0.bytes.count <= encoder.maximumPacketSize })
    }

    @Test("Every number of channels keeps each in its place, in AAC's order and in the reverse", arguments: 1...8)
    func channels(count: Int) throws {
        let own = try #require(ChannelOrder.mpeg4(count))
        for labels in [own, own.reversed()] {
            let encoder = try Codecs.makeEncoder(
                .aac, sampleRate: 48_000, channelCount: count, channelLabels: labels,
                settings: EncoderSettings(bitRate: 96_000 * count))
            let sound = Self.tones(labels, count: 20_000)
            let packets = try encoder.packets(of: sound)
            var format = encoder.format
            #expect(format.channelLabels == labels)
            #expect(try Codecs.makeDecoder(format).samples(of: packets).map { Array($0[1024..<21_024]) }.isNear(sound))
            format.channelLabels = nil
            let decoder = try Codecs.makeDecoder(format)
            let decoded = try decoder.samples(of: packets)
            #expect(decoder.format.channelLabels == own)
            #expect(
                decoded.map { Array($0[1024..<21_024]) }.isNear(count <= 2 ? sound : Self.tones(own, count: 20_000)))
        }
    }

    @Test("The bit rate is what was asked for", arguments: [48_000, 96_000, 160_000, 320_000])
    func bitRate(wanted: Int) throws {
        let noise = (0..<2).map { channel in Self.noise(96_000, seed: UInt64(channel + 1)) }
        for strategy in [EncoderSettings.Strategy.constant, .longTermAverage] {
            let encoder = try Codecs.makeEncoder(
                .aac, sampleRate: 48_000, channelCount: 2,
                settings: EncoderSettings(bitRate: wanted, strategy: strategy))
            let bits = try encoder.packets(of: noise).reduce(0) { $0 + 8 * $1.bytes.count }
            #expect(abs(Double(bits) / 2 / Double(wanted) - 1) < 0.1, "\(bits / 2) bit/s")
        }
    }

    /// Measured with the `ffmpeg` command and the same options: 70 and 67 dB. A search that gives up in loud steady
    /// tones leaves 9 dB and loses 2.5 dB of level.
    @Test(
        "A loud steady tone keeps its level", arguments: [(1000.0, 0.9), (441, 0.5)], [(128_000, 30.0), (256_000, 45)])
    func steadyTone(tone: (frequency: Double, amplitude: Double), quality: (bitRate: Int, ratio: Double)) throws {
        let sound = Sound.sine(tone.frequency, rate: 48_000, count: 48_000, amplitude: tone.amplitude)
        let encoder = try Codecs.makeEncoder(
            .aac, sampleRate: 48_000, channelCount: 2, settings: EncoderSettings(bitRate: quality.bitRate))
        let packets = try encoder.packets(of: [sound, sound])
        for channel in try Codecs.makeDecoder(encoder.format).samples(of: packets) {
            let original = sound[4096..<44_000], decoded = channel[(4096 + 1024)..<(44_000 + 1024)]
            let level = 10 * log10(decoded.reduce(0) { $0 + $1 * $1 } / original.reduce(0) { $0 + $1 * $1 })
            let ratio = Sound.signalToNoise(original, decoded)
            #expect(abs(level) < 0.1 && ratio > quality.ratio, "\(level) dB of level, \(ratio) dB over the error")
        }
    }

    @Test("More quality takes more bits and comes nearer")
    func quality() throws {
        let noise = [Self.noise(48_000, seed: 3)]
        var last = (bytes: 0, ratio: -Double.infinity)
        for quality in [0.0, 0.25, 0.5, 0.75, 1] {
            let encoder = try Codecs.makeEncoder(
                .aac, sampleRate: 48_000, channelCount: 1,
                settings: EncoderSettings(strategy: .variable, quality: quality))
            let packets = try encoder.packets(of: noise),
                decoded = try Codecs.makeDecoder(encoder.format).samples(of: packets)[0].dropFirst(1024)
            let ratio = Sound.signalToNoise(noise[0][...], decoded), bytes = packets.reduce(0) { $0 + $1.bytes.count }
            #expect(bytes > last.bytes && ratio > last.ratio, "quality \(quality): \(bytes) bytes, \(ratio) dB")
            last = (bytes, ratio)
        }
    }

    @Test("After a reset the same sound gives the same packets, and the same packets the same sound")
    func reset() throws {
        let sound = [Self.noise(20_000, seed: 1), Self.noise(20_000, seed: 2)]
        let encoder = try Codecs.makeEncoder(.aac, sampleRate: 44_100, channelCount: 2),
            first = try encoder.packets(of: sound, piece: 1000)
        try encoder.reset()
        #expect(try encoder.packets(of: sound, piece: 777) == first)
        let decoder = try Codecs.makeDecoder(encoder.format), decoded = try decoder.samples(of: first)
        decoder.reset()
        #expect(try decoder.samples(of: first) == decoded)
    }

    @Test("The cookie is an ES descriptor; the bare configuration inside does as well")
    func cookie() throws {
        let encoder = try Codecs.makeEncoder(.aac, sampleRate: 22_050, channelCount: 1),
            packets = try encoder.packets(of: Self.tones([1], count: 5000))
        let configuration = try #require(AACConfiguration(cookie: encoder.format.cookie))
        #expect(
            encoder.format.cookie.first == 3 && configuration.objectType == 2 && configuration.sampleRate == 22_050
                && configuration.channelCount == 1)
        let decoded = try Codecs.makeDecoder(encoder.format).samples(of: packets)
        var format = encoder.format
        format.cookie = configuration.audioSpecificConfig
        #expect(try Codecs.makeDecoder(format).samples(of: packets) == decoded)
    }

    @Test("A damaged packet throws, and the next is decoded")
    func damage() throws {
        let encoder = try Codecs.makeEncoder(.aac, sampleRate: 48_000, channelCount: 1),
            packets = try encoder.packets(of: Self.tones([1], count: 30_000))
        let decoder = try Codecs.makeDecoder(encoder.format)
        var failures = 0, frames = 0
        for (index, packet) in packets.enumerated() {
            do {
                frames += try decoder.samples(of: index % 7 == 3 ? Array(packet.bytes.prefix(3)) : packet.bytes)[0]
                    .count
            } catch let error as CodecError {
                #expect(error.kind == .damaged)
                failures += 1
            }
        }
        #expect(failures == 4 && frames == (packets.count - failures) * 1024)
    }

    @Test("What cannot be made is refused with the reason")
    func refusals() throws {
        for (codec, rate, count, labels, bits) in [
            (AudioCodec.heAAC, 44_100.0, 2, nil, nil), (.heAACv2, 44_100, 2, nil, nil), (.aac, 50_000, 2, nil, nil),
            (.aac, 44_100, 9, nil, nil),
            (.aac, 44_100, 6, [1, 2, 3, 4, 5, 7], nil), (.aac, 44_100, 2, nil, 999_000),
        ] as [(AudioCodec, Double, Int, [UInt32]?, Int?)] {
            let error = #expect(throws: CodecError.self) {
                try Codecs.makeEncoder(
                    codec, sampleRate: rate, channelCount: count, channelLabels: labels,
                    settings: EncoderSettings(bitRate: bits))
            }
            #expect(error?.rule.isEmpty == false && error?.cure.isEmpty == false)
        }
        #expect(throws: CodecError.self) {
            try Codecs.makeDecoder(PacketFormat(codec: .aac, sampleRate: 44_100, channelCount: 2, cookie: [1, 2]))
        }
        #expect(throws: CodecError.self) {
            try Codecs.makeDecoder(PacketFormat(codec: .vorbis, sampleRate: 44_100, channelCount: 2))
        }
    }
}

extension [[Double]] {
    /// Whether every channel lies 15 dB or more above its difference from that of `other`: tones stay, and in another
    /// channel they do not.
    fileprivate func isNear(_ other: [[Double]]) -> Bool {
        count == other.count && zip(self, other).allSatisfy { Sound.signalToNoise($1[...], $0[...]) > 15 }
    }
}
#endif
