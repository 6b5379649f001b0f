import OssicleAcoustics
import OssicleCore
import OssicleRendering
import OssicleResponses
import OssicleScenes

/// Looks through a scene for what would fail or not sound as it is meant.
struct SceneLint {
    let scene: SceneDocument
    let placements: [ScenePoses.Placement]
    private(set) var findings: [LintFinding] = []

    static func result(of path: String, timeline: String?, _ draft: KhronosDraft? = nil) -> LintResult {
        do {
            var lint = SceneLint(try SceneDocument.read(path, draft))
            lint.check()
            if let timeline { lint.check(timeline) }
            return LintResult(scene: path, findings: lint.findings)
        } catch {
            return LintResult(scene: path, findings: [.error(.file, "\(error)")])
        }
    }

    init(_ scene: SceneDocument) {
        self.scene = scene
        placements = ScenePoses(scene).placements
    }

    mutating func check() {
        findings += scene.warnings.map { .warning(.notice, $0) }
        checkNames()
        checkUse()
        checkTransforms()
        checkMaterials()
        findings += SoundLint(scene).findings()
        findings += SpaceLint(scene, placements).findings()
    }

    private mutating func check(_ timeline: String) {
        do {
            let timeline = try SceneTimeline(contentsOfFile: timeline, for: scene)
            findings += SpaceLint(scene, placements).findings(along: timeline)
        } catch {
            findings.append(.error(.timeline, "\(error)"))
        }
    }

    private func name(_ node: Int) -> String { scene.nodes[node].name.map { "“\($0)”" } ?? "nodes[\(node)]" }

    private mutating func checkNames() {
        var counts: [String: Int] = [:]
        for name in placements.compactMap({ scene.nodes[$0.node].name }) { counts[name, default: 0] += 1 }
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) where count > 1 {
            findings.append(
                .warning(
                    .duplicateName,
                    "\(count) nodes are called “\(name)”: a timeline cannot move one of them; rename them."))
        }
    }

    /// What the scene holds and nothing refers to.
    private mutating func checkUse() {
        let audio = scene.audio, reached = Set(placements.map(\.node)), bindings = SceneBindings(scene)
        for index in scene.nodes.indices where !reached.contains(index) {
            guard scene.nodes[index].mesh != nil || scene.nodes[index].roles != SceneRoles() else { continue }
            findings.append(
                .warning(
                    .unreachable,
                    "\(name(index)) hangs below no node of the scene: it is not heard; add it, or take it out."))
        }
        var used = SceneUse()
        for instance in audio.instances {
            used.events.insert(instance.event)
            for mixer in bindings.mixers(of: instance) {
                used.mixers.insert(mixer.name)
                if let source = bindings.binding(of: mixer.name, in: instance).source { used.sources.insert(source) }
            }
        }
        for event in audio.events where used.events.contains(event.name) { used.add(event.root) }
        func report(_ kind: String, _ names: [String], _ used: Set<String>) {
            for name in names where !used.contains(name) {
                findings.append(
                    .warning(.unused, "The \(kind) “\(name)” is used by nothing that plays: take it out, or use it."))
            }
        }
        report("sound", audio.sounds.map(\.name), used.sounds)
        report("mixer", audio.mixers.map(\.name), used.mixers)
        report("event", audio.events.map(\.name), used.events)
        report("source", scene.nodes.filter { $0.roles.source != nil }.compactMap(\.name), used.sources)
        if !scene.nodes.contains(where: { $0.roles.listener != nil }) {
            findings.append(
                .warning(.listener, "The scene has no listener: what is spatial or ambient cannot be heard; add one."))
        }
        if audio.instances.isEmpty {
            findings.append(
                .warning(.unused, "The scene has no instances: nothing plays; add one for each event and source."))
        }
    }

    private mutating func checkTransforms() {
        for placement in placements {
            guard let stretch = placement.stretch else { continue }
            let what = stretch.isMirror ? "is mirrored" : "is scaled unevenly, flattened or sheared"
            findings.append(
                .warning(
                    .transform,
                    "\(name(placement.node)) \(what): its mesh is drawn so, and its object is only moved and turned; apply the scale before exporting."
                ))
        }
    }

    private mutating func checkMaterials() {
        let used = Set(
            placements.compactMap { scene.nodes[$0.node].isOccluder ? scene.nodes[$0.node].mesh : nil }.flatMap {
                scene.meshes[$0].primitives.map(\.material)
            })
        if used.contains(nil) {
            findings.append(
                .warning(.material, "Some triangles have no material: they are of concrete; give them one."))
        }
        for index in used.compactMap({ $0 }).sorted() where scene.materials[index].material == nil {
            let name = scene.materials[index].name
            findings.append(
                .warning(
                    .material,
                    "materials[\(index)] “\(name)” is not known: it is concrete; add the extension OSSICLE_audio to it, or rename it."
                ))
        }
    }
}

/// Names that something refers to.
private struct SceneUse {
    var sounds: Set<String> = []
    var mixers: Set<String> = []
    var events: Set<String> = []
    var sources: Set<String> = []

    mutating func add(_ root: SceneEventNode) {
        var open = [root]
        while let node = open.popLast() {
            if case .sampler(let sampler) = node.kind { sounds.insert(sampler.sound) }
            open += node.children
        }
    }
}

/// Looks at the space of a scene: its size, its holes, and what is inside walls.
struct SpaceLint {
    private let scene: SceneDocument
    private let placements: [ScenePoses.Placement]
    private let occluders: [Occluder]

