import Foundation
@testable import OssicleScenes
import OssicleTestSupport
import Testing

@Suite("glTF geometry") struct GLTFGeometryTests {
    private static func triangle(_ scene: SceneDocument) throws -> ScenePrimitive {
        try #require(scene.meshes.first?.primitives.first)
    }

    @Test("read indices of every width, and none", arguments: [5121, 5123, 5125, 0])
    func indices(component: Int) throws {
        var sketch = GLTFSketch()
        let positions = sketch.positions(GLTFSketch.corners)
        let order: [UInt32] = [2, 0, 1, 1, 3, 2]
        let view: Int? =
            switch component {
            case 5121: sketch.view(order.map(UInt8.init))
            case 5123: sketch.view(order.map(UInt16.init))
            case 5125: sketch.view(order)
            default: nil
            }
        let indices = view.map { sketch.accessor($0, type: "SCALAR", component: component, count: 6) }
        sketch.mesh(positions: positions, indices: indices)
        let primitive = try Self.triangle(try sketch.scene())
        #expect(primitive.triangles == (view == nil ? [SIMD3(0, 1, 2)] : [SIMD3(2, 0, 1), SIMD3(1, 3, 2)]))
        #expect(primitive.vertices == Array(GLTFSketch.corners.prefix(view == nil ? 3 : 4)))
    }

    @Test("keep only vertices that are named, in their order")
    func sharedVertices() throws {
        var sketch = GLTFSketch()
        let positions = sketch.positions(GLTFSketch.corners)
        let view = sketch.view([3, 1, 0] as [UInt8])
        sketch.mesh(positions: positions, indices: sketch.accessor(view, type: "SCALAR", component: 5121, count: 3))
        let primitive = try Self.triangle(try sketch.scene())
        #expect(primitive.vertices == [GLTFSketch.corners[0], GLTFSketch.corners[1], GLTFSketch.corners[3]])
        #expect(primitive.triangles == [SIMD3(2, 1, 0)])
    }

    @Test(
        "wind the triangles of strips and fans alike",
        arguments: [(5, [SIMD3<UInt32>(0, 1, 2), SIMD3(2, 1, 3)]), (6, [SIMD3(0, 1, 2), SIMD3(0, 2, 3)])])
    func strips(mode: Int, triangles: [SIMD3<UInt32>]) throws {
        var sketch = GLTFSketch()
        let positions = sketch.positions(GLTFSketch.corners)
        sketch.mesh(positions: positions, ["mode": JSONValue(mode)])
        #expect(try Self.triangle(try sketch.scene()).triangles == triangles)
    }

    /// glTF 2.0, section 3.6.2.2: c / max, and no less than −1 with a sign.
    @Test("take quantised positions as the standard says")
    func quantised() throws {
        func vertices<Raw: BitwiseCopyable>(_ raw: [Raw], _ component: Int, normalised: Bool) throws -> [SIMD3<Float>] {
            var sketch = GLTFSketch()
            let view = sketch.view(raw)
            let positions = sketch.accessor(
                view, type: "VEC3", component: component, count: 3, normalised ? ["normalized": .bool(true)] : [:])
            sketch.mesh(positions: positions)
            return try Self.triangle(
                try sketch.scene([("extensionsRequired", .array([.string("KHR_mesh_quantization")]))])
            )
            .vertices
        }
        func unit(_ value: Int) -> Float { Float(value) / 127 }
        let bytes = try vertices([-128, 127, 0, 64, -64, 1, 5, 6, 7] as [Int8], 5120, normalised: true)
        let expected: [SIMD3<Float>] = [
            SIMD3(-1, 1, 0), SIMD3(unit(64), unit(-64), unit(1)), SIMD3(unit(5), unit(6), unit(7)),
        ]
        #expect(bytes == expected)
        let words = try vertices([0, 65_535, 256, 1, 2, 3, 4, 5, 6] as [UInt16], 5123, normalised: true)
        #expect(words[0] == SIMD3<Float>(0, 1, Float(256) / Float(65_535)))
        let plain = try vertices([-32_768, 32_767, 0, 1, 2, 3, 4, 5, 6] as [Int16], 5122, normalised: false)
        #expect(plain[0] == SIMD3<Float>(-32_768, 32_767, 0))
        let fifths = try vertices([255, 0, 51, 1, 2, 3, 4, 5, 6] as [UInt8], 5121, normalised: true)
        #expect(fifths[0] == SIMD3<Float>(1, 0, 0.2))
    }

    @Test("read accessors whose elements lie apart")
    func strided() throws {
        var sketch = GLTFSketch()
        struct Vertex { var x, y, z, u, v: Float }
        let view = sketch.view(GLTFSketch.corners.map { Vertex(x: $0.x, y: $0.y, z: $0.z, u: 9, v: 9) }, stride: 20)
        sketch.mesh(positions: sketch.accessor(view, type: "VEC3", component: 5126, count: 4))
        #expect(try Self.triangle(try sketch.scene()).vertices == Array(GLTFSketch.corners.prefix(3)))
    }

    @Test("put the elements of sparse accessors in place", arguments: [true, false])
    func sparse(hasBase: Bool) throws {
        var sketch = GLTFSketch()
        let base = hasBase ? sketch.view(GLTFSketch.corners.prefix(3).flatMap { [$0.x, $0.y, $0.z] }) : nil
        let places = sketch.view([0, 2] as [UInt16]), values = sketch.view([7, 8, 9, 1, 1, 1] as [Float])
        let sparse: JSONValue = .object([
            "count": JSONValue(2),
            "indices": .object(["bufferView": JSONValue(places), "componentType": JSONValue(5123)]),
            "values": .object(["bufferView": JSONValue(values)]),
        ])
        sketch.mesh(positions: sketch.accessor(base, type: "VEC3", component: 5126, count: 3, ["sparse": sparse]))
        let second: SIMD3<Float> = hasBase ? GLTFSketch.corners[1] : .zero
        #expect(try Self.triangle(try sketch.scene()).vertices == [SIMD3(7, 8, 9), second, SIMD3(1, 1, 1)])
    }

