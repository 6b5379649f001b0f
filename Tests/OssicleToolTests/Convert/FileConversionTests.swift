import Foundation
import OssicleCodecs
import OssicleCore
import OssicleFiles
import Testing
@testable import ossicle

@Suite("From one sound file to another")
struct FileConversionTests {
    private let folder: SoundFolder

    init() throws { folder = try SoundFolder() }

    @discardableResult
    private func convert(_ input: String, to output: String, _ arguments: String...) throws -> ConversionReport {
        let options = try ConversionOptions.parse(arguments)
        let format = try #require(options.format ?? OutputFormat(ending: (output as NSString).pathExtension))
        let job = ConversionPlan.Job(input: folder.path(input), output: folder.path(output), format: format)
        return try FileConversion(job: job, options: options, overwrites: false).run()
    }

    @Test(
        "formats that keep samples keep every one of them, there and back",
        arguments: ["flac", "aiff", "caf", "au", "w64", "rf64", "wav"])
    func exact(format: String) throws {
        let samples = [Tones.integers(70_000), Tones.integers(70_000).reversed()]
        try folder.write(samples, to: "a.wav")
        try convert("a.wav", to: "b.\(format)")
        try convert("b.\(format)", to: "c.wav")
        let there = try folder.read("b.\(format)"), back = try folder.read("c.wav")
        #expect(there.info.bitDepth == 16)
        #expect(there.channels == samples)
        #expect(back.channels == samples)
    }

    @Test(
        "the depth of the samples stays, or becomes what is asked",
        arguments: [
            (AudioCodec.pcm24, "b.flac", [String](), AudioCodec.flac24), (.pcm24, "b.wav", [], .pcm24),
            (.float32, "b.wav", [], .float32), (.float64, "b.caf", [], .float64),
            (.float32, "b.flac", [], .flac24), (.pcm16, "b.wav", ["--bits", "24"], .pcm24),
            (.float32, "b.wav", ["--bits", "16"], .pcm16),
            (.pcm16, "b.wav", ["--codec", "float"], .float32), (.pcm16, "b.wav", ["--codec", "mulaw"], .muLaw),
            (.pcm16, "b.wav", ["--bits", "8"], .pcm8Unsigned),
            (.pcm16, "b.aiff", ["--bits", "8"], .pcm8), (.pcm24, "b.caf", ["--codec", "alac"], .alac24),
        ])
    func depth(source: AudioCodec, output: String, arguments: [String], expected: AudioCodec) throws {
        try folder.write([Tones.sine(500, seconds: 0.1)], to: "a.wav", .wav, source)
        let options = try ConversionOptions.parse(arguments)
        let format = try #require(OutputFormat(ending: (output as NSString).pathExtension))
        try FileConversion(
            job: .init(input: folder.path("a.wav"), output: folder.path(output), format: format), options: options,
            overwrites: false
        ).run()
        #expect(try folder.read(output).info.codec == expected)
    }

