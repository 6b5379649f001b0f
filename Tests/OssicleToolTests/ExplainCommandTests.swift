import Foundation
import Testing
@testable import ossicle

@Suite("ossicle explain") struct ExplainCommandTests {
    /// A source at 2 m, one behind a wall of brick, one that begins later and one that nothing starts.
    private static func folder() throws -> SoundFolder {
        let folder = try SoundFolder()
        try folder.write([[Double](repeating: 0.25, count: 48_000)], to: "c.wav", .wav, .float32)
        let corners: [SIMD3<Float>] = [SIMD3(-3, -1, -1), SIMD3(3, -1, -1), SIMD3(3, 2, -1), SIMD3(-3, 2, -1)]
        var bytes = Data()
        for value in corners.flatMap({ [$0.x, $0.y, $0.z] }) {
            withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
        }
        for index in [0, 1, 2, 0, 2, 3] as [UInt16] { withUnsafeBytes(of: index) { bytes.append(contentsOf: $0) } }
        let text = #"""
            {"asset": {"version": "2.0"}, "nodes": [
              {"name": "head", "extensions": {"OSSICLE_audio": {"listener": {}}}},
              {"name": "free", "translation": [0, 0, 2], "extensions": {"OSSICLE_audio": {"source": {}}}},
              {"name": "hidden", "translation": [0, 0, -4], "extensions": {"OSSICLE_audio": {"source": {}}}},
              {"name": "wall", "mesh": 0}],
             "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
             "materials": [{"name": "brick", "extensions": {"OSSICLE_audio": {"absorption": [0.1], "transmissionLoss": [50]}}}],
             "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [-3, -1, -1], "max": [3, 2, -1]},
               {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"}],
             "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 12}],
             "buffers": [{"byteLength": 60, "uri": "data:application/octet-stream;base64,\#(bytes.base64EncodedString())"}],
             "extensions": {"OSSICLE_audio": {"version": 1, "sounds": [{"name": "c", "uri": "c.wav"}],
               "mixers": [{"name": "m", "type": "spatial", "direct": {}, "distance": {"model": "geometric", "rolloff": 1}}],
               "events": [{"name": "e", "root": {"type": "sampler", "sound": "c", "mixer": "m", "level": 0.5}}],
               "instances": [{"name": "a", "event": "e", "source": "free", "start": 0}, {"name": "b", "event": "e", "source": "hidden", "start": 0},
                 {"name": "later", "event": "e", "source": "free", "start": 0.75}, {"name": "never", "event": "e", "source": "free"}]}}}
            """#
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("a.gltf")))
        return folder
    }

    private static func explained(_ arguments: [String]) throws -> [String: [String: Any]] {
        let run = try ToolProcess(["explain"] + arguments + ["--json"])
        #expect(run.status == 0, "\(run.errors)")
        let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        let instances = try #require(report["instances"] as? [[String: Any]])
        return Dictionary(uniqueKeysWithValues: instances.map { ($0["instance"] as? String ?? "", $0) })
    }

    @Test("levels are those of level and distance, and what is silent says why")
    func levels() throws {
        let folder = try Self.folder(), found = try Self.explained([folder.path("a.gltf"), "--at", "0.25"])
        #expect(found.keys.sorted() == ["a", "b", "later", "never"])
        let free = try #require((found["a"]?["voices"] as? [[String: Any]])?.first)
        // Half the amplitude at twice the metre: −12.04 dB.
        #expect(abs((free["level"] as? Double ?? 0) + 12.04) < 0.01)
        #expect(abs((free["position"] as? Double ?? 0) - 0.25) < 0.01)
        #expect(free["distance"] as? Double == 2)
        #expect(found["a"]?["isHeard"] as? Bool == true)
        let hidden = try #require((found["b"]?["voices"] as? [[String: Any]])?.first)
        #expect(found["b"]?["isHeard"] as? Bool == false)
        let occluders = try #require(hidden["occluders"] as? [[String: Any]])
        #expect(occluders.first?["name"] as? String == "wall")
        #expect((found["b"]?["silentBecause"] as? [String])?.first?.contains("“wall”") == true)
        #expect(
            ((found["later"]?["voices"] as? [[String: Any]])?.first?["silentBecause"] as? [String])?.isEmpty == false)
        #expect(found["never"]?["state"] as? String == "not started")
    }

    @Test("the text names one instance when asked, and one that is not there is an error")
    func text() throws {
        let folder = try Self.folder()
        let run = try ToolProcess(["explain", folder.path("a.gltf"), "--at", "0", "--instance", "b"])
        let text = String(decoding: run.output, as: UTF8.self)
        #expect(
            run.status == 0 && text.hasPrefix("b: “e”") && text.contains("occluder “wall”") && !text.contains("never"))
        let absent = try ToolProcess(["explain", folder.path("a.gltf"), "--at", "0", "--instance", "x"])
        #expect(absent.status == 1 && absent.errors.contains("give one of a, b, later, never"))
        #expect(try ToolProcess(["explain", folder.path("a.gltf"), "--at", "-1"]).status == 64)
    }
}
