import Foundation
import FoundationXML
import OssicleCore
import OssicleRendering
import Testing
@testable import ossicle

@Suite("A recording of the demo")
struct RecordingTests {
    @Test("has exactly the asked frames, also when the last step is short")
    func length() throws {
        let files = try DemoFiles(voice: [0.5], music: [0.25], seconds: 0.1001, sampleRate: 48_000)
        var rendering = try SceneRendering(RenderRequest(scene: files.scene, timeline: files.timeline, seconds: 0.1001))
        try rendering.run(observing: files.document) { _ in }
        #expect(rendering.channels.map(\.count) == [4805, 4805])
        #expect(rendering.moments.reduce(0) { $0 + $1.frames } == 4805)
        #expect(rendering.moments.last?.frames == 4805 % 512)
    }

    @Test("sums up each second: mean levels, the share seen, the greatest loss per obstacle, the best detour")
    func summary() {
        func moment(_ time: Double, direct: Double, visible: Double, loss: Double, detour: Double?) -> SceneMoment {
            SceneMoment(
                time: time, frames: 100, directPower: direct, reverbPower: 0,
                paths: [
                    PathState(
                        source: "voice", visibleShare: visible, obstacles: [.init(name: "wall", loss: loss)],
                        detour: detour.map { .init(course: "around 1 edge", loss: $0) })
                ], positions: [:])
        }
        let second = SecondSummary(
            second: 3,
            moments: [
                moment(3.2, direct: 0.02, visible: 0, loss: 12, detour: 9),
                moment(3.7, direct: 0, visible: 0.5, loss: 18, detour: 7),
            ])
        #expect(abs(second.direct + 20) < 1e-9)
        #expect(second.reverb == -.infinity)
        #expect(second.paths == ["voice 25 % visible, wall −18 dB, around 1 edge −7 dB"])
    }

    @Test("becomes a picture that is well-formed, with the map, both curves and the spectrogram in it")
    func picture() throws {
        let (recording, map) = try DemoRun.whole.get()
        let svg = DemoPicture.svg(of: recording, in: map, seed: 1)
        #expect(XMLParser(data: Data(svg.utf8)).parse())
        for word in ["cardboard box", "voice", "music", "listener", Ink.direct, Ink.reverb] {
            #expect(svg.contains(word))
        }
        #expect(svg.contains("data:image/png;base64,iVBORw0KGgo"))
        let drawn = svg.replacing(/base64,[^"]*/, with: "")
        #expect(!drawn.contains("nan") && !drawn.contains("inf,"))
        if let path = ProcessInfo.processInfo.environment["LOOK"] {
            try Data(svg.utf8).write(to: URL(fileURLWithPath: path))
        }
    }
}
