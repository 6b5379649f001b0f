/// Checks that what a scene refers to by name is there, once, and of the right kind.
struct SceneReferences {
    private let scene: SceneDocument
    private let audio: SceneAudio
    private let root = JSONPath.member(.member(.root, "extensions"), SceneAudio.extensionName)
    /// What the nodes of the scene are, by name.
    private var sources: Set<String> = []
    private var listeners: Set<String> = []
    private let sounds, mixers, spatialMixers, events, groups, presets: Set<String>
    /// Names of parameters by kind.
    private let numbers, texts: Set<String>

    init(_ scene: SceneDocument) {
        (self.scene, audio) = (scene, scene.audio)
        sounds = Set(audio.sounds.map(\.name))
        mixers = Set(audio.mixers.map(\.name))
        spatialMixers = Set(audio.mixers.filter(\.isSpatial).map(\.name))
        events = Set(audio.events.map(\.name))
        groups = Set(audio.groups.map(\.name))
        presets = Set(audio.groupPresets.map(\.name))
        numbers = Set(audio.parameters.filter(\.isNumber).map(\.name))
        texts = Set(audio.parameters.filter { !$0.isNumber }.map(\.name))
        for node in scene.nodes {
            guard let name = node.name else { continue }
            if node.roles.source != nil { sources.insert(name) }
            if node.roles.listener != nil { listeners.insert(name) }
        }
    }

    /// - Throws: `SceneFileError` with the first fault.
    func check() throws {
        try checkNodes()
        try checkNames()
        try checkParameters()
        try checkGroups()
        try checkMixers()
        for (index, event) in audio.events.enumerated() {
            try checkTree(event.root, at: .member(element("events", index), "root"), depth: 1)
        }
        try checkInstances()
    }

    // MARK: Names

    private func checkNodes() throws {
        var seen: [String: Int] = [:]
        for (index, node) in scene.nodes.enumerated() {
            let path = JSONPath.element(.member(.root, "nodes"), index), roles = node.roles
            if roles.source?.shape == .mesh || roles.zone != nil || roles.occluder == true, node.mesh == nil {
                throw fault(
                    path, "has no mesh", rule: "a zone, an occluder or a source of shape “mesh” has a surface",
                    cure: "give the node a mesh")
            }
            guard let name = node.name, roles.source != nil || roles.listener != nil else { continue }
            if let other = seen[name] {
                throw fault(
                    path, "is called “\(name)”",
                    rule: "sources and listeners have names of their own, and nodes[\(other)] has it",
                    cure: "rename one of them")
            }
            seen[name] = index
        }
    }

    private func checkNames() throws {
        try checkUnique("sounds", audio.sounds.map(\.name))
        try checkUnique("parameters", audio.parameters.map(\.name))
        try checkUnique("groups", audio.groups.map(\.name))
        try checkUnique("groupPresets", audio.groupPresets.map(\.name))
        try checkUnique("mixers", audio.mixers.map(\.name))
        try checkUnique("instances", audio.instances.map(\.name))
        // PHASE has one name space for what is registered.
        try checkUnique("events", audio.events.map(\.name))
        for (index, event) in audio.events.enumerated() where sounds.contains(event.name) {
            throw fault(
                .member(element("events", index), "name"), "is “\(event.name)”",
                rule: "sounds, events and global parameters share their names, and a sound has it",
                cure: "rename one of them")
        }
        for (index, parameter) in audio.parameters.enumerated() where parameter.isGlobal {
            guard sounds.contains(parameter.name) || events.contains(parameter.name) else { continue }
            throw fault(
                .member(element("parameters", index), "name"), "is “\(parameter.name)”",
                rule: "sounds, events and global parameters share their names", cure: "rename one of them")
        }
    }

    private func checkUnique(_ list: String, _ names: [String]) throws {
        var seen: [String: Int] = [:]
        for (index, name) in names.enumerated() {
            if let other = seen[name] {
                throw fault(
                    .member(element(list, index), "name"), "is “\(name)”",
                    rule: "names are unique, and \(list)[\(other)] has it", cure: "rename one of them")
            }
            seen[name] = index
        }
    }

