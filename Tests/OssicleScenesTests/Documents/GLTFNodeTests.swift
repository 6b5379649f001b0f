import Foundation
import OssicleCore
@testable import OssicleScenes
import Testing

@Suite("glTF nodes") struct GLTFNodeTests {
    private static func scene(_ nodes: String, _ others: String = "") throws -> SceneDocument {
        try SceneDocument(
            Array(#"{"asset": {"version": "2.0"}, "nodes": \#(nodes)\#(others)}"#.utf8), name: "a.gltf")
    }

    /// A quarter turn about y takes x to −z and z to x.
    @Test("scale, then turn, then move")
    func transforms() throws {
        let half = 0.5.squareRoot()
        let scene = try Self.scene(
            #"[{"translation": [1, 2, 3], "rotation": [0, \#(half), 0, \#(half)], "scale": [2, 3, 4]}]"#)
        let columns = scene.nodes[0].transform.columns
        let expected: [SIMD4<Float>] = [SIMD4(0, 0, -2, 0), SIMD4(0, 3, 0, 0), SIMD4(4, 0, 0, 0), SIMD4(1, 2, 3, 1)]
        for (column, wanted) in zip(columns, expected) {
            #expect((0..<4).allSatisfy { abs(column[$0] - wanted[$0]) < 1e-6 })
        }
    }

    @Test("begin with the nodes of the scene that is shown")
    func roots() throws {
        let scene = try Self.scene(
            #"[{}, {"children": [2]}, {}]"#, #", "scenes": [{"nodes": [0]}, {"nodes": [1]}], "scene": 1"#)
        #expect(scene.roots == [1])
        #expect(try Self.scene(#"[{}, {"children": [0]}]"#).roots == [1])
    }

    @Test(
        "are refused where they form no tree",
        arguments: [
            (#"[{"children": [1]}, {"children": [0]}]"#, "nodes[0] is its own ancestor"),
            (#"[{"children": [0]}]"#, "nodes[0] is its own ancestor"),
            (#"[{"children": [2]}, {"children": [2]}, {}]"#, "nodes[1].children[0] is 2"),
            (#"[{"children": [7]}]"#, "nodes[0].children[0] is 7"),
            (#"[{"matrix": [1, 0, 0, 0]}]"#, "nodes[0].matrix is a list of 4"),
            (#"[{"matrix": [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]}]"#, "last row"),
            (#"[{"rotation": [0, 0, 0, 0]}]"#, "nodes[0].rotation"),
            (#"[{"translation": [0, 0, "a"]}]"#, "nodes[0].translation[2] is “a”"),
            (#"[{"scale": [1, 1]}]"#, "nodes[0].scale is a list of 2"), (#"[3]"#, "nodes[0] is 3"),
            (#"[{"mesh": 0}]"#, "nodes[0].mesh is 0; there are no meshes"),
        ])
    func faults(nodes: String, message: String) throws {
        let error = try #require(throws: SceneFileError.self) { try Self.scene(nodes) }
        #expect("\(error)".contains(message))
    }

    @Test("of a chain without end are refused")
    func depth() throws {
        let chain = (0..<1500).map { $0 < 1499 ? #"{"children": [\#($0 + 1)]}"# : "{}" }.joined(separator: ", ")
        let error = try #require(throws: SceneFileError.self) { try Self.scene("[\(chain)]") }
        #expect("\(error)".contains("at most 1000 levels"))
    }

    @Test("that are plain keep their matrix bit by bit")
    func plain() throws {
        let scene = try Self.scene(
            #"[{"translation": [0.1, 0.2, 0.3], "children": [1]}, {"translation": [0.7, 0, 0], "scale": [2, 2, 2]}]"#)
        let placements = ScenePoses(scene).placements
        #expect(placements.map(\.transform) == scene.nodes.map(\.transform))
        #expect(placements.allSatisfy { $0.stretch == nil })
    }

    /// However a matrix is split, a vertex ends up where glTF puts it.
    @Test(
        "that stretch or mirror are split into a place and a shape",
        arguments: [
            #"[{"scale": [1, 2, 3], "rotation": [0, 0.6, 0, 0.8], "children": [1]}, {"translation": [1, 2, 3], "rotation": [0.6, 0, 0, 0.8]}]"#,
            #"[{"scale": [-1, 1, 1], "translation": [5, 0, 0], "children": [1]}, {"translation": [1, 2, 3], "scale": [1, 1, -1]}]"#,
            #"[{"scale": [2, 2, 0.5], "children": [1]}, {"scale": [0.5, 0.5, 2], "translation": [1, 1, 1]}]"#,
        ])
    func stretched(nodes: String) throws {
        let scene = try Self.scene(nodes), placements = ScenePoses(scene).placements
        func matrix(_ transform: SceneTransform, _ v: Vector) -> Vector {
            let columns = transform.columns.map { Vector(Double($0.x), Double($0.y), Double($0.z)) }
            return columns[0] * v.x + columns[1] * v.y + columns[2] * v.z + columns[3]
        }
        let vertex = Vector(0.3, -0.7, 1.1)
        for leaf in placements.indices {
            let own = placements[leaf].stretch?.applied(to: vertex) ?? vertex
            var (place, wanted, current) = (own, vertex, Optional(leaf))
            while let index = current {
                place = matrix(placements[index].transform, place)
                wanted = matrix(scene.nodes[placements[index].node].transform, wanted)
                current = placements[index].parent
            }
            #expect((place - wanted).magnitude < 1e-5)
            let x = placements[leaf].transform.columns[0], y = placements[leaf].transform.columns[1]
            let z = placements[leaf].transform.columns[2]
            // The object is a pose: axes of one length, at right angles, right-handed.
            #expect(abs((x * y).sum()) < 1e-5)
            #expect(abs((x * x).sum() - (z * z).sum()) < 1e-4)
            #expect(SIMD3(x.x, x.y, x.z).cross(SIMD3(y.x, y.y, y.z)).dot(SIMD3(z.x, z.y, z.z)) > 0)
        }
        #expect(placements.contains { $0.stretch != nil })
        #expect(placements.contains { $0.stretch?.isMirror == true } == nodes.contains("-1"))
    }
}
