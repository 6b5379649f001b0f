import Foundation
import FoundationXML
import OssicleTestSupport
import Testing

@testable import OssicleTestKit

@Suite("Golden renderings") struct GoldenTests {
    /// A second of noise on the left, a second of a tone on both sides, half a second of silence.
    private static func channels() -> [[Float]] {
        let tone = Tones.sine(440, seconds: 1, amplitude: 0.2)
        return [Tones.noise(1, 1, 0.2) + tone + Tones.silence(0.5), Tones.silence(1) + tone + Tones.silence(0.5)]
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func golden(
        named name: String = "a/b: sound", _ tolerances: GoldenTolerances = GoldenTolerances(), records: Bool = false
    ) -> Golden {
        Golden(name, tolerances: tolerances, in: folder.url, records: records)
    }

    /// Records the sound above and compares another with it.
    /// - Parameter name: one of its own for a test that reads the picture or the sound, which have the golden's name.
    private func compared(
        named name: String = "a/b: sound", within tolerances: GoldenTolerances = GoldenTolerances(),
        _ change: (inout [[Float]]) -> Void
    ) throws -> Finding {
        var channels = Self.channels()
        #expect(
            golden(named: name, records: true).finding(for: try Sound(channels: channels, sampleRate: 48_000)).holds)
        change(&channels)
        return golden(named: name, tolerances).finding(for: try Sound(channels: channels, sampleRate: 48_000))
    }

    @Test("a baseline is a few kilobytes of text, comes back as it was, and a sound is like itself")
    func same() throws {
        #expect(try compared({ _ in }).holds)
        let file = golden().file
        #expect(file.lastPathComponent == "a_b_ sound.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.utf8.count < 4000 && text.split(separator: "\n").allSatisfy { $0.count < 200 })
        let numbers = GoldenNumbers(try Sound(channels: Self.channels(), sampleRate: 48_000))
        #expect(try GoldenFile.read(file) == numbers)
        // 0.2²/3 in noise.
        let first = try #require(numbers.mix.levels[0][1])
        #expect(abs(first - 10 * log10(0.04 / 3)) < 0.2 && numbers.mix.levels[1][0] == nil)
        #expect(numbers.mix.pitches[5].map { abs($0 - 440) < 0.1 } == true && numbers.mix.pitches[1] == nil)
    }

    @Test("what is within the tolerances is as it was, what is beyond is not")
    func tolerances() throws {
        let quieter: (inout [[Float]]) -> Void = { $0 = $0.map { $0.map { $0 * 0.95 } } } // −0.45 dB
        #expect(try compared(within: GoldenTolerances(loudness: 0.5), quieter).holds)
        #expect(try !compared(within: GoldenTolerances(level: 0.4, loudness: 0.5), quieter).holds)
        // −88 dB in silence, and under the tone.
        let hum = Tones.noise(2.5, 4, 0.0001)
        #expect(try compared({ $0[1] = zip($0[1], hum).map { $0 + $1 } }).holds)
        #expect(try !compared({ $0[1] = hum }).holds)
    }

    @Test("3 dB less in one second are −3.0 dB from 1 to 2 s")
    func level() throws {
        let finding = try compared { channels in
            for channel in 0..<2 { for frame in 48_000..<96_000 { channels[channel][frame] *= 0.70795 } }
        }
        #expect(!finding.holds)
        #expect(finding.details.contains { $0.hasPrefix("mix: −3.0 dB from 1 to 2 s") }, "\(finding)")
        #expect(finding.details.last?.contains("onsets, directions, pitch") == true, "\(finding)")
    }

