/// What the mixers of a scene's instances are bound to.
package struct SceneBindings {
    /// The mixers that each event plays into or measures distances by, in the order of the scene.
    private let mixers: [String: [SceneMixer]]
    /// The listener that is meant where none is named.
    private let onlyListener: String?

    package init(_ scene: SceneDocument) {
        let known = Dictionary(
            scene.audio.mixers.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        mixers = Dictionary(
            scene.audio.events.map { event in
                (event.name, Set(event.root.mixers.compactMap { known[$0] }).sorted().map { scene.audio.mixers[$0] })
            }, uniquingKeysWith: { first, _ in first })
        let listeners = scene.nodes.filter { $0.roles.listener != nil }
        onlyListener = listeners.count == 1 ? listeners[0].name : nil
    }

    package func mixers(of instance: SceneInstance) -> [SceneMixer] { mixers[instance.event] ?? [] }

    /// Names of the nodes that a mixer of an instance is bound to.
    package func binding(of mixer: String, in instance: SceneInstance) -> (source: String?, listener: String?) {
        let own = instance.bindings.last { $0.mixer == mixer }
        return (own?.source ?? instance.source, own?.listener ?? instance.listener ?? onlyListener)
    }
}

extension SceneEventNode {
    /// Names of the mixers that it and all below it name, some of them repeatedly.
    var mixers: [String] {
        var (names, open) = ([String](), [self])
        while let node = open.popLast() {
            if case .sampler(let sampler) = node.kind { names.append(sampler.mixer) }
            if case .blend(let blend) = node.kind, let mixer = blend.distanceMixer { names.append(mixer) }
            open += node.children
        }
        return names
    }
}
