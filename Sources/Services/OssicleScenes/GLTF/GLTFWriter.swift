import Foundation

extension SceneDocument {
    /// The scene as a glTF 2.0 file: one binary in the `.glb`, JSON with its geometry in it otherwise. The same
    /// document gives the same bytes, and is what is read from them.
    package func bytes(binary: Bool) -> [UInt8] {
        var writer = GLTFWriter(self)
        return binary ? writer.binaryFile() : writer.textFile()
    }
}

/// Lays out a scene as glTF.
private struct GLTFWriter {
    private let scene: SceneDocument
    private var geometry: [UInt8] = []
    private var views: [JSONValue] = []
    private var accessors: [JSONValue] = []

    init(_ scene: SceneDocument) { self.scene = scene }

    mutating func textFile() -> [UInt8] {
        var document = document()
        if !geometry.isEmpty {
            document["buffers"] = .array([
                .object([
                    "byteLength": JSONValue(geometry.count),
                    "uri": .string("data:application/octet-stream;base64," + Data(geometry).base64EncodedString()),
                ])
            ])
        }
        return JSONValue.object(document).bytes
    }

    mutating func binaryFile() -> [UInt8] {
        var document = document()
        if !geometry.isEmpty {
            document["buffers"] = .array([.object(["byteLength": JSONValue(geometry.count)])])
        }
        return GLTFContainer.bytes(json: JSONValue.object(document).bytes, binary: geometry)
    }

    private mutating func document() -> [String: JSONValue] {
        let meshes = scene.meshes.map { mesh($0) }
        var document: [String: JSONValue] = [
            "asset": .object(["version": .string("2.0"), "generator": .string("Ossicle")]),
            "extensionsUsed": .array([.string(SceneAudio.extensionName)]),
            "extensions": .object([SceneAudio.extensionName: .object(scene.audio.members)]),
        ]
        let lists: [(String, [JSONValue])] = [
            ("nodes", scene.nodes.map(node)), ("materials", scene.materials.map(material)), ("meshes", meshes),
            ("accessors", accessors), ("bufferViews", views),
        ]
        for (name, list) in lists where !list.isEmpty { document[name] = .array(list) }
        // Without a scene all topmost nodes would belong to one.
        let roots = JSONValue.array(scene.roots.map { JSONValue($0) })
        document["scenes"] = .array([.object(scene.roots.isEmpty ? [:] : ["nodes": roots])])
        document["scene"] = JSONValue(0)
        return document
    }

    private func node(_ node: SceneNode) -> JSONValue {
        var members: [String: JSONValue] = [:]
        if let name = node.name { members["name"] = .string(name) }
        if node.transform == SceneTransform(translation: node.transform.translation) {
            let place = node.transform.translation
            if place != .zero { members["translation"] = .array([place.x, place.y, place.z].map { JSONValue($0) }) }
        } else {
            members["matrix"] = .array(
                node.transform.columns.flatMap { [$0.x, $0.y, $0.z, $0.w] }.map { JSONValue($0) })
        }
        if !node.children.isEmpty { members["children"] = .array(node.children.map { JSONValue($0) }) }
        if let mesh = node.mesh { members["mesh"] = JSONValue(mesh) }
        if node.roles != SceneRoles() { members["extensions"] = GLTFWriter.extended(node.roles) }
        return .object(members)
    }

    private func material(_ material: SceneMaterial) -> JSONValue {
        var members: [String: JSONValue] = material.name.isEmpty ? [:] : ["name": .string(material.name)]
        if let acoustics = material.acoustics { members["extensions"] = GLTFWriter.extended(acoustics) }
        return .object(members)
    }

    private static func extended(_ value: some SceneValue) -> JSONValue {
        .object([SceneAudio.extensionName: .object(value.members)])
    }

    private mutating func mesh(_ mesh: SceneMesh) -> JSONValue {
        let primitives = mesh.primitives.filter { !$0.triangles.isEmpty }.map { primitive($0) }
        var members: [String: JSONValue] = ["primitives": .array(primitives)]
        if !mesh.name.isEmpty { members["name"] = .string(mesh.name) }
        return .object(members)
    }

    private mutating func primitive(_ primitive: ScenePrimitive) -> JSONValue {
        let places = primitive.vertices, first = places.first ?? .zero
        let (low, high) = places.reduce((first, first)) { (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1)) }
        func list(_ place: SIMD3<Float>) -> JSONValue { .array([place.x, place.y, place.z].map { JSONValue($0) }) }
        let positions = accessor(
            places.flatMap { [$0.x.bitPattern, $0.y.bitPattern, $0.z.bitPattern] }, target: 34962,
            ["componentType": JSONValue(5126), "type": .string("VEC3"), "min": list(low), "max": list(high)], width: 3)
        let indices = accessor(
            primitive.triangles.flatMap { [$0.x, $0.y, $0.z] }, target: 34963,
            ["componentType": JSONValue(5125), "type": .string("SCALAR")], width: 1)
        var members: [String: JSONValue] = [
            "attributes": .object(["POSITION": JSONValue(positions)]), "indices": JSONValue(indices),
        ]
        if let material = primitive.material { members["material"] = JSONValue(material) }
        return .object(members)
    }

    /// Appends little-endian words and describes them.
    /// - Parameter target: what a graphics card would do with them, as glTF numbers it.
    private mutating func accessor(
        _ words: [UInt32], target: Int, _ description: [String: JSONValue], width: Int
    ) -> Int {
        views.append(
            .object([
                "buffer": JSONValue(0), "byteOffset": JSONValue(geometry.count),
                "byteLength": JSONValue(4 * words.count),
                "target": JSONValue(target),
            ]))
        for word in words { withUnsafeBytes(of: word.littleEndian) { geometry.append(contentsOf: $0) } }
        accessors.append(
            .object(
                description.merging([
                    "bufferView": JSONValue(views.count - 1), "count": JSONValue(words.count / width),
                ]) { $1 }))
        return accessors.count - 1
    }
}