    private func checkReference(
        _ name: String?, to things: String, among names: Set<String>, at path: JSONPath
    ) throws {
        guard let name, !names.contains(name) else { return }
        let known = names.isEmpty ? "there are none" : "there are \(names.sorted().prefix(8).joined(separator: ", "))"
        throw fault(
            path, "is “\(name)”", rule: "it names one of the \(things), and \(known)",
            cure: "correct the name, or add it")
    }

    // MARK: Parameters, groups, mixers

    private func checkParameters() throws {
        var depths: [String: Int] = [:]
        for (index, parameter) in audio.parameters.enumerated() {
            switch parameter.kind {
            case .number(let number):
                guard number.minimum <= number.maximum, (number.minimum...number.maximum).contains(number.value) else {
                    throw fault(
                        .member(element("parameters", index), "value"), "is \(number.value)",
                        rule: "it lies between minimum and maximum, here \(number.minimum) and \(number.maximum)",
                        cure: "give such a value, or wider limits")
                }
                depths[parameter.name] = 0
            case .text: continue
            case .mapped(let mapping):
                // Those that it follows come first, so that none follows itself.
                guard let depth = depths[mapping.input], depth < 100 else {
                    throw fault(
                        .member(element("parameters", index), "input"), "is “\(mapping.input)”",
                        rule: "it names a number, or a mapped parameter, that comes before it in the list",
                        cure: "move that one up, or correct the name")
                }
                depths[parameter.name] = depth + 1
            }
        }
    }

    private func checkGroups() throws {
        for (index, preset) in audio.groupPresets.enumerated() {
            for (place, setting) in preset.settings.enumerated() {
                let path = JSONPath.element(.member(element("groupPresets", index), "settings"), place)
                try checkReference(setting.group, to: "groups", among: groups, at: .member(path, "group"))
            }
        }
        for (index, ducker) in audio.duckers.enumerated() {
            for (list, names) in [("sources", ducker.sources), ("targets", ducker.targets)] {
                for (place, name) in names.enumerated() {
                    try checkReference(
                        name, to: "groups", among: groups, at: .element(.member(element("duckers", index), list), place)
                    )
                }
            }
        }
        try checkReference(
            audio.engine.groupPreset, to: "group presets", among: presets,
            at: .member(.member(root, "engine"), "groupPreset"))
    }

    private func checkMixers() throws {
        for (index, mixer) in audio.mixers.enumerated() {
            let path = element("mixers", index)
            try checkReference(
                mixer.gainParameter, to: "number parameters", among: numbers, at: .member(path, "gainParameter"))
            guard case .spatial(let spatial) = mixer.kind else { continue }
            guard spatial.direct != nil || spatial.early != nil || spatial.late != nil else {
                throw fault(
                    path, "has neither direct, early nor late sound",
                    rule: "a spatial mixer renders one of them at least",
                    cure: "add “direct”: {}")
            }
            for (name, send) in [("direct", spatial.direct), ("early", spatial.early), ("late", spatial.late)] {
                try checkReference(
                    send?.parameter, to: "number parameters", among: numbers,
                    at: .member(.member(path, name), "parameter"))
            }
            for (name, directivity) in [
                ("sourceDirectivity", spatial.sourceDirectivity), ("listenerDirectivity", spatial.listenerDirectivity),
            ] {
                guard case .cone(let cone) = directivity?.model,
                    let place = cone.bands.firstIndex(where: { $0.outerAngle < $0.innerAngle })
                else { continue }
                throw fault(
                    .member(.element(.member(.member(path, name), "bands"), place), "outerAngle"),
                    "is \(cone.bands[place].outerAngle)", rule: "the outer cone is no narrower than the inner one",
                    cure: "give at least \(cone.bands[place].innerAngle)")
            }
        }
    }

    // MARK: Events

    /// Levels of an event's tree at the most.
    private static let greatestDepth = 100

