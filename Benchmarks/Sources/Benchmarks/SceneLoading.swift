import Foundation

/// A scene file of 1,000 meshes with 100 triangles each: read, put into an engine and rendered for a millisecond by a
/// program of its own. One second would be real time.
enum SceneLoading {
    private static let objects = 1000, triangles = 100

    static func measure() throws -> Double? {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ossicle-scene-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let scene = folder.appendingPathComponent("scene.gltf").path
        try Data(document(buffer: "scene.bin").utf8).write(to: URL(fileURLWithPath: scene))
        try geometry.write(to: folder.appendingPathComponent("scene.bin"))
        let arguments = [
            "render", scene, "--seconds", "0.001", "--overwrite", "-o", folder.appendingPathComponent("o.wav").path,
        ]
        return 1 / (try Command.seconds(Command.ossicle, arguments))
    }

    /// Strips of triangles, a metre apart.
    private static var geometry: Data {
        var data = Data()
        for object in 0..<objects {
            for corner in 0..<triangles + 2 {
                let place = [Float(object % 32) * 3 + Float(corner) * 0.02, Float(corner % 2), -Float(object / 32) * 3]
                place.withUnsafeBytes { data.append(contentsOf: $0) }
            }
        }
        return data
    }

    private static func document(buffer: String) -> String {
        let count = triangles + 2, bytes = 12 * count
        func list(_ element: (Int) -> String) -> String { (0..<objects).map(element).joined(separator: ",") }
        return """
            {"asset": {"version": "2.0"}, "scenes": [{"nodes": [\(list { "\($0)" }), \(objects)]}],
             "nodes": [\(list { #"{"name": "object \#($0)", "mesh": \#($0)}"# }),
              {"name": "head", "translation": [0, 1, 5], "extensions": {"OSSICLE_audio": {"listener": {}}}}],
             "meshes": [\(list { #"{"primitives": [{"attributes": {"POSITION": \#($0)}, "mode": 5}]}"# })],
             "accessors": [\(list { #"{"bufferView": \#($0), "componentType": 5126, "count": \#(count), "type": "VEC3"}"# })],
             "bufferViews": [\(list { #"{"buffer": 0, "byteOffset": \#($0 * bytes), "byteLength": \#(bytes)}"# })],
             "buffers": [{"byteLength": \(objects * bytes), "uri": "\(buffer)"}],
             "extensions": {"OSSICLE_audio": {"version": 1, "engine": {"acoustics": "geometry", "quality": "low"}}}}
            """
    }
}