    @Test("read the buffer of a .glb and of a file beside it")
    func containers() throws {
        var sketch = GLTFSketch()
        sketch.mesh(positions: sketch.positions(GLTFSketch.corners))
        let expected = try sketch.scene().meshes
        let inside = sketch.json.setting("buffers[0].uri", to: nil)
        let glb = GLTFContainer.bytes(json: inside.bytes, binary: sketch.bytes)
        #expect(try SceneDocument(glb, name: "a.glb").meshes == expected)

        let folder = try TemporaryFolder()
        try Data(sketch.bytes).write(to: folder.url.appendingPathComponent("a b.bin"))
        let beside = sketch.json.setting("buffers[0].uri", to: .string("a%20b.bin"))
        try Data(beside.bytes).write(to: folder.url.appendingPathComponent("a.gltf"))
        #expect(try SceneDocument(contentsOfFile: folder.path("a.gltf")).meshes == expected)
    }

    @Test(
        "never leave the scene's folder",
        arguments: [
            "../a.bin", "/etc/passwd", "file:///etc/passwd", "http://example.com/a", "b/../../a.bin", "%2e%2e/a.bin",
            "..%2Fa.bin", "link/a.bin", "a\\b", "", "a%00b", "C:/a.bin",
        ])
    func outside(uri: String) throws {
        let folder = try TemporaryFolder(), inner = folder.url.appendingPathComponent("scene")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        try Data([1, 2, 3, 4]).write(to: folder.url.appendingPathComponent("a.bin"))
        try FileManager.default.createSymbolicLink(
            at: inner.appendingPathComponent("link"), withDestinationURL: folder.url)
        let text = #"{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 4, "uri": ""}]}"#
        let json = try JSONValue(text: text).setting("buffers[0].uri", to: .string(uri))
        let place = inner.appendingPathComponent("a.gltf")
        try Data(json.bytes).write(to: place)
        let error = try #require(throws: SceneFileError.self) { try SceneDocument(contentsOfFile: place.path) }
        #expect("\(error)".contains("buffers[0].uri"))
        #expect("\(error)".contains("the scene's folder") || uri.hasPrefix("http"))
    }

    @Test("say what is compressed and how to export it")
    func compression() throws {
        var sketch = GLTFSketch()
        let positions = sketch.positions(GLTFSketch.corners)
        sketch.mesh(positions: positions)
        let required = JSONValue.array([.string("KHR_draco_mesh_compression")])
        #expect(throws: SceneFileError.self) { try sketch.scene([("extensionsRequired", required)]) }
        let draco = JSONValue.object(["KHR_draco_mesh_compression": .object(["bufferView": JSONValue(0)])])
        // With its triangles beside it the extension may be passed over.
        _ = try sketch.scene([("meshes[0].primitives[0].extensions", draco)])
        let meshopt = JSONValue.object(["EXT_meshopt_compression": .object(["buffer": JSONValue(0)])])
        for edits in [
            [("meshes[0].primitives[0].extensions", draco), ("accessors[0].bufferView", nil)],
            [("bufferViews[0].extensions", meshopt)],
        ] {
            let error = try #require(throws: SceneFileError.self) { try sketch.scene(edits) }
            #expect("\(error)".contains("without mesh compression"))
        }
    }

    @Test("make a node of each instance")
    func instances() throws {
        var sketch = GLTFSketch()
        sketch.mesh(positions: sketch.positions(GLTFSketch.corners))
        let places = sketch.positions([SIMD3(1, 0, 0), SIMD3(0, 5, 0)])
        let scales = sketch.positions([SIMD3(1, 1, 1), SIMD3(2, 2, 2)])
        let attributes = JSONValue.object(["TRANSLATION": JSONValue(places), "SCALE": JSONValue(scales)])
        sketch.members["nodes"] = .array([
            .object([
                "mesh": JSONValue(0),
                "extensions": .object(["EXT_mesh_gpu_instancing": .object(["attributes": attributes])]),
            ])
        ])
        let scene = try sketch.scene()
        #expect(scene.nodes.count == 3)
        #expect(scene.nodes[0].children == [1, 2])
        #expect(scene.nodes[0].mesh == nil)
        #expect(
            scene.nodes[2].transform.columns == [
                SIMD4(2, 0, 0, 0), SIMD4(0, 2, 0, 0), SIMD4(0, 0, 2, 0), SIMD4(0, 5, 0, 1),
            ])
    }

    @Test("is written and read as it was, also without nodes and with indices left over")
    func oddRoundTrips() throws {
        var sketch = GLTFSketch()
        let positions = sketch.positions(GLTFSketch.corners), view = sketch.view([0, 1, 2, 3] as [UInt8])
        sketch.mesh(positions: positions, indices: sketch.accessor(view, type: "SCALAR", component: 5121, count: 4))
        sketch.members["nodes"] = .array([.object(["mesh": JSONValue(0)])])
        let empty = JSONValue.array([.object([:])])
        for edits in [[], [("scenes", empty)], [("nodes", nil), ("scenes", nil)]] as [[(String, JSONValue?)]] {
            let scene = try sketch.scene(edits)
            #expect(scene.meshes[0].primitives[0].vertices.count == 3)
            #expect(try SceneDocument(scene.bytes(binary: true), name: "a.gltf") == scene)
            #expect(try SceneDocument(scene.bytes(binary: false), name: "a.gltf") == scene)
        }
    }
}