    @Test("a channel, a colour, an onset, a pitch and a direction are named")
    func others() throws {
        let left = try compared { $0[0] = $0[0].map { $0 * 2 } }
        #expect(left.details.contains { $0.hasPrefix("mix: channel 1 +6.0 dB throughout") }, "\(left)")
        let late = try compared { $0 = $0.map { Tones.silence(0.03) + $0.dropLast(1440) } }
        #expect(late.details.contains("onset at 0.000 s is 30 ms late"), "\(late)")
        let gone = try compared { $0 = [Tones.silence(2.5), Tones.silence(2.5)] }
        #expect(gone.details.contains("onset at 0.000 s is missing"), "\(gone)")
        let higher = try compared { channels in
            let tone = Tones.sine(440 * pow(2, 50.0 / 1200), seconds: 1, amplitude: 0.2)
            for channel in 0..<2 { channels[channel].replaceSubrange(48_000..<96_000, with: tone) }
        }
        #expect(higher.details.contains("pitch from 1 to 2 s: 50 cents higher"), "\(higher)")
        let short = try compared { $0 = $0.map { Array($0.prefix(96_000)) } }
        #expect(short.details.contains("length: 2 s, was 2.5 s"), "\(short)")
        let mono = try compared { $0 = [$0[0]] }
        #expect(mono.details.contains("channels: 1, was 2"))
        let broken = try compared { $0[0][7] = .nan }
        #expect(!broken.holds && broken.summary.contains("1 samples are NaN"))
    }

    @Test("a sound field that turns is a turned direction")
    func direction() throws {
        func field(_ azimuth: Double) throws -> Sound {
            let angle = azimuth * .pi / 180, noise = Tones.noise(1)
            return try Sound(
                channels: [1, sin(angle), 0, cos(angle)].map { gain in noise.map { $0 * Float(gain) } },
                sampleRate: 48_000)
        }
        _ = golden(records: true).finding(for: try field(30))
        #expect(golden().finding(for: try field(33)).details.allSatisfy { !$0.hasPrefix("direction") })
        let finding = golden().finding(for: try field(-40))
        #expect(
            finding.details.contains("direction from 0 to 1 s: 40° to the right, was 30° to the left, 0° up, was 0°"),
            "\(finding)")
    }

    @Test("the picture is XML with the difference in it, and the sound is there to be listened to")
    func files() throws {
        let finding = try compared(named: "files") { $0[1] = $0[1].map { $0 * 2 } }
        let (picture, wave) = (try #require(finding.files.first), try #require(finding.files.last))
        let parser = XMLParser(data: try Data(contentsOf: picture))
        #expect(parser.parse())
        let text = try String(contentsOf: picture, encoding: .utf8)
        #expect(text.contains("channel 2 +6.0 dB") && text.contains("440") == false && text.contains("500 Hz: +"))
        #expect(try Sound(contentsOf: wave).channels[1][60_000] == 2 * Self.channels()[1][60_000])
        for file in finding.files { try FileManager.default.removeItem(at: file) }
    }

    @Test("a baseline that is missing, damaged or of a newer release is not one, and the sentence says what to do")
    func baselines() throws {
        let sound = try Sound(channels: Self.channels(), sampleRate: 48_000)
        #expect(golden().finding(for: sound).summary.contains("record it with OSSICLE_RECORD=1"))
        _ = golden(records: true).finding(for: sound)
        let file = golden().file, text = try String(contentsOf: file, encoding: .utf8)
        func summary(_ text: String) throws -> String {
            try Data(text.utf8).write(to: file)
            let finding = golden().finding(for: sound)
            return finding.holds ? "" : finding.description
        }
        #expect(try summary(text.replacing("\"version\": 1", with: "\"version\": 2")).contains("has version 2"))
        #expect(try summary("{}").contains("is no baseline"))
        #expect(try summary(text.replacing("\"mix\"", with: "\"mux\"")).contains("is damaged"))
        // Cut and spoilt files: other differences or an error, never a trap.
        let bytes = Array(text.utf8), numbers = GoldenNumbers(sound)
        var mutator = Mutator(seed: 5)
        for _ in 0..<300 {
            try Data(mutator.mutate(bytes)).write(to: file)
            guard let read = try? GoldenFile.read(file) else { continue }
            let comparison = GoldenComparison(from: read, to: numbers, GoldenTolerances())
            #expect(!GoldenPicture(name: "spoilt", comparison: comparison).svg.isEmpty)
        }
    }
}
