import Foundation
import OssicleFiles
import Testing
@testable import ossicle

@Suite("ossicle info --json")
struct SoundFactsJSONTests {
    private let folder: SoundFolder

    init() throws { folder = try SoundFolder() }

    private func object(_ path: String) throws -> [String: Any] {
        let document = try SoundFactsJSON.document([SoundFactsJSON(try SoundFacts(of: path))])
        let array = try #require(try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [[String: Any]])
        return try #require(array.first)
    }

    @Test("has the keys and values that are documented")
    func values() throws {
        let sine = Tones.sine(997, seconds: 2)
        let facts = try object(try folder.write([sine, sine], to: "a.wav", .wav, .pcm24))
        #expect(
            facts["container"] as? String == "wav" && facts["codec"] as? String == "pcm24"
                && facts["format"] as? String == "WAV, 24-bit PCM")
        #expect(
            facts["bitDepth"] as? Int == 24 && facts["sampleRate"] as? Double == 48_000
                && facts["channels"] as? Int == 2)
        #expect(
            facts["frames"] as? Int == 96_000 && facts["framesInHeader"] as? Int == 96_000
                && facts["seconds"] as? Double == 2)
        #expect(facts["bytes"] as? Int == Int(FileSystem.size(folder.path("a.wav"))))
        let loudness = try #require((facts["loudness"] as? [String: Double])?["integrated"])
        #expect(abs(loudness + 6.02) < 0.1)
        #expect(abs((facts["samplePeak"] as? Double ?? 0) + 6.02) < 0.01)
        let documented = try String(
            contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../Documentation/CommandLine.md").standardized, encoding: .utf8)
        for key in facts.keys { #expect(documented.contains("`\(key)`"), "\(key) is not documented") }
    }

    @Test(
        "is valid whatever the tags hold, and gives them back",
        arguments: [
            "a \"quoted\" \\ back\\slash /", "\u{1B}[2J\u{0}\u{1}\t\r\n", "\u{2028}\u{2029}\u{FEFF}", "🦴 ключ 骨",
            "</script>", String(repeating: "x", count: 10_000),
        ])
    func tags(text: String) throws {
        var metadata = AudioMetadata()
        metadata.title = text
        let path = try folder.write([Tones.sine(440, seconds: 0.1)], to: "a \"b\\c\n.wav")
        let facts = try SoundFacts(of: path)
        let document = try SoundFactsJSON.document([SoundFactsJSON(facts, metadata: metadata)])
        let array = try #require(try JSONSerialization.jsonObject(with: Data(document.utf8)) as? [[String: Any]])
        #expect((array[0]["tags"] as? [String: String]) == ["title": text])
        #expect(array[0]["file"] as? String == path)
    }

    @Test("leaves out what is infinite or unknown: silence has no loudness, an empty file no peak")
    func silence() throws {
        let silent = try object(try folder.write([[Double](repeating: 0, count: 48_000)], to: "a.wav"))
        #expect((silent["loudness"] as? [String: Double])?["integrated"] == nil && silent["samplePeak"] == nil)
        let empty = try object(try folder.write([[]], to: "b.wav"))
        #expect(empty["frames"] as? Int == 0 && empty["bitRate"] == nil)
    }
}