    @Test("a depth the codec has not is refused with those it has")
    func wrongDepth() throws {
        try folder.write([Tones.sine(500, seconds: 0.1)], to: "a.wav")
        #expect { try convert("a.wav", to: "b.flac", "--bits", "20") } throws: {
            "\($0)".contains("--bits 20 does not go with flac, which takes 16, 24")
        }
        #expect { try convert("a.wav", to: "b.mp3", "--bits", "16") } throws: { "\($0)".contains("leave --bits out") }
        #expect(folder.files == ["a.wav"])
    }

    @Test("44.1 to 48 kHz gives N·48000/44100 frames and keeps the level")
    func rate() throws {
        try folder.write([Tones.sine(1000, seconds: 1, rate: 44_100)], to: "a.wav", .wav, .float32, rate: 44_100)
        try convert("a.wav", to: "b.wav", "--rate", "48000")
        let (info, channels, _) = try folder.read("b.wav")
        #expect(info.sampleRate == 48_000)
        #expect(channels[0].count == 48_000)
        // The ends, where the filter sees the silence around, left out; whole periods.
        let level = Tones.amplitude(of: 1000, in: channels[0][4800..<43_200], rate: 48_000)
        #expect(abs(Decibels.of(amplitude: level / 0.5)) < 0.01)
    }

    @Test("stereo to mono is the mean of both, mono to stereo the same twice")
    func channels() throws {
        try folder.write([Tones.sine(1000, seconds: 0.5), Tones.sine(3000, seconds: 0.5)], to: "a.wav", .wav, .float32)
        try convert("a.wav", to: "mono.wav", "--channels", "1")
        let mono = try folder.read("mono.wav").channels
        #expect(mono.count == 1)
        for frequency in [1000.0, 3000] {
            let level = Tones.amplitude(of: frequency, in: mono[0], rate: 48_000)
            // Equal parts of both: not quieter than the mean of amplitudes, not louder than the mean of powers.
            #expect(level > 0.249 && level < 0.354)
        }
        try convert("mono.wav", to: "stereo.wav", "--channels", "2")
        let stereo = try folder.read("stereo.wav").channels
        #expect(stereo.count == 2)
        #expect(stereo[0] == stereo[1])
        #expect(
            abs(
                Tones.amplitude(of: 1000, in: stereo[0], rate: 48_000)
                    / Tones.amplitude(of: 1000, in: mono[0], rate: 48_000) - 1) < 1e-6)
    }

    @Test("5.1 goes into stereo: left and right to their sides, the centre to both")
    func downmix() throws {
        let tones = (0..<6).map { Tones.sine(400 * Double($0 + 1), amplitude: 0.1, seconds: 0.5) }
        try folder.write(tones, to: "a.wav", .wav, .float32, labels: [1, 2, 3, 4, 5, 6])
        try convert("a.wav", to: "b.wav", "--channels", "2")
        let stereo = try folder.read("b.wav").channels
        func level(_ tone: Int, _ side: Int) -> Double {
            Tones.amplitude(of: 400 * Double(tone + 1), in: stereo[side], rate: 48_000)
        }
        #expect(level(0, 0) > 100 * level(0, 1))
        #expect(level(1, 1) > 100 * level(1, 0))
        #expect(abs(level(2, 0) / level(2, 1) - 1) < 1e-3)
        // ITU-R BS.775: the centre and the surrounds 3 dB below the fronts.
        #expect(abs(Decibels.of(amplitude: level(2, 0) / level(0, 0)) + 3) < 0.1)
        #expect(abs(Decibels.of(amplitude: level(4, 0) / level(0, 0)) + 3) < 0.1)
        #expect(level(4, 0) > 100 * level(4, 1))
    }

    @Test(
        "the loudness asked for is reached within 0.1 LU",
        arguments: [("b.wav", -16.0), ("b.flac", -23), ("b.wav", -30)])
    func loudness(output: String, target: Double) throws {
        let swell = zip(Tones.sine(1000, amplitude: 0.2, seconds: 4), 0...).map {
            $0 * (1 + 0.5 * sin(Double($1) / 20_000))
        }
        try folder.write([swell, swell.reversed()], to: "a.wav", .wav, .pcm24)
        let report = try convert("a.wav", to: output, "--loudness", "\(target)")
        let facts = try SoundFacts(of: folder.path(output))
        let loudness = try #require(facts.loudness)
        #expect(abs(loudness.integrated - target) < 0.1)
        #expect(report.text.contains("LUFS"))
    }

    @Test("a true peak above −1 dBTP is not made for the sake of loudness, and the report says so")
    func truePeak() throws {
        var quiet = Tones.sine(1000, amplitude: 0.01, seconds: 2)
        for frame in 40_000..<40_480 { quiet[frame] *= 50 }
        try folder.write([quiet], to: "a.wav", .wav, .float32)
        let report = try convert("a.wav", to: "b.wav", "--loudness", "-10")
        let loudness = try #require(try SoundFacts(of: folder.path("b.wav")).loudness)
        #expect(abs(Decibels.of(amplitude: loudness.truePeak) + 1) < 0.1)
        #expect(report.text.contains("less than asked so that the true peak stays at −1.0 dBTP"))
    }

    @Test("silence has no loudness and is left alone")
    func silence() throws {
        try folder.write([[Double](repeating: 0, count: 48_000)], to: "a.wav")
        let report = try convert("a.wav", to: "b.wav", "--loudness", "-16")
        #expect(report.text.contains("loudness left alone"))
        #expect(try folder.read("b.wav").channels[0].allSatisfy { $0 == 0 })
    }

    @Test("title, artist and the like go along", arguments: ["flac", "aiff", "ogg"])
    func metadata(format: String) throws {
        var tags = AudioMetadata()
        tags.title = "Ossa auditus"
        tags.artist = "Malleus & Incus"
        try folder.write([Tones.sine(440, seconds: 0.3)], to: "a.wav", metadata: tags)
        try convert("a.wav", to: "b.\(format)")
        let kept = try folder.read("b.\(format)").metadata
        #expect(kept.title == tags.title)
        #expect(kept.artist == tags.artist)
    }

    @Test("a rate the codec does not know becomes the next above it")
    func opusRate() throws {
        try folder.write([Tones.sine(1000, seconds: 1, rate: 44_100)], to: "a.wav", rate: 44_100)
        let report = try convert("a.wav", to: "b.opus")
        #expect(report.form.sampleRate == 48_000)
        #expect(try folder.read("b.opus").channels[0].count == 48_000)
    }

    @Test("noise hides the loss of bits, of half a step and less, and the same bytes come again")
    func dither() throws {
        let faint = Tones.sine(1000, amplitude: 0.25 / 128, seconds: 1)
        try folder.write([faint], to: "a.wav", .wav, .float32)
        for (name, arguments) in [
            ("plain.wav", ["--bits", "8"]), ("one.wav", ["--bits", "8", "--dither"]),
            ("two.wav", ["--bits", "8", "--dither"]),
        ] {
            let options = try ConversionOptions.parse(arguments)
            try FileConversion(
                job: .init(input: folder.path("a.wav"), output: folder.path(name), format: .wav), options: options,
                overwrites: false
            ).run()
        }
        // A tone of a quarter step vanishes in rounding and survives in noise.
        #expect(Tones.amplitude(of: 1000, in: try folder.read("plain.wav").channels[0], rate: 48_000) < 0.05 / 128)
        #expect(
            abs(Tones.amplitude(of: 1000, in: try folder.read("one.wav").channels[0], rate: 48_000) - 0.25 / 128) < 0.03
                / 128)
        #expect(
            FileManager.default.contents(atPath: folder.path("one.wav"))
                == FileManager.default.contents(atPath: folder.path("two.wav")))
    }

    @Test("a failure leaves nothing behind, not even half a file")
    func noHalfFile() throws {
        try folder.write([Tones.sine(440, seconds: 0.1)], to: "a.wav", rate: 44_100)
        #expect(throws: (any Error).self) { try convert("a.wav", to: "b.opus", "--rate", "44100") }
        #expect(folder.files == ["a.wav"])
    }

    @Test("what a writer meets while it works is refused too: the file is not replaced")
    func meanwhile() throws {
        try folder.write([Tones.sine(440, seconds: 0.1)], to: "a.wav")
        _ = try folder.write([1, 2, 3], to: "b.wav")
        #expect { try convert("a.wav", to: "b.wav") } throws: { "\($0)".contains("came into being meanwhile") }
        #expect(FileManager.default.contents(atPath: folder.path("b.wav")) == Data([1, 2, 3]))
        #expect(folder.files == ["a.wav", "b.wav"])
    }
}
