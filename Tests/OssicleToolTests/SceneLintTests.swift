import Foundation
import Testing
@testable import ossicle

/// A scene for each rule of `ossicle lint` that looks at space: a room of six walls, 4 m on each side.
@Suite("ossicle lint looks at rooms") struct SceneLintTests {
    /// Six squares that face inwards.
    /// - Parameters:
    ///   - ceiling: how far it reaches on one side, 2 to the wall. - scale: of all places.
    private static func walls(ceiling: Float = 2, scale: Float = 1) -> [[SIMD3<Float>]] {
        let c = ceiling
        let squares: [[SIMD3<Float>]] = [
            [SIMD3(-2, -2, 2), SIMD3(2, -2, 2), SIMD3(2, -2, -2), SIMD3(-2, -2, -2)],
            [SIMD3(-2, 2, -2), SIMD3(c, 2, -2), SIMD3(c, 2, 2), SIMD3(-2, 2, 2)],
            [SIMD3(-2, -2, -2), SIMD3(2, -2, -2), SIMD3(2, 2, -2), SIMD3(-2, 2, -2)],
            [SIMD3(2, -2, 2), SIMD3(-2, -2, 2), SIMD3(-2, 2, 2), SIMD3(2, 2, 2)],
            [SIMD3(-2, -2, 2), SIMD3(-2, -2, -2), SIMD3(-2, 2, -2), SIMD3(-2, 2, 2)],
            [SIMD3(2, -2, -2), SIMD3(2, -2, 2), SIMD3(2, 2, 2), SIMD3(2, 2, -2)],
        ]
        return squares.map { $0.map { $0 * scale } }
    }

    /// - Parameters:
    ///   - source: its position. - more: nodes behind room, head and mouth. - listener: of the head's extension.
    private static func findings(
        _ walls: [[SIMD3<Float>]] = walls(), source: String = "[1, 0, 0]", more: String = "",
        roots: String = "[0, 1, 2]",
        listener: String = #", "extensions": {"OSSICLE_audio": {"listener": {}}}"#, material: String = "concrete",
        primitive: String = #", "material": 0"#, timeline: String? = nil
    ) throws -> [LintFinding] {
        let folder = try SoundFolder()
        try folder.write([[Double](repeating: 0.1, count: 480)], to: "c.wav", .wav, .float32)
        let places = walls.flatMap { [$0[0], $0[1], $0[2], $0[0], $0[2], $0[3]] }.flatMap { [$0.x, $0.y, $0.z] }
        let bytes = places.withUnsafeBytes { Data($0) }
        let text = #"""
            {"asset": {"version": "2.0"}, "scenes": [{"nodes": \#(roots)}], "nodes": [{"name": "room", "mesh": 0}, {"name": "head"\#(listener)},
              {"name": "mouth", "translation": \#(source), "extensions": {"OSSICLE_audio": {"source": {}}}}\#(more)],
             "materials": [{"name": "\#(material)"}], "meshes": [{"primitives": [{"attributes": {"POSITION": 0}\#(primitive)}]}],
             "accessors": [{"bufferView": 0, "componentType": 5126, "count": \#(places.count / 3), "type": "VEC3"}],
             "bufferViews": [{"buffer": 0, "byteLength": \#(bytes.count)}],
             "buffers": [{"byteLength": \#(bytes.count), "uri": "data:application/octet-stream;base64,\#(bytes.base64EncodedString())"}],
             "extensions": {"OSSICLE_audio": {"version": 1, "sounds": [{"name": "c", "uri": "c.wav"}],
               "mixers": [{"name": "m", "type": "channel", "layout": "mono"}], "events": [{"name": "e", "root": {"type": "sampler", "sound": "c", "mixer": "m"}}],
               "instances": [{"name": "i", "event": "e", "source": "mouth"}]}}}
            """#
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("a.gltf")))
        if let timeline { try Data(timeline.utf8).write(to: URL(fileURLWithPath: folder.path("t.json"))) }
        let result = SceneLint.result(of: folder.path("a.gltf"), timeline: timeline.map { _ in folder.path("t.json") })
        // A channel mixer has no source: that is not what is looked at here.
        return result.findings.filter { $0.rule != .unused }
    }

    @Test("a closed room with its source inside has nothing")
    func clean() throws { #expect(try Self.findings() == []) }

    @Test("a gap beside the ceiling is a leak, a missing ceiling is an opening")
    func leak() throws {
        // A strip of 4 m by 10 cm beside an edge 2.8 m away: 0.030 sr of 4π.
        let found = try Self.findings(Self.walls(ceiling: 1.9))
        #expect(found.map(\.rule) == [.leak] && found[0].message.contains("0.2 %"))
        #expect(try !Self.findings(Self.walls(ceiling: -2)).contains { $0.rule == .leak })
    }

    @Test("a source outside is misplaced, and so is one that a timeline leads there, with the time")
    func position() throws {
        #expect(try Self.findings(source: "[5, 0, 0]").map(\.rule) == [.position])
        let walk = try Self.findings(
            timeline:
                #"{"version": 1, "tracks": [{"target": "position", "node": "mouth", "keys": [{"time": 0, "value": [0, 0, 0]}, {"time": 4, "value": [4, 0, 0]}]}]}"#
        )
        #expect(walk.map(\.rule) == [.position])
        // Through the wall at 2 m after 2 s.
        let time = try #require(walk[0].message.firstMatch(of: /at ([0-9.]+) s/).flatMap { Double($0.1) })
        #expect((2.0...2.13).contains(time))
        let within =
            #"{"version": 1, "tracks": [{"target": "position", "node": "mouth", "keys": [{"time": 0, "value": [0, 0, 0]}, {"time": 4, "value": [1, 1, 0]}]}]}"#
        #expect(try Self.findings(timeline: within) == [])
    }

    @Test("a scene of millimetres, an unknown material and a scene without a listener are named")
    func others() throws {
        #expect(try Self.findings(Self.walls(scale: 1e-3), source: "[0.001, 0, 0]").contains { $0.rule == .units })
        #expect(try Self.findings(Self.walls(scale: 5000), source: "[1, 0, 0]").contains { $0.rule == .units })
        #expect(try Self.findings(material: "moonstone").map(\.rule) == [.material])
        #expect(try Self.findings(listener: "").map(\.rule).contains(.listener))
    }

    @Test("a node with a mesh outside the scene, a mirrored one and one without length are named")
    func nodes() throws {
        let lost = try Self.findings(more: #", {"name": "lost", "mesh": 0}"#)
        #expect(lost.map(\.rule) == [.unreachable] && lost[0].message.contains("“lost”"))
        let mirrored = try Self.findings(more: #", {"name": "left", "scale": [-1, 1, 1]}"#, roots: "[0, 1, 2, 3]")
        #expect(mirrored.map(\.rule) == [.transform] && mirrored[0].message.contains("mirrored"))
    }

    @Test("what the reader passes over is a notice, and triangles without a material are of concrete")
    func notices() throws {
        let skin = try Self.findings(more: #", {"name": "doll", "skin": 0}"#, roots: "[0, 1, 2, 3]")
        #expect(skin.map(\.rule) == [.notice] && skin[0].message.contains("nodes[3] has a skin"))
        #expect(try Self.findings(primitive: "").map(\.rule) == [.material])
        #expect(try Self.findings(primitive: "")[0].message.contains("no material"))
    }
}
