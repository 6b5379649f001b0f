@testable import OssicleScenes
import Testing

@Suite("Faulty glTF") struct GLTFFaultTests {
    /// A triangle with indices, in a node.
    private static func sketch() -> GLTFSketch {
        var sketch = GLTFSketch()
        let positions = sketch.positions(GLTFSketch.corners), view = sketch.view([0, 1, 2] as [UInt16])
        sketch.mesh(positions: positions, indices: sketch.accessor(view, type: "SCALAR", component: 5123, count: 3))
        sketch.members["nodes"] = .array([.object(["mesh": JSONValue(0)])])
        return sketch
    }

    struct Fault: Sendable {
        let path: String
        let value: JSONValue?
        let message: String

        init(_ path: String, _ value: JSONValue?, _ message: String) {
            (self.path, self.value, self.message) = (path, value, message)
        }
    }

    @Test(
        "names the place, the value, the rule and the cure",
        arguments: [
            Fault("asset", nil, "has no asset"),
            Fault("asset.version", .string("1.0"), "asset.version is “1.0”; version 2"),
            Fault("accessors[0].count", JSONValue(5), "do not fit into its 48 bytes"),
            Fault("accessors[0].count", .number(1e9), "accessors[0].count is 1000000000"),
            Fault("accessors[0].count", .number(9e15), "accessors[0].count"),
            Fault("accessors[0].count", .number(0.5), "accessors[0].count is 0.5"),
            Fault("accessors[0].byteOffset", JSONValue(4), "do not fit"),
            Fault("accessors[0].byteOffset", .number(-4), "accessors[0].byteOffset is -4"),
            Fault("accessors[0].componentType", JSONValue(5124), "accessors[0].componentType is 5124"),
            Fault("accessors[0].type", .string("VEC2"), "accessors[0].type is “VEC2”"),
            Fault("accessors[1].componentType", JSONValue(5126), "indices are unsigned"),
            Fault("accessors[1].componentType", JSONValue(5125), "do not fit"),
            Fault("bufferViews[0].byteLength", JSONValue(400), "bufferViews[0].byteLength is 400"),
            Fault("bufferViews[0].byteOffset", .number(1e9), "the view begins at 1000000000"),
            Fault("bufferViews[0].byteStride", JSONValue(2), "bufferViews[0].byteStride is 2"),
            Fault("bufferViews[0].byteStride", JSONValue(252), "do not fit"),
            Fault("bufferViews[0].buffer", JSONValue(1), "bufferViews[0].buffer is 1"),
            Fault("buffers[0].byteLength", JSONValue(4000), "only 54 are there"),
            Fault("buffers[0].byteLength", .number(1e15), "buffers[0].byteLength"),
            Fault("buffers[0].uri", .string("data:;base64,%%"), "is a data URI that cannot be read"),
            Fault("buffers[0].uri", .string("data:text/plain,a"), "is a data URI that cannot be read"),
            Fault("buffers[0].uri", nil, "a buffer without bytes"),
            Fault("meshes[0].primitives[0].attributes", .object([:]), "attributes has no POSITION"),
            Fault("meshes[0].primitives[0].indices", JSONValue(9), "meshes[0].primitives[0].indices is 9"),
            Fault("meshes[0].primitives[0].mode", JSONValue(7), "meshes[0].primitives[0].mode is 7"),
            Fault("meshes[0].primitives[0].material", JSONValue(0), "there are no materials"),
            Fault("meshes[0].primitives", .bool(true), "meshes[0].primitives is true; it is a list"),
            Fault("extensionsRequired", .array([.string("XY_magic")]), "extensionsRequired[0] is “XY_magic”"),
        ])
    func faults(fault: Fault) throws {
        let error = try #require(throws: SceneFileError.self) { try Self.sketch().scene([(fault.path, fault.value)]) }
        #expect("\(error)".contains(fault.message), "\(error)")
        #expect("\(error)".hasPrefix("Scene “a.gltf”: "))
    }

    @Test("holds no index beyond its vertices and no vertex that is nowhere")
    func contents() throws {
        var sketch = GLTFSketch()
        let positions = sketch.positions(GLTFSketch.corners), view = sketch.view([0, 1, 4] as [UInt8])
        sketch.mesh(positions: positions, indices: sketch.accessor(view, type: "SCALAR", component: 5121, count: 3))
        let error = try #require(throws: SceneFileError.self) { try sketch.scene() }
        #expect("\(error)".contains("meshes[0].primitives[0].indices names an accessor whose element 2 is 4"))
        var other = GLTFSketch()
        other.mesh(positions: other.positions([.zero, SIMD3(.nan, 0, 0), .one]))
        let second = try #require(throws: SceneFileError.self) { try other.scene() }
        #expect("\(second)".contains("meshes[0].primitives[0].attributes.POSITION names an accessor whose element 1"))
    }

    @Test(
        "is refused as a whole where it is no glTF",
        arguments: [
            "", "{", "[]", "glTF", "{\"asset\": {\"version\": \"2.0\"}", "{\"asset\": {\"version\": 2}}", "null",
            String(repeating: "[", count: 10_000),
        ])
    func documents(text: String) {
        #expect(throws: SceneFileError.self) { try SceneDocument(Array(text.utf8), name: "a.gltf") }
    }

    @Test("of a damaged .glb is refused", arguments: [5, 13, 19, 21, 40])
    func cutContainers(length: Int) {
        let whole = GLTFContainer.bytes(json: Self.sketch().json.bytes, binary: Self.sketch().bytes)
        #expect(throws: SceneFileError.self) { try SceneDocument(Array(whole.prefix(length)), name: "a.glb") }
    }
}
