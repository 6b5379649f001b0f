import OssicleScenes

/// How the sound of a scene is taken apart.
package enum StemKind: String, CaseIterable {
    /// A stem for each instance: a sound event that the scene has.
    case instances
    /// A stem for each group, and one for what is in none.
    case groups
}

/// A part of a scene's sound: the same scene with all else at level 0.
///
/// What is silenced still plays: random choices, times, paths and rooms are those of the whole, so that all stems
/// together are the mix, but for the rounding of 32-bit sums. They are not where the limiter acts on the mix, and where
/// the limits of voices choose.
package struct SceneStem {
    /// Of the file: the instance's or the group's.
    package let name: String
    private let keeps: (_ instance: String, _ group: String?) -> Bool

    package static func stems(of scene: SceneDocument, by kind: StemKind) -> [SceneStem] {
        switch kind {
        case .instances:
            return scene.audio.instances.map { kept in SceneStem(name: kept.name) { name, _ in name == kept.name } }
        case .groups:
            let groups = scene.audio.groups.map { kept in SceneStem(name: kept.name) { $1 == kept.name } }
            let hasRest = scene.audio.events.contains { $0.root.samplers.contains { $0.group == nil } }
            return groups + (hasRest ? [SceneStem(name: "other") { $1 == nil }] : [])
        }
    }

    /// The scene of which only this part sounds. Every instance gets an event of its own.
    func document(of scene: SceneDocument) -> SceneDocument {
        var part = scene
        let events = Dictionary(scene.audio.events.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let users = Dictionary(grouping: scene.audio.instances, by: \.event).mapValues(\.count)
        var names = Set(scene.audio.events.map(\.name))
        for (index, instance) in scene.audio.instances.enumerated() {
            guard var event = events[instance.event] else { continue }
            event.root.silence { !keeps(instance.name, $0.group) }
            if users[instance.event] == 1, let place = part.audio.events.firstIndex(where: { $0.name == event.name }) {
                part.audio.events[place] = event
            } else {
                while names.contains(event.name) { event.name += "'" }
                names.insert(event.name)
                part.audio.events.append(event)
                part.audio.instances[index].event = event.name
            }
        }
        return part
    }
}

extension SceneEventNode {
    fileprivate var samplers: [SceneSampler] {
        if case .sampler(let sampler) = kind { [sampler] } else { children.flatMap(\.samplers) }
    }

    /// Sets the level of samplers to 0.
    fileprivate mutating func silence(_ isSilent: (SceneSampler) -> Bool) {
        switch kind {
        case .sampler(var sampler):
            if isSilent(sampler) { (sampler.calibration, sampler.level) = (.none, 0) }
            kind = .sampler(sampler)
        case .container(var part):
            for index in part.children.indices { part.children[index].silence(isSilent) }
            kind = .container(part)
        case .sequence(var part):
            for index in part.children.indices { part.children[index].silence(isSilent) }
            kind = .sequence(part)
        case .random(var part):
            for index in part.children.indices { part.children[index].node.silence(isSilent) }
            kind = .random(part)
        case .selection(var part):
            for index in part.children.indices { part.children[index].node.silence(isSilent) }
            kind = .selection(part)
        case .blend(var part):
            for index in part.children.indices { part.children[index].node.silence(isSilent) }
            kind = .blend(part)
        }
    }
}
