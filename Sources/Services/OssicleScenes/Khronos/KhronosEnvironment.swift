import OssicleCore

/// KHR_audio_environment: listeners, reverb by presets, zones.
extension KhronosReader {
    /// The draft's presets and what stands in for them: those of PHASE that decay about as long.
    private static let presets: [String: SceneReverb] = [
        "generic": .mediumRoom, "smallRoom": .smallRoom, "mediumRoom": .mediumRoom, "largeRoom": .largeRoom2,
        "bathroom": .mediumChamber, "concertHall": .largeHall, "cathedral": .cathedral, "cave": .largeChamber,
        "arena": .cathedral, "hangar": .cathedral, "corridor": .mediumHall, "forest": .mediumHall3,
        "underwater": .largeChamber,
    ]
    /// By the decay at middle frequencies, seconds.
    private static let decays: [(seconds: Double, reverb: SceneReverb)] = [
        (0.6, .smallRoom), (1.2, .mediumRoom), (1.8, .mediumHall), (2.5, .largeRoom2), (4.5, .largeHall),
        (.infinity, .cathedral),
    ]

    struct Reverb {
        var preset = SceneReverb.none
        var mix = 0.0
    }

    mutating func environment() throws -> World {
        guard let root = try document.extension(KhronosDraft.environment) else {
            try addImplicitListener()
            return World()
        }
        guard draft == .august2026 else {
            throw root.cursor.fault(
                "is there", rule: "the draft of 2024 has no \(KhronosDraft.environment)",
                cure: "choose the draft 2026-08")
        }
        let environments = try root.list("environments", atMost: SceneAudio.most).map { try reverb(try $0.object()) }
        let listeners = try root.list("listeners", atMost: SceneAudio.most)
        let defaults = try sceneExtension(KhronosDraft.environment)
        var world = World()
        if let number = try defaults?["environment"]?.index(of: "environments", count: environments.count) {
            scene.audio.engine.reverb = environments[number].preset
            world.reverbMix = environments[number].mix
        }
        let active = try defaults?["activeListener"]?.index(of: "listeners", count: listeners.count)
        try addListener(listeners, active)
        try addZones(environments, world: &world)
        return world
    }

    private mutating func reverb(_ object: JSONObject) throws -> Reverb {
        if let doppler = try object["doppler"]?.object(), doppler["scale"] != nil || doppler["speedOfSound"] != nil {
            warn(doppler.cursor, "has a scale or a speed of sound, which are not mapped.")
        }
        guard let reverb = try object["reverb"]?.object() else { return Reverb() }
        guard try reverb["type"]?.text() ?? "parametric" == "parametric" else {
            throw try reverb.required("type").fault(
                rule: "reverbs by impulse responses are not mapped", cure: "give a parametric one with a preset")
        }
        let mix = try reverb.number("mix", 0...1, or: 0.5) * min(reverb.number("reverbGain", 0...10, or: 1), 1)
        if let decay = reverb["decayTime"] {
            let seconds = try decay.number(in: 0.001...100)
            let nearest = Self.decays.first { seconds <= $0.seconds }?.reverb ?? .cathedral
            warn(reverb.cursor, "has a decayTime of \(seconds) s; the preset \(nearest.rawValue) stands in for it.")
            return Reverb(preset: nearest, mix: mix)
        }
        guard let preset = reverb["preset"] else { return Reverb(preset: .mediumRoom, mix: mix) }
        guard let known = Self.presets[try preset.text()] else {
            throw preset.fault(
                rule: "mapped are \(Self.presets.keys.sorted().joined(separator: ", "))", cure: "give one of these")
        }
        return Reverb(preset: known, mix: mix)
    }

    /// The one that is active; the others are not heard by.
    private mutating func addListener(_ listeners: [JSONCursor], _ active: Int?) throws {
        let bound = try nodes(KhronosDraft.environment).compactMap { node, object in
            try object["listener"].map { (node: node, listener: try $0.index(of: "listeners", count: listeners.count)) }
        }
        let order = ScenePoses(scene).placements.map(\.node)
        let first = bound.filter { active == nil || $0.listener == active }.min {
            (order.firstIndex(of: $0.node) ?? .max) < (order.firstIndex(of: $1.node) ?? .max)
        }
        guard let chosen = first else { return try addImplicitListener() }
        let object = try listeners[chosen.listener].object()
        var listener = SceneListener()
        let gain = try object.number("gain", 0...1000, or: 1)
        if gain > 1 { warn(object.cursor, "has a gain of \(gain); gains over 1 are 1.") }
        listener.gain = min(gain, 1)
        if try object["spatializationModel"]?.text() == "HRTF" { scene.audio.engine.spatialization = .binaural }
        for name in ["hrtf", "interauralDistance"] where object[name] != nil {
            warn(object.cursor, "has \(name), which is not mapped.")
        }
        if object["graph"] != nil {
            throw try object.required("graph").fault(rule: "graphs of sound are not mapped", cure: "leave it out")
        }
        scene.nodes[chosen.node].roles.listener = listener
    }