    private func checkTree(_ node: SceneEventNode, at path: JSONPath, depth: Int) throws {
        guard depth <= SceneReferences.greatestDepth else {
            throw fault(
                path, "lies on level \(depth)", rule: "a tree has at most \(SceneReferences.greatestDepth) levels",
                cure: "nest less deeply")
        }
        switch node.kind {
        case .sampler(let sampler): try checkSampler(sampler, at: path)
        case .selection(let part):
            try checkReference(
                part.parameter, to: "string parameters", among: texts, at: .member(path, "parameter"))
        case .blend(let blend): try checkBlend(blend, at: path)
        case .container, .sequence, .random: break
        }
        for (index, child) in node.children.enumerated() {
            let place = JSONPath.element(.member(path, "children"), index)
            switch node.kind {
            case .random, .selection, .blend: try checkTree(child, at: .member(place, "node"), depth: depth + 1)
            case .sampler, .container, .sequence: try checkTree(child, at: place, depth: depth + 1)
            }
        }
    }

    private func checkSampler(_ sampler: SceneSampler, at path: JSONPath) throws {
        try checkReference(
            sampler.sound, to: "sounds", among: sounds, at: .member(path, "sound"))
        try checkReference(
            sampler.mixer, to: "mixers", among: mixers, at: .member(path, "mixer"))
        try checkReference(sampler.group, to: "groups", among: groups, at: .member(path, "group"))
        for (name, parameter) in [("gainParameter", sampler.gainParameter), ("rateParameter", sampler.rateParameter)] {
            try checkReference(parameter, to: "number parameters", among: numbers, at: .member(path, name))
        }
        guard sampler.levels.contains(sampler.level) else {
            throw fault(
                .member(path, "level"), "is \(sampler.level)",
                rule: "with calibration “\(sampler.calibration.rawValue)” it is a number \(sampler.levels.words)",
                cure: "give a level in that range")
        }
    }

    private func checkBlend(_ blend: SceneBlend, at path: JSONPath) throws {
        guard (blend.parameter == nil) != (blend.distanceMixer == nil) else {
            throw fault(
                path, "has \(blend.parameter == nil ? "neither" : "both") parameter and distanceMixer",
                rule: "a blend follows one of the two", cure: "give one")
        }
        try checkReference(blend.parameter, to: "number parameters", among: numbers, at: .member(path, "parameter"))
        try checkReference(
            blend.distanceMixer, to: "spatial mixers", among: spatialMixers,
            at: .member(path, "distanceMixer"))
    }

    private func checkInstances() throws {
        let bindings = SceneBindings(scene)
        for (index, instance) in audio.instances.enumerated() {
            let path = element("instances", index)
            try checkReference(
                instance.event, to: "events", among: events, at: .member(path, "event"))
            try checkReference(
                instance.source, to: "nodes that are sources", among: sources, at: .member(path, "source"))
            try checkReference(
                instance.listener, to: "nodes that are listeners", among: listeners, at: .member(path, "listener"))
            for (place, binding) in instance.bindings.enumerated() {
                let path = JSONPath.element(.member(path, "bindings"), place)
                try checkReference(
                    binding.mixer, to: "mixers", among: mixers, at: .member(path, "mixer"))
                try checkReference(
                    binding.source, to: "nodes that are sources", among: sources, at: .member(path, "source"))
                try checkReference(
                    binding.listener, to: "nodes that are listeners", among: listeners,
                    at: .member(path, "listener"))
            }
            try checkBindings(of: instance, bindings.mixers(of: instance), bindings, at: path)
        }
    }

    /// Spatial mixers have a source and a listener, ambient ones a listener.
    private func checkBindings(
        of instance: SceneInstance, _ mixers: [SceneMixer], _ bindings: SceneBindings, at path: JSONPath
    ) throws {
        for mixer in mixers {
            if case .channel = mixer.kind { continue }
            let bound = bindings.binding(of: mixer.name, in: instance)
            if mixer.isSpatial, bound.source == nil {
                throw fault(
                    path, "has no source for the mixer “\(mixer.name)”", rule: "a spatial mixer has a source",
                    cure: "add the name of a node that is one")
            }
            if bound.listener == nil {
                throw fault(
                    path, "has no listener for the mixer “\(mixer.name)”",
                    rule: "a scene with \(listeners.count) listeners does not say which is meant",
                    cure: "add the name of a node that is a listener")
            }
        }
    }

    private func element(_ list: String, _ index: Int) -> JSONPath { .element(.member(root, list), index) }

    private func fault(_ path: JSONPath, _ found: String, rule: String, cure: String) -> SceneFileError {
        SceneFileError(scene.name, "\(path) \(found)", rule: rule, cure: cure)
    }
}
