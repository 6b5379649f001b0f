import OssicleCodecs
import Testing
@testable import OssicleFiles

@Suite("Bit rates") struct EncoderSettingsTests {
    /// Bits per second of ten seconds of stereo noise and tones.
    private func rate(_ name: String, _ settings: EncoderSettings) throws -> Double {
        let coding = try #require(Coding.all.first { $0.name == name })
        let sound = Signal.tonesAndNoise(channels: 2, frames: 240_000).map { $0.map(Double.init) }
        return Double(try encoded(sound, coding, settings: settings).count) * 8 / 5
    }

    @Test("A constant bit rate of MP3 is met to two per cent", arguments: [64_000, 128_000, 192_000, 320_000])
    func constant(bitRate: Int) throws {
        let measured = try rate("a.mp3", EncoderSettings(bitRate: bitRate, strategy: .constant))
        #expect(abs(measured / Double(bitRate) - 1) < 0.02, "\(measured)")
    }

    @Test("An average bit rate of MP3 is met to a tenth", arguments: [96_000, 160_000])
    func average(bitRate: Int) throws {
        let measured = try rate("a.mp3", EncoderSettings(bitRate: bitRate, strategy: .longTermAverage))
        #expect(abs(measured / Double(bitRate) - 1) < 0.1, "\(measured)")
    }

    @Test("Opus comes near its bit rate", arguments: [48_000, 96_000, 192_000])
    func opus(bitRate: Int) throws {
        let measured = try rate("a.opus", EncoderSettings(bitRate: bitRate))
        #expect((0.7...1.15).contains(measured / Double(bitRate)), "\(measured)")
    }

    @Test("More quality takes more bits", arguments: ["a.mp3", "a.ogg", "a.opus"])
    func quality(name: String) throws {
        let rates = try [0.1, 0.5, 0.9].map { try rate(name, EncoderSettings(strategy: .variable, quality: $0)) }
        #expect(rates[0] < rates[1] && rates[1] < rates[2], "\(rates)")
    }

    @Test("Vorbis spends more on a higher nominal rate")
    func vorbis() throws {
        let rates = try [64_000, 128_000, 256_000].map { try rate("a.ogg", EncoderSettings(bitRate: $0)) }
        #expect(rates[0] < rates[1] && rates[1] < rates[2], "\(rates)")
        #expect(rates[0] < 110_000 && rates[2] > 150_000, "\(rates)")
    }
}
