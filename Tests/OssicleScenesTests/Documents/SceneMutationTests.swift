import Foundation
@testable import OssicleScenes
import OssicleTestSupport
import Testing

/// Whatever is in a file, reading it ends, with a scene or with an error. `OSSICLE_MUTATIONS` makes longer runs.
@Suite("Damaged scenes") struct SceneMutationTests {
    @Test("of any kind end in a scene or an error", arguments: ["gltf", "glb"])
    func scenes(kind: String) throws {
        let scene = try SceneExample.scene()
        let bytes = kind == "glb" ? scene.bytes(binary: true) : try SceneExample.json().bytes
        var mutator = Mutator(seed: 18), read = 0
        for _ in 0..<mutationCount(400) {
            guard let found = try? SceneDocument(mutator.mutate(bytes), name: "a.\(kind)") else { continue }
            read += 1
            _ = ScenePoses(found)
            // What is read can be written, and read again as it was.
            let written = found.bytes(binary: kind == "glb")
            let again = try SceneDocument(written, name: "a.\(kind)")
            #expect(again.bytes(binary: kind == "glb") == written)
        }
        #expect(read > 0)
    }

    @Test("and timelines end in a timeline or an error")
    func timelines() throws {
        let scene = try SceneExample.scene(), bytes = Array(SceneExample.timeline.utf8)
        var mutator = Mutator(seed: 18), read = 0
        for _ in 0..<mutationCount(400) {
            guard let found = try? SceneTimeline(mutator.mutate(bytes, most: 1), name: "a.json", for: scene) else {
                continue
            }
            read += 1
            for track in found.tracks {
                for time in [0, 0.3, 1, 2.7, 8, 1e6] {
                    let value = track.value(at: time)
                    #expect(value.allSatisfy { $0.isFinite })
                }
            }
            #expect(found.length.isFinite)
        }
        #expect(read > 0)
    }

    /// Values, not bytes: each number, text and list of the document once replaced by what programs trip over.
    @Test("with any value replaced end in a scene or an error")
    func values() throws {
        let extremes: [JSONValue] = [
            .number(-1), .number(0), .number(2_147_483_648), .number(9_007_199_254_740_993), .number(1e308),
            .number(0.5), .null,
            .string("\u{0}"), .array([.array([.array([])])]), .object(["": .null]),
        ]
        let json = try SceneExample.json()
        var count = 0
        for path in json.paths(below: "") where !path.hasPrefix("buffers[0].uri") {
            let value = extremes[count % extremes.count]
            count += 1
            _ = try? SceneDocument(json.setting(path, to: value).bytes, name: "a.gltf")
        }
        #expect(count > 300)
    }
}

extension JSONValue {
    fileprivate func paths(below path: String) -> [String] {
        switch self {
        case .object(let members):
            members.keys.sorted().flatMap { key in
                let place = path.isEmpty ? key : "\(path).\(key)"
                return [place] + (members[key]?.paths(below: place) ?? [])
            }
        case .array(let list): list.indices.flatMap { ["\(path)[\($0)]"] + list[$0].paths(below: "\(path)[\($0)]") }
        default: []
        }
    }
}
