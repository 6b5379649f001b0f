import ArgumentParser
import Foundation
import OssicleFiles
import Testing
@testable import ossicle

@Suite("ossicle info")
struct SoundFactsTests {
    private let folder: SoundFolder

    init() throws { folder = try SoundFolder() }

    @Test("tells format, length, loudness and peak")
    func facts() throws {
        let sine = Tones.sine(997, seconds: 2)
        let facts = try SoundFacts(of: try folder.write([sine, sine], to: "a.wav", .wav, .pcm24))
        #expect(facts.info.codec == .pcm24)
        #expect(facts.frames == 96_000)
        // BS.1770: a full-scale 997 Hz sine in one front channel is −3.01 LUFS; two channels at half amplitude: −6.02.
        let loudness = try #require(facts.loudness)
        #expect(abs(loudness.integrated + 6.02) < 0.1)
        #expect(abs(loudness.maximumMomentary + 6.02) < 0.1)
        #expect(abs(loudness.samplePeak - 0.5) < 1e-3)
        for words in ["WAV, 24-bit PCM", "2 (stereo", "48000 Hz", "2.000 s, 96000 frames", "−6.0 LUFS", "2304 kb/s"] {
            #expect(facts.text.contains(words))
        }
    }

    @Test("the loudness range is that between two steady parts (EBU Tech 3342)")
    func range() throws {
        // Test 1 of the document: a tone at −20 dBFS, then at −30 dBFS, 20 s each: 10 LU.
        let steps =
            Tones.sine(1000, amplitude: 0.1, seconds: 20)
            + Tones.sine(1000, amplitude: 0.1 / 10.0.squareRoot(), seconds: 20)
        let facts = try SoundFacts(of: try folder.write([steps, steps], to: "a.wav", .wav, .float32))
        #expect(abs((facts.loudness?.range ?? 0) - 10) < 1)
        #expect(abs((facts.loudness?.maximumShortTerm ?? 0) + 20) < 0.1)
    }

    @Test("tells the tags, on one line each whatever they hold")
    func tags() throws {
        var tags = AudioMetadata()
        tags.title = "Ossa"
        tags.comment = "first\u{1B}[2J second"
        let facts = try SoundFacts(
            of: try folder.write([Tones.sine(440, seconds: 0.5)], to: "a.flac", .flac, .flac16, metadata: tags))
        #expect(facts.text.contains("title     Ossa"))
        #expect(facts.text.contains("comment   first [2J second"))
    }

    @Test("tells where a sound clips, and not of single peaks")
    func clipping() throws {
        var samples = Tones.sine(440, seconds: 1)
        samples[12_000] = 1
        for frame in 24_000..<24_005 { samples[frame] = 1 }
        let facts = try SoundFacts(of: try folder.write([samples], to: "a.wav"))
        #expect(facts.waveform.clippings == 1)
        #expect(facts.waveform.firstClipping == 24_000)
        #expect(facts.text.contains("clipping  1 place, at 0.500 s"))
    }

    @Test(
        "names channels in words",
        arguments: [
            (1, [42], "1 (mono)"), (2, [1, 2], "2 (stereo: left, right)"), (2, nil, "2 (stereo)"), (5, nil, "5"),
            (6, [1, 2, 3, 4, 5, 6], "6 (5.1: left, right, centre, LFE, left surround, right surround)"),
            (2, [3, 999], "2 (centre, label 999)"),
        ] as [(Int, [UInt32]?, String)])
    func channels(count: Int, labels: [UInt32]?, words: String) {
        #expect(ChannelWords.describe(count, labels) == words)
    }

    @Test("a sound shorter than a block of the measure has no loudness, an empty one no peak either")
    func short() throws {
        #expect(
            try SoundFacts(of: try folder.write([Tones.sine(440, seconds: 0.1)], to: "a.wav")).text.contains(
                "– (shorter than 0.4 s)"))
        let empty = try SoundFacts(of: try folder.write([[]], to: "b.wav"), draws: true)
        #expect(empty.text.contains("0.000 s, 0 frames"))
        #expect(empty.text.contains("peak      −∞ dBFS"))
        #expect(empty.svg != nil)
    }

    @Test("names a missing file, the rule and the cure")
    func missing() {
        #expect { try SoundFacts(of: "/nowhere/at-all.wav") } throws: { error in
            "\(error)".contains("/nowhere/at-all.wav") && "\(error)".contains("must exist")
                && "\(error)".contains("Check the path")
        }
    }

    @Test("a bad file does not hold up the others, and the command fails")
    func goesOn() throws {
        let good = try folder.write([Tones.sine(440, seconds: 0.1)], to: "a.wav")
        #expect { try InfoCommand.parse([good, "/nowhere/at-all.wav", good]).run() } throws: {
            $0 as? ExitCode == .failure
        }
    }

    @Test("a picture is drawn of one file only, into a place that exists")
    func picture() throws {
        #expect { try InfoCommand.parse(["a.wav", "b.wav", "--picture", "c.svg"]) } throws: {
            InfoCommand.message(for: $0).contains("name one file, not 2")
        }
        let sound = try folder.write([Tones.sine(440, seconds: 0.5)], to: "a.wav")
        #expect { try InfoCommand.parse([sound, "--picture", "/nowhere/c.svg"]).run() } throws: {
            "\($0)".contains("does not exist")
        }
        try InfoCommand.parse([sound, "--picture", folder.path("c.svg")]).run()
        #expect(folder.files == ["a.wav", "c.svg"])
    }
}
