import Foundation
import OssicleVoice
import Testing

@testable import ossicle

@Suite("ossicle analyze --echo")
struct EchoAnalysisTests {
    private func folder() throws -> SoundFolder {
        var settings = EchoScene.Settings()
        (settings.farAlone, settings.both, settings.nearAlone, settings.decay) = (3, 1, 2, 0.3)
        let scene = EchoScene(settings)
        let folder = try SoundFolder()
        for (name, samples) in [
            ("far.wav", scene.far), ("mic.wav", scene.microphone), ("near.wav", scene.near), ("out.wav", scene.near),
        ] {
            try folder.write([samples.map(Double.init)], to: name, rate: 16_000)
        }
        return folder
    }

    private func analysis(_ folder: SoundFolder, of name: String) throws -> EchoAnalysis {
        try EchoAnalysis(
            output: folder.path(name), far: folder.path("far.wav"), microphone: folder.path("mic.wav"),
            near: folder.path("near.wav"))
    }

    @Test("finds nothing wrong with the near talker alone, and no cancelling in the microphone's signal")
    func figures() throws {
        let folder = try folder()
        let analysis = try analysis(folder, of: "out.wav")
        let clean = analysis.figures, untouched = try self.analysis(folder, of: "mic.wav").figures
        #expect((clean.enhancement ?? 0) > 60)
        #expect(abs(clean.nearChange ?? 9) < 0.1 && clean.delay == 0 && (clean.wordsKept ?? 0) > 0.99)
        #expect(abs(untouched.enhancement ?? 9) < 0.01 && untouched.convergence == nil)
        #expect(analysis.text.contains("echo return loss enhancement") && analysis.svg.hasPrefix("<svg"))
    }

    @Test("its JSON is one object of file and figures")
    func json() throws {
        let folder = try folder()
        let data = try JSONEncoder().encode(analysis(folder, of: "out.wav"))
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(object["file"] as? String == folder.path("out.wav") && object["sampleRate"] as? Double == 16_000)
        #expect((object["course"] as? [[String: Double]])?.first?["enhancement"] != nil)
    }

    @Test("is a command with all three files, and none without")
    func command() throws {
        let folder = try folder()
        let files = [
            "--far", folder.path("far.wav"), "--mic", folder.path("mic.wav"), "--near", folder.path("near.wav"),
        ]
        try AnalyzeCommand.parse(
            [folder.path("out.wav"), "--echo", "--json", "--picture", folder.path("echo.svg")] + files
        ).run()
        #expect(folder.files.contains("echo.svg"))
        #expect(throws: (any Error).self) { try AnalyzeCommand.parse(["out.wav", "--echo"] + files.dropLast(2)) }
        #expect(throws: (any Error).self) { try AnalyzeCommand.parse(["out.wav"] + files) }
    }
}
