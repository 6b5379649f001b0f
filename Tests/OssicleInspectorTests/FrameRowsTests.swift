import Foundation
import Testing

@testable import OssicleInspector

/// Rows of numbers, read as the page reads them.
struct FrameRowsTests {
    private func snapshot(_ scene: InspectedScene?) -> EngineSnapshot {
        EngineSnapshot(state: .running, time: 1, output: InspectedOutput(), load: InspectedLoad(), scene: scene)
    }

    private func object(_ id: UInt64, _ name: String) -> InspectedObject {
        InspectedObject(id: id, name: name, position: [1, 2, 3], forward: [0, 0, -1], up: [0, 1, 0], gain: 0.5)
    }

    @Test func objectsAndVoicesAreRows() throws {
        var scene = InspectedScene()
        var first = object(4, "a")
        (first.isSoloed, first.radius, first.directivity) = (true, 0.25, PackedNumbers([1, 0.5, 0.25]))
        var second = object(9, "b")
        (second.isMuted, second.cullDistance) = (true, 40)
        scene.sources = [first, second]
        scene.listeners = [object(5, "b")]
        var voice = InspectedVoice(
            id: 7, event: "e", node: "n", sound: "a", state: "playing", position: 2.5, direct: -6)
        (voice.source, voice.early, voice.peak, voice.tier) = (4, -20, -3, "HRTF")
        scene.voices = [voice]
        scene.paths = PackedNumbers([1, 2])
        scene.rayCourses = PackedNumbers([3])
        var rows = FrameRows()
        let frame = rows.frame(snapshot(scene))
        #expect(rows.words == ["a", "b", "e", "n", "playing", "HRTF"])
        let sources = frame.sources.values
        #expect(sources.count == 2 * 16 + 3)
        #expect(sources.prefix(14) == [4, 0, 1, 2, 3, 0, 0, -1, 0, 1, 0, 0.5, 2, 0.25])
        #expect(sources[14].isNaN && sources[15..<20] == [3, 1, 0.5, 0.25, 9])
        #expect(sources[20] == 1 && sources[31...34] == [1, 0, 40, 0])
        #expect(frame.listeners.values.prefix(2) == [5, 1])
        let voices = frame.voices.values
        #expect(voices.count == 15 && voices.prefix(5) == [7, 2, 3, 0, 4])
        #expect(voices[5].isNaN && voices[6].isNaN && voices[7...10] == [4, 2.5, -6, -20])
        #expect(voices[11].isNaN && voices[12] == -3 && voices[13].isNaN && voices[14] == 5)
        // What is in rows, and what is sent by itself, is not in the snapshot.
        let rest = try #require(frame.snapshot.scene)
        #expect(rest.sources.isEmpty && rest.listeners.isEmpty && rest.voices.isEmpty)
        #expect(rest.paths.values.isEmpty && rest.rayCourses.values.isEmpty)
        let encoder = JSONEncoder(), beside = NumbersBeside()
        encoder.userInfo[NumbersBeside.key] = beside
        let json = try JSONSerialization.jsonObject(with: encoder.encode(frame)) as? [String: Any]
        let places = ["sourceRows", "listenerRows", "voiceRows"].map { json?[$0] as? [Int] }
        #expect(places == [[0, 35], [35, 16], [51, 15]] && beside.values.count == 66)
        #expect(json?["time"] as? Double == 1)
    }

    @Test func wordsAreSentOnce() {
        var scene = InspectedScene()
        scene.sources = [object(1, "a"), object(2, "b")]
        var rows = FrameRows()
        _ = rows.frame(snapshot(scene))
        let first = rows.takeAddition()
        #expect(first?.first == 0 && first?.words == ["a", "b"])
        _ = rows.frame(snapshot(scene))
        #expect(rows.takeAddition() == nil)
        scene.sources.append(object(3, "c"))
        _ = rows.frame(snapshot(scene))
        let second = rows.takeAddition()
        #expect(second?.first == 2 && second?.words == ["c"])
        #expect(rows.whole.first == 0 && rows.whole.words == ["a", "b", "c"])
    }

    /// Names without end do not grow without end.
    @Test func tableBeginsAnew() {
        var rows = FrameRows()
        var begun = 0
        for round in 0..<10 {
            var scene = InspectedScene()
            scene.sources = (0..<1000).map { object(UInt64($0), "\(round) \($0)") }
            let sources = rows.frame(snapshot(scene)).sources.values
            if rows.takeAddition()?.first == 0 { begun += 1 }
            #expect(rows.words.count <= FrameRows.wordLimit + 1000)
            #expect(rows.words[Int(sources[16 * 999 + 1])] == "\(round) 999")
        }
        #expect(begun == 2)
    }

    @Test func graphHasNoRows() throws {
        var rows = FrameRows()
        let encoder = JSONEncoder(), beside = NumbersBeside()
        encoder.userInfo[NumbersBeside.key] = beside
        let json = String(decoding: try encoder.encode(rows.frame(snapshot(nil))), as: UTF8.self)
        #expect(!json.contains("Rows") && rows.takeAddition() == nil)
    }
}