    /// Metres that a scene hardly has.
    private static let usual = 0.5...5000.0
    /// Share of all directions that lead out of a room through a hole, not through a door or a window.
    private static let hole = 0.0005...0.05
    /// Triangles up to which the rules that trace rays are looked at.
    private static let most = 1_000_000

    init(_ scene: SceneDocument, _ placements: [ScenePoses.Placement]) {
        (self.scene, self.placements) = (scene, placements)
        occluders = scene.occluders(placements)
    }

    func findings() -> [LintFinding] {
        guard !occluders.isEmpty, occluders.reduce(0, { $0 + $1.geometry.mesh.triangles.count }) <= Self.most else {
            return zones()
        }
        let acoustic = AcousticScene(occluders: occluders, medium: Medium())
        let tracer = SceneTracer(acoustic)
        return units(acoustic) + windings() + leaks(tracer) + positions(tracer) + zones()
    }

    private func units(_ acoustic: AcousticScene) -> [LintFinding] {
        let bounds = occluders.reduce(into: Bounds.empty) { bounds, occluder in
            for vertex in occluder.geometry.mesh.vertices { bounds.include(occluder.pose.toWorld(vertex)) }
        }
        let size = bounds.upper - bounds.lower, longest = max(size.x, size.y, size.z)
        guard !Self.usual.contains(longest) else { return [] }
        let words = Text.number(longest, decimals: longest < 1 ? 3 : 0)
        return [
            .warning(
                .units,
                "The scene is \(words) m long: glTF is in metres, and this looks like \(longest < 1 ? "kilometres" : "millimetres or centimetres"); scale it."
            )
        ]
    }

    private func poses(_ isMeant: (SceneRoles) -> Bool) -> [(name: String, pose: Pose)] {
        placements.filter { isMeant(scene.nodes[$0.node].roles) }.map {
            (scene.nodes[$0.node].name ?? "nodes[\($0.node)]", $0.pose)
        }
    }

    private func windings() -> [LintFinding] {
        let listeners = poses { $0.listener != nil }.map { $0.pose.position }
        return occluders.compactMap { $0.windingAssumption(for: listeners) }.map {
            .warning(.notice, "\($0) Turn its triangles so that the normals look into the air.")
        }
    }

    private func leaks(_ tracer: SceneTracer) -> [LintFinding] {
        poses { $0.listener != nil }.compactMap { listener in
            let around = Surroundings(of: listener.pose.position, tracer: tracer)
            guard Self.hole.contains(around.openness) else { return nil }
            let share = Text.number(100 * around.openness, decimals: 1)
            return .warning(
                .leak,
                "\(share) % of the directions around the listener “\(listener.name)” lead out of the room: sound leaks there; close the gaps between walls, if they are no openings."
            )
        }
    }

    /// Sources that are looked at, at most: each takes some thousand rays.
    private static let mostSources = 256

    /// Each source beside the first listener.
    private func positions(_ tracer: SceneTracer) -> [LintFinding] {
        guard let listener = poses({ $0.listener != nil }).first else { return [] }
        let check = PositionCheck(occluders: occluders, tracer: tracer)
        return poses { $0.source?.shape == .point }.prefix(Self.mostSources).flatMap { source in
            check.misplacements([RirPair(source: source.pose.position, listener: listener.pose)]).map {
                .warning(.position, "The source “\(source.name)” and the listener “\(listener.name)”: \($0)")
            }
        }
    }

    /// Places on a track that are looked at.
    private static let samples = 64

    /// Sources that a timeline moves into walls or out of the room: the first such place of each, unless it begins in
    /// one.
    func findings(along timeline: SceneTimeline) -> [LintFinding] {
        let triangles = occluders.reduce(0) { $0 + $1.geometry.mesh.triangles.count }
        guard triangles > 0, triangles <= Self.most, let listener = poses({ $0.listener != nil }).first else {
            return []
        }
        let tracer = SceneTracer(AcousticScene(occluders: occluders, medium: Medium()))
        let check = PositionCheck(occluders: occluders, tracer: tracer)
        return timeline.tracks.prefix(Self.mostSources).compactMap { track in
            guard case .position(let target) = track.target,
                let placement = placements.first(where: { scene.nodes[$0.node].name == target.node }),
                scene.nodes[placement.node].roles.source?.shape == .point
            else { return nil }
            let above = placement.parent.map { placements[$0].pose } ?? Pose()
            func misplaced(at time: Double) -> String? {
                let value = track.value(at: time)
                let place = above.toWorld(Vector(value[0], value[1], value[2]))
                return check.misplacements([RirPair(source: place, listener: listener.pose)]).first
            }
            guard check.misplacements([RirPair(source: placement.pose.position, listener: listener.pose)]).isEmpty,
                let (time, words) = (0...Self.samples).lazy.compactMap({ step -> (Double, String)? in
                    let time = timeline.length * Double(step) / Double(Self.samples)
                    return misplaced(at: time).map { (time, $0) }
                }).first
            else { return nil }
            return .warning(
                .position,
                "The source “\(target.node)” at \(Text.number(time, decimals: 2)) s and the listener “\(listener.name)”: \(words)"
            )
        }
    }

    private func zones() -> [LintFinding] {
        placements.compactMap { placement in
            guard scene.nodes[placement.node].roles.zone != nil, let mesh = scene.nodes[placement.node].mesh,
                !MeshGeometry(scene.meshes[mesh].triangles(placement.stretch)).isClosed
            else { return nil }
            let name = scene.nodes[placement.node].name ?? "nodes[\(placement.node)]"
            return .warning(.leak, "The mesh of the zone “\(name)” has a hole: its box is taken; close it.")
        }
    }
}
