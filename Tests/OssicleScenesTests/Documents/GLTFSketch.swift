import Foundation
@testable import OssicleScenes

/// A glTF document under test: bytes that grow, and views and accessors of them.
struct GLTFSketch {
    private(set) var bytes: [UInt8] = []
    private var views: [JSONValue] = []
    private var accessors: [JSONValue] = []
    var members: [String: JSONValue] = ["asset": .object(["version": .string("2.0")])]

    /// Appends numbers, little-endian, and a view of them.
    mutating func view<Raw: BitwiseCopyable>(_ values: [Raw], stride: Int? = nil, filler: Int = 0) -> Int {
        var members: [String: JSONValue] = ["buffer": JSONValue(0), "byteOffset": JSONValue(bytes.count)]
        let start = bytes.count
        for value in values {
            withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: Array(repeating: 0xEE, count: filler))
        }
        members["byteLength"] = JSONValue(bytes.count - start)
        if let stride { members["byteStride"] = JSONValue(stride) }
        views.append(.object(members))
        return views.count - 1
    }

    mutating func accessor(
        _ view: Int?, type: String, component: Int, count: Int, _ others: [String: JSONValue] = [:]
    ) -> Int {
        var members: [String: JSONValue] = [
            "type": .string(type), "componentType": JSONValue(component), "count": JSONValue(count),
        ]
        if let view { members["bufferView"] = JSONValue(view) }
        accessors.append(.object(members.merging(others) { $1 }))
        return accessors.count - 1
    }

    mutating func positions(_ places: [SIMD3<Float>]) -> Int {
        let view = view(places.flatMap { [$0.x, $0.y, $0.z] })
        return accessor(view, type: "VEC3", component: 5126, count: places.count)
    }

    mutating func mesh(positions: Int, indices: Int? = nil, _ others: [String: JSONValue] = [:]) {
        var primitive: [String: JSONValue] = ["attributes": .object(["POSITION": JSONValue(positions)])]
        if let indices { primitive["indices"] = JSONValue(indices) }
        let mesh = JSONValue.object(["primitives": .array([.object(primitive.merging(others) { $1 })])])
        guard case .array(let meshes) = members["meshes"] else { return members["meshes"] = .array([mesh]) }
        members["meshes"] = .array(meshes + [mesh])
    }

    var json: JSONValue {
        var members = members
        if !bytes.isEmpty {
            let uri = "data:application/octet-stream;base64," + Data(bytes).base64EncodedString()
            members["buffers"] = .array([.object(["byteLength": JSONValue(bytes.count), "uri": .string(uri)])])
        }
        if !views.isEmpty { members["bufferViews"] = .array(views) }
        if !accessors.isEmpty { members["accessors"] = .array(accessors) }
        return .object(members)
    }

    func scene(_ edits: [(String, JSONValue?)] = []) throws -> SceneDocument {
        try SceneDocument(edits.reduce(json) { $0.setting($1.0, to: $1.1) }.bytes, name: "a.gltf")
    }

    /// Three corners of a triangle, and a square of two.
    static let corners: [SIMD3<Float>] = [SIMD3(0, 0, 0), SIMD3(2, 0, 0), SIMD3(0, 3, 0), SIMD3(2, 3, 0)]
}

extension JSONValue {
    /// The same with another value at a path such as “nodes[0].mesh”; `nil` takes it out.
    func setting(_ path: String, to value: JSONValue?) -> JSONValue {
        let steps = path.replacing("[", with: ".[").split(separator: ".").map(String.init)
        return setting(steps[...], to: value) ?? .null
    }

    private func setting(_ steps: ArraySlice<String>, to value: JSONValue?) -> JSONValue? {
        guard let step = steps.first else { return value }
        let rest = steps.dropFirst()
        if step.hasPrefix("["), case .array(var list) = self, let index = Int(step.dropFirst().dropLast()) {
            if let new = list[index].setting(rest, to: value) { list[index] = new } else { list.remove(at: index) }
            return .array(list)
        }
        guard case .object(var members) = self else { return self }
        members[step] = (members[step] ?? .object([:])).setting(rest, to: value)
        return .object(members)
    }

    init(text: String) throws { try self.init(Array(text.utf8), file: "test") }
}
