import Foundation
import OssicleVoice
import Testing

@testable import ossicle

@Suite("ossicle echo")
struct EchoCommandTests {
    private let folder: SoundFolder
    private let scene: EchoScene

    init() throws {
        folder = try SoundFolder()
        var settings = EchoScene.Settings()
        (settings.farAlone, settings.both, settings.nearAlone, settings.decay) = (4, 0.5, 1, 0.3)
        scene = EchoScene(settings)
    }

    private func writeScene() throws {
        try folder.write([scene.far.map(Double.init)], to: "far.wav", rate: 16_000)
        try folder.write([scene.microphone.map(Double.init)], to: "mic.wav", rate: 16_000)
    }

    private func run(_ options: [String] = [], far: String = "far.wav", mic: String = "mic.wav") throws {
        try EchoCommand.parse(
            ["--far", folder.path(far), "--mic", folder.path(mic), "-o", folder.path("out.wav")] + options
        ).run()
    }

    @Test("the echo falls by 20 dB, the file is as long as the recording, and the near talker is where he was")
    func cancels() throws {
        try writeScene()
        try run()
        let out = try folder.read("out.wav")
        #expect(out.info.sampleRate == 16_000)
        #expect(out.channels.count == 1)
        #expect(out.channels[0].count == scene.microphone.count)
        let score = EchoScore(scene, output: out.channels[0].map(Float.init))
        #expect(score.enhancement > 20)
        #expect(score.delay == 0)
        #expect(abs(score.nearChange) < 1)
        #expect(folder.files == ["far.wav", "mic.wav", "out.wav"])
    }

    @Test("channels are mixed down, and a far signal of another rate and length is taken")
    func otherForms() throws {
        let far = (0..<48_000).map { 0.1 * sin(Double($0) * 0.05) }
        try folder.write([far, far], to: "far.wav")
        try folder.write([far, far], to: "mic.wav", rate: 16_000)
        try run(["--json"])
        #expect(try folder.read("out.wav").channels.map(\.count) == [48_000])
    }

    @Test("what makes no sense is refused with the reason, and nothing is written")
    func refusals() throws {
        #expect(throws: (any Error).self) {
            try EchoCommand.parse(["--far", "a", "--mic", "b", "-o", "c", "--tail", "3"])
        }
        try folder.write([[0.0, 0.5]], to: "far.wav")
        try folder.write([[0.0, 0.5]], to: "mic.wav", rate: 96_000)
        #expect { try run() } throws: { "\($0)".contains("96000 Hz") && "\($0)".contains("convert it first") }
        #expect { try run(mic: "missing.wav") } throws: { "\($0)".contains("missing.wav") }
        let far = folder.path("far.wav")
        #expect {
            try EchoCommand.parse(["--far", far, "--mic", folder.path("mic.wav"), "-o", far, "--overwrite"]).run()
        } throws: { "\($0)".contains("far signal") }
        #expect(folder.files == ["far.wav", "mic.wav"])
    }

    @Test("a file that exists stays without --overwrite")
    func existing() throws {
        try writeScene()
        try folder.write([[0.5]], to: "out.wav")
        #expect(throws: (any Error).self) { try run() }
        #expect(try folder.read("out.wav").channels[0].count == 1)
        try run(["--overwrite"])
        #expect(try folder.read("out.wav").channels[0].count == scene.microphone.count)
    }
}
