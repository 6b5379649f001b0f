/// A state of Khronos' drafts of sound in glTF. They change and carry no version, so that the caller says which one is
/// meant.
package enum KhronosDraft: String, CaseIterable, Sendable {
    /// KHR_audio_emitter of 2024 (KhronosGroup/glTF, pull request 2137): a node has one `emitter`.
    case year2024 = "2024"
    /// KHR_audio_emitter and KHR_audio_environment of August 2026 (pull requests 2137 and 2631): a node has `emitters`.
    case august2026 = "2026-08"

    static let emitter = "KHR_audio_emitter", environment = "KHR_audio_environment", graph = "KHR_audio_graph"

    static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// How many channels a sound file has; nil where it cannot be read.
package typealias SoundChannelCount = (_ path: String) -> Int?

/// Reads a document's Khronos extensions as what `OSSICLE_audio` would say.
struct KhronosReader {
    let document: JSONObject
    let draft: KhronosDraft
    let channelCount: SoundChannelCount
    var scene: SceneDocument

    /// nil where the document has none of these extensions.
    static func scene(
        _ scene: SceneDocument, _ document: JSONObject, _ draft: KhronosDraft?,
        _ channelCount: @escaping SoundChannelCount
    ) throws -> SceneDocument {
        var scene = scene
        let isThere =
            try document.extension(KhronosDraft.emitter) != nil
            || document.extension(KhronosDraft.environment) != nil
        guard isThere else { return scene }
        let hasOwn = try document.extension(SceneAudio.extensionName) != nil
        guard let draft, !hasOwn else {
            scene.warnings.append(
                hasOwn
                    ? "\(SceneAudio.extensionName) counts, and Khronos' drafts beside it are left out."
                    : "It has sounds by \(KhronosDraft.emitter), a draft of Khronos', which is read only if one of its states is chosen (\(KhronosDraft.names))."
            )
            return scene
        }
        if let graph = try document.extension(KhronosDraft.graph) {
            throw graph.cursor.fault(
                "is there", rule: "graphs of sound are not mapped",
                cure: "export the scene without \(KhronosDraft.graph)")
        }
        var reader = KhronosReader(document: document, draft: draft, channelCount: channelCount, scene: scene)
        try reader.nameNodes()
        let world = try reader.environment()
        try reader.emitters(world)
        return reader.scene
    }

    mutating func warn(_ cursor: JSONCursor, _ text: String) { scene.warnings.append("\(cursor.path) \(text)") }

    /// Names by which instances can refer to nodes: every node gets one of its own.
    private mutating func nameNodes() throws {
        var used = Set<String>()
        for index in scene.nodes.indices {
            let name = scene.nodes[index].name ?? "node \(index)"
            var own = name
            while !used.insert(own).inserted { own += " (\(index))" }
            scene.nodes[index].name = own
        }
    }

    /// What the nodes of the document have under an extension; instances that were added behind them have nothing.
    func nodes(_ name: String) throws -> [(index: Int, object: JSONObject)] {
        try document.list("nodes").enumerated().compactMap { index, cursor in
            try cursor.object().extension(name).map { (index, $0) }
        }
    }

    /// What the scene that is played has under an extension.
    func sceneExtension(_ name: String) throws -> JSONObject? {
        let scenes = try document.list("scenes")
        guard !scenes.isEmpty else { return nil }
        let index = try document["scene"]?.index(of: "scenes", count: scenes.count) ?? 0
        return try scenes[index].object().extension(name)
    }
}

extension JSONObject {
    /// A number that may be left out.
    func number(_ name: String, _ range: ClosedRange<Double>, or absent: Double) throws -> Double {
        try self[name]?.number(in: range) ?? absent
    }

    func flag(_ name: String) throws -> Bool { try self[name]?.flag() ?? false }
}