    /// The viewer: the first camera, else the origin.
    private mutating func addImplicitListener() throws {
        let cameras = try document.list("nodes").enumerated().filter { try $1.object()["camera"] != nil }.map(\.offset)
        let order = ScenePoses(scene).placements.map(\.node)
        if let camera = order.first(where: cameras.contains) {
            scene.nodes[camera].roles.listener = SceneListener()
            return
        }
        var node = SceneNode(name: "listener")
        while scene.nodes.contains(where: { $0.name == node.name }) { node.name = (node.name ?? "") + "'" }
        node.roles.listener = SceneListener()
        scene.roots.append(scene.nodes.count)
        scene.nodes.append(node)
        scene.warnings.append("It has no listener and no camera: it is heard from the origin.")
    }

    /// A zone's surface becomes a child of its node.
    private mutating func addZones(_ environments: [Reverb], world: inout World) throws {
        let zones = try nodes(KhronosDraft.environment).filter { $0.object["environment"] != nil }
        let numbers = try zones.map {
            try $0.object.required("environment").index(of: "environments", count: environments.count)
        }
        // Levels of zones are relative to what emitters send.
        if world.reverbMix == 0 { world.reverbMix = numbers.map { environments[$0].mix }.max() ?? 0 }
        for ((node, object), number) in zip(zones, numbers) {
            let reverb = environments[number]
            var zone = SceneZone()
            zone.reverb = reverb.mix > 0 ? SceneZone.Reverb(rawValue: reverb.preset.rawValue) ?? .none : .none
            zone.priority = try object["priority"]?.integer(in: -1_000_000...1_000_000) ?? 0
            // The draft fades inwards, a zone of ours on both sides of the border.
            zone.borderWidth = max(try object.number("blendDistance", 0...200, or: 0) / 2, 0.01)
            if reverb.mix > 0, world.reverbMix > 0 {
                zone.level = min(max(Decibels.of(amplitude: reverb.mix / world.reverbMix), -60), 20)
            }
            scene.meshes.append(
                SceneMesh(name: "zone", primitives: [try surface(try object.required("shape").object())]))
            var child = SceneNode(name: (scene.nodes[node].name ?? "") + " zone", mesh: scene.meshes.count - 1)
            while scene.nodes.contains(where: { $0.name == child.name }) { child.name = (child.name ?? "") + "'" }
            child.roles.zone = zone
            scene.nodes[node].children.append(scene.nodes.count)
            scene.nodes.append(child)
        }
    }

    private func surface(_ shape: JSONObject) throws -> ScenePrimitive {
        let metres = 1e-3...1e6, type = try shape.required("type")
        switch try type.text() {
        case "box":
            let size = try shape.required("size").numbers([3], in: metres).map { Float($0 / 2) }
            let corners = (0..<8).map { corner in
                SIMD3(
                    corner & 1 == 0 ? -size[0] : size[0], corner & 2 == 0 ? -size[1] : size[1],
                    corner & 4 == 0 ? -size[2] : size[2])
            }
            let faces: [[UInt32]] = [
                [0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5],
            ]
            return ScenePrimitive(
                vertices: corners,
                triangles: faces.flatMap { [SIMD3($0[0], $0[1], $0[2]), SIMD3($0[0], $0[2], $0[3])] }, material: nil)
        case "sphere": return Self.sphere(Float(try shape.required("radius").number(in: metres)))
        default: throw type.fault(rule: "box and sphere are mapped", cure: "give one of these")
        }
    }

    /// By 16 meridians and 8 parallels.
    private static func sphere(_ radius: Float) -> ScenePrimitive {
        let (around, down) = (16, 8)
        var vertices = [SIMD3<Float>(0, radius, 0)], triangles: [SIMD3<UInt32>] = []
        for row in 1..<down {
            let (sine, cosine) = DeterministicMath.sincos(DeterministicMath.pi * Double(row) / Double(down))
            for column in 0..<around {
                let turn = DeterministicMath.sincos(2 * DeterministicMath.pi * Double(column) / Double(around))
                vertices.append(SIMD3(Float(sine * turn.sin), Float(cosine), Float(sine * turn.cos)) * radius)
            }
        }
        vertices.append(SIMD3(0, -radius, 0))
        func vertex(_ row: Int, _ column: Int) -> UInt32 {
            row == 0 ? 0 : row == down ? UInt32(vertices.count - 1) : UInt32(1 + (row - 1) * around + column % around)
        }
        for row in 0..<down {
            for column in 0..<around {
                let (a, b) = (vertex(row, column), vertex(row, column + 1))
                let (c, d) = (vertex(row + 1, column), vertex(row + 1, column + 1))
                if row > 0 { triangles.append(SIMD3(a, d, b)) }
                if row < down - 1 { triangles.append(SIMD3(a, c, d)) }
            }
        }
        return ScenePrimitive(vertices: vertices, triangles: triangles, material: nil)
    }
}
