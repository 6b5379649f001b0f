import Foundation
import Testing

@testable import OssicleInspector

/// Rows of numbers, read as the page reads them.
struct FrameRowsTests {
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
        var rows = FrameRows()
        let frame = rows.frame(scene)
        #expect(rows.words == ["a", "b", "e", "n", "playing", "HRTF"])
        #expect(frame.sources == 0..<35 && frame.listeners == 35..<51 && frame.voices == 51..<66)
        let sources = Array(frame.numbers[frame.sources])
        #expect(sources.prefix(14) == [4, 0, 1, 2, 3, 0, 0, -1, 0, 1, 0, 0.5, 2, 0.25])
        #expect(sources[14].isNaN && sources[15..<20] == [3, 1, 0.5, 0.25, 9])
        #expect(sources[20] == 1 && sources[31...34] == [1, 0, 40, 0])
        #expect(frame.numbers[frame.listeners].prefix(2) == [5, 1])
        let voices = Array(frame.numbers[frame.voices])
        #expect(voices.prefix(5) == [7, 2, 3, 0, 4])
        #expect(voices[5].isNaN && voices[6].isNaN && voices[7...10] == [4, 2.5, -6, -20])
        #expect(voices[11].isNaN && voices[12] == -3 && voices[13].isNaN && voices[14] == 5)
        // The next one has the same numbers, also where words come in another order.
        (scene.sources, scene.voices[0].sound) = ([second, first], "b")
        let next = rows.frame(scene)
        #expect(next.numbers[16...19] == [4, 0, 1, 2] && next.numbers[next.voices].dropFirst(3).first == 1)
        #expect(rows.words == ["a", "b", "e", "n", "playing", "HRTF"])
    }

    /// A frame as the page reads it: the length of a text, the text, and numbers, of which the text says where they are.
    @Test func frameIsTextAndNumbers() throws {
        var scene = InspectedScene(), rows = FrameRows()
        scene.listeners = [object(5, "b")]
        let sound = InspectedSound(end: 4096, sampleRate: 48_000, channels: 2, samples: PackedNumbers([0.25, -1]))
        let message = FrameMessage(engine: 3, time: 1.25, rows: rows.frame(scene), sound: sound)
        let payload = message.payload(FrameMessage.Paths(numbers: [-1, 4, 5, -200, 0], areAll: false))
        let length = payload.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        #expect(length % 4 == 0 && payload.count == 4 + length + 4 * (16 + 5 + 2))
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(payload[4..<4 + length])) as? [String: Any])
        let value = try #require(json["value"] as? [String: Any]), heard = value["sound"] as? [String: Any]
        #expect(json["type"] as? String == "frame" && json["engine"] as? Int == 3 && value["time"] as? Double == 1.25)
        let places = ["sourceRows", "listenerRows", "voiceRows", "pathChanges"].map { value[$0] as? [Int] }
        #expect(places == [[0, 0], [0, 16], [16, 0], [16, 5]] && value["paths"] == nil)
        #expect(heard?["end"] as? Int == 4096 && heard?["sampleRate"] as? Double == 48_000)
        #expect(heard?["channels"] as? Int == 2 && heard?["samples"] as? [Int] == [21, 2])
        let numbers = stride(from: 4 + length, to: payload.count, by: 4).map { place in
            Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(payload[place + $1]) << UInt32(8 * $1) })
        }
        #expect(numbers.prefix(5) == [5, 0, 1, 2, 3] && numbers[16...] == [-1, 4, 5, -200, 0, 0.25, -1])
    }

    /// A graph has neither rows nor paths.
    @Test func frameWithoutSceneIsItsTime() {
        let payload = FrameMessage(engine: 1, time: 0.5, rows: nil, sound: nil).payload(nil)
        let text = String(decoding: payload.dropFirst(4), as: UTF8.self)
        #expect(text.trimmingCharacters(in: .whitespaces) == #"{"type":"frame","engine":1,"value":{"time":0.5}}"#)
    }

    @Test func wordsAreSentOnce() {
        var scene = InspectedScene()
        scene.sources = [object(1, "a"), object(2, "b")]
        var rows = FrameRows()
        _ = rows.frame(scene)
        let first = rows.takeAddition()
        #expect(first?.first == 0 && first?.words == ["a", "b"])
        _ = rows.frame(scene)
        #expect(rows.takeAddition() == nil)
        scene.sources.append(object(3, "c"))
        _ = rows.frame(scene)
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
            let sources = rows.frame(scene).numbers
            if rows.takeAddition()?.first == 0 { begun += 1 }
            #expect(rows.words.count <= FrameRows.wordLimit + 1000)
            #expect(rows.words[Int(sources[16 * 999 + 1])] == "\(round) 999")
        }
        #expect(begun == 2)
    }
}
