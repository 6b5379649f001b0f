import Foundation
import FoundationXML
import OssicleCore
import Testing
@testable import ossicle

@Suite("A recording of the demo")
struct RecordingTests {
    static func recording(seconds: Double) throws -> Recording {
        let scene = DemoScene()
        var stage = PlainStage(scene, sound: VoiceSynthesiser.samples(seed: 1, frames: 8 * 48_000, sampleRate: 48_000))
        return try Recording(of: scene, on: &stage, frames: Int(seconds * 48_000), sampleRate: 48_000) { _ in }
    }

    @Test("has exactly the asked frames, also when the last block is short")
    func length() throws {
        let recording = try Self.recording(seconds: 1.0001)
        #expect(recording.left.count == 48_004)
        #expect(recording.right.count == 48_004)
        #expect(recording.moments.reduce(0) { $0 + $1.frames } == 48_004)
    }

    @Test("sums up each second: mean levels, the share seen, the greatest loss per obstacle")
    func summary() {
        func moment(_ time: Double, direct: Double, visible: Double, loss: Double) -> Recording.Moment {
            .init(
                time: time, frames: 100, directEnergy: direct, reverbEnergy: 0,
                paths: [
                    PathState(source: "voice", visibleShare: visible, obstacles: [.init(name: "wall", loss: loss)])
                ], voice: .zero)
        }
        let second = SecondSummary(
            second: 3,
            moments: [moment(3.2, direct: 0.02, visible: 0, loss: 12), moment(3.7, direct: 0, visible: 0.5, loss: 18)])
        #expect(abs(second.direct + 20) < 1e-9)
        #expect(second.reverb == -.infinity)
        #expect(second.paths == ["voice 25 % visible, wall −18 dB"])
    }

    @Test("becomes a picture that is well-formed, with the map, both curves and the spectrogram in it")
    func picture() throws {
        let svg = DemoPicture.svg(of: try Self.recording(seconds: 8), in: DemoScene(), seed: 1)
        #expect(XMLParser(data: Data(svg.utf8)).parse())
        #expect(svg.contains("cardboard box"))
        #expect(svg.contains(Ink.direct) && svg.contains(Ink.reverb))
        #expect(svg.contains("data:image/png;base64,iVBORw0KGgo"))
        let drawn = svg.replacing(/base64,[^"]*/, with: "")
        #expect(!drawn.contains("nan") && !drawn.contains("inf,"))
        if let path = ProcessInfo.processInfo.environment["LOOK"] {
            try Data(svg.utf8).write(to: URL(fileURLWithPath: path))
        }
    }
}
