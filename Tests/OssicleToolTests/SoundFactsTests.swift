import Foundation
import Testing
@testable import ossicle

@Suite("ossicle info")
struct SoundFactsTests {
    /// A 997 Hz sine of amplitude 0.5 on both channels, as the demo would write it.
    private func sine(seconds: Double) throws -> String {
        let samples = (0..<Int(seconds * 48_000)).map { Float(0.5 * sin(2 * .pi * 997 * Double($0) / 48_000)) }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("ossicle-info-\(UUID().uuidString).wav")
        try Data(WaveFile(left: samples, right: samples, sampleRate: 48_000).bytes).write(to: url)
        return url.path
    }

    @Test("tells format, length, loudness and peak of a file the demo's writer made")
    func facts() throws {
        let path = try sine(seconds: 2)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let facts = try SoundFacts(of: path)
        #expect(facts.info.codec == .pcm24)
        #expect(facts.frames == 96_000)
        // BS.1770: a full-scale 997 Hz sine in one front channel is −3.01 LUFS; two channels at half amplitude: −6.02.
        let loudness = try #require(facts.loudness)
        #expect(abs(loudness.integrated + 6.02) < 0.1)
        #expect(abs(loudness.samplePeak - 0.5) < 1e-3)
        #expect(facts.text.contains("2.000 s, 96000 frames"))
        #expect(facts.text.contains("−6.0 LUFS"))
    }

    @Test("names a missing file, the rule and the cure")
    func missing() {
        #expect {
            try SoundFacts(of: "/nowhere/at-all.wav")
        } throws: { error in
            "\(error)".contains("/nowhere/at-all.wav") && "\(error)".contains("must exist") && "\(error)".contains("Check the path")
        }
    }

    @Test("the user's own sound is folded to mono at the scene's rate")
    func userSound() throws {
        let path = try sine(seconds: 1)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try SceneSound.samples(ofFile: path, sampleRate: 48_000).count == 48_000)
        #expect(try SceneSound.samples(ofFile: path, sampleRate: 44_100).count == 44_100)
    }
}
