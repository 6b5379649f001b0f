/// Holds a timeline against its scene: what it names is there, and of the right kind.
struct TimelineCheck {
    private let timeline: SceneTimeline
    private let file: String
    /// Nodes by name; nil for a name that several have.
    private var nodes: [String: SceneNode?] = [:]
    private let instances: [String: String]
    private let groups, presets: Set<String>
    private let parameters: [String: SceneParameter]

    init(_ timeline: SceneTimeline, _ scene: SceneDocument, file: String) {
        (self.timeline, self.file) = (timeline, file)
        for node in scene.nodes {
            guard let name = node.name else { continue }
            nodes.updateValue(nodes[name] == nil ? node : nil, forKey: name)
        }
        instances = Dictionary(
            scene.audio.instances.map { ($0.name, $0.event) }, uniquingKeysWith: { first, _ in first })
        groups = Set(scene.audio.groups.map(\.name))
        presets = Set(scene.audio.groupPresets.map(\.name))
        parameters = Dictionary(scene.audio.parameters.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func check() throws {
        for (index, track) in timeline.tracks.enumerated() {
            try check(track, at: .element(.member(.root, "tracks"), index))
        }
        for (index, action) in timeline.actions.enumerated() {
            try check(action, at: .element(.member(.root, "actions"), index))
        }
    }

    private func check(_ track: SceneTrack, at path: JSONPath) throws {
        switch track.target {
        case .position(let part), .orientation(let part): _ = try node(part.node, at: path)
        case .gain(let part):
            let node = try node(part.node, at: path)
            guard node.roles.source != nil || node.roles.listener != nil else {
                throw fault(
                    .member(path, "node"), part.node, rule: "sources and listeners have a gain",
                    cure: "name one of them")
            }
        case .groupGain(let part), .groupRate(let part): try check(part.group, "group", among: groups, at: path)
        case .parameter(let part):
            try check(part.parameter, of: part.instance, at: path) { $0.isNumber && !$0.isMapped }
        }
    }

    private func check(_ action: SceneAction, at path: JSONPath) throws {
        switch action.kind {
        case .start(let part), .stop(let part), .pause(let part), .resume(let part):
            try check(part.instance, "instance", among: Set(instances.keys), at: path)
        case .seek(let part): try check(part.instance, "instance", among: Set(instances.keys), at: path)
        case .setText(let part): try check(part.parameter, of: part.instance, at: path) { !$0.isNumber }
        case .mute(let part), .unmute(let part): try check(part.group, "group", among: groups, at: path)
        case .activatePreset(let part), .deactivatePreset(let part):
            try check(part.preset, "preset", among: presets, at: path)
        }
    }

    private func node(_ name: String, at path: JSONPath) throws -> SceneNode {
        switch nodes[name] {
        case .some(.some(let node)): return node
        case .some(.none):
            throw fault(
                .member(path, "node"), name, rule: "several nodes of the scene have this name",
                cure: "give them names of their own")
        case .none:
            throw fault(.member(path, "node"), name, rule: "it names a node of the scene", cure: "correct the name")
        }
    }

    private func check(_ name: String, _ kind: String, among names: Set<String>, at path: JSONPath) throws {
        guard !names.contains(name) else { return }
        let known = names.isEmpty ? "there are none" : "there are \(names.sorted().prefix(8).joined(separator: ", "))"
        throw fault(
            .member(path, kind), name, rule: "it names a \(kind) of the scene, and \(known)", cure: "correct the name")
    }

    /// A parameter is global, or that of an instance.
    private func check(
        _ name: String, of instance: String?, at path: JSONPath, _ isOfKind: (SceneParameter) -> Bool
    ) throws {
        guard let parameter = parameters[name], isOfKind(parameter) else {
            let known = parameters.values.filter(isOfKind).map(\.name).sorted().prefix(8).joined(separator: ", ")
            throw fault(
                .member(path, "parameter"), name,
                rule:
                    "it names a parameter of the scene that takes such values, and there are \(known.isEmpty ? "none" : known)",
                cure: "correct the name")
        }
        if let instance {
            return try check(instance, "instance", among: Set(instances.keys), at: path)
        }
        guard parameter.isGlobal else {
            throw fault(
                .member(path, "parameter"), name, rule: "without an instance it is a global parameter",
                cure: "add the instance that is meant, or make the parameter global")
        }
    }

    private func fault(_ path: JSONPath, _ name: String, rule: String, cure: String) -> SceneFileError {
        SceneFileError(file, "\(path) is “\(name)”", rule: rule, cure: cure)
    }
}
