import OssicleAVFAudio
import OssicleScenes

/// What a scene registers with its engine: sounds, parameters, groups, and sound events made of definitions.
final class SceneSounds {
    private let audio: SceneAudio
    private let folder: SceneFolder
    private let engine: PHASEEngine
    let bindings: SceneBindings
    private(set) var groups: [String: PHASEGroup] = [:]
    private(set) var presets: [String: PHASEGroupPreset] = [:]
    private(set) var duckers: [PHASEDucker] = []
    private(set) var parameters: [String: PHASEMetaParameterDefinition] = [:]
    private(set) var mixers: [String: PHASEMixerDefinition] = [:]
    /// Identifiers of what was registered.
    private var registered: [String] = []

    init(_ scene: SceneDocument, engine: PHASEEngine) {
        (audio, folder, self.engine) = (scene.audio, scene.folder, engine)
        bindings = SceneBindings(scene)
    }

    /// - Throws: `PHASEAssetError`; what was registered until then is known to `unregister`.
    func register() throws {
        for sound in audio.sounds { try register(sound) }
        for parameter in audio.parameters { try register(parameter) }
        for group in audio.groups { try register(group) }
        for preset in audio.groupPresets { presets[preset.name] = made(preset) }
        for ducker in audio.duckers { duckers.append(made(ducker)) }
        for mixer in audio.mixers { mixers[mixer.name] = try made(mixer) }
        for event in audio.events {
            try engine.assetRegistry.registerSoundEventAsset(rootNode: try made(event.root), identifier: event.name)
            registered.append(event.name)
        }
    }

    func unregister() {
        for identifier in registered { engine.assetRegistry.unregisterAsset(identifier: identifier, completion: nil) }
        registered = []
        presets.values.forEach { $0.deactivate(timeToResetOverride: 0) }
        duckers = []
        groups.values.forEach { $0.unregisterFromEngine() }
    }

    private func register(_ sound: SceneSound) throws {
        let path: String
        do {
            path = try folder.path(of: sound.uri)
        } catch {
            throw PHASEAssetError(
                .failedToLoad, object: "Sound “\(sound.name)”", value: "its uri is “\(sound.uri)”",
                rule: "In a scene \(error.rule).", cure: "To load it, \(error.cure).")
        }
        try engine.assetRegistry.registerSoundAsset(
            url: URL(fileURLWithPath: path), identifier: sound.name,
            assetType: sound.storage == .streamed ? .streamed : .resident,
            channelLayout: try sound.layout.map { try AVAudioChannelLayout($0) },
            normalizationMode: sound.normalization == .dynamic ? .dynamic : .none)
        registered.append(sound.name)
    }

    private func register(_ parameter: SceneParameter) throws {
        let definition: PHASEMetaParameterDefinition
        switch parameter.kind {
        case .number(let number):
            definition = PHASENumberMetaParameterDefinition(
                value: number.value, minimum: number.minimum, maximum: number.maximum, identifier: parameter.name)
        case .text(let text):
            definition = PHASEStringMetaParameterDefinition(value: text.value, identifier: parameter.name)
        case .mapped(let mapping):
            // What it follows comes before it.
            guard let input = number(mapping.input) else { return }
            definition = PHASEMappedMetaParameterDefinition(
                inputMetaParameterDefinition: input, envelope: try PHASEEnvelope.made(mapping.envelope),
                identifier: parameter.name)
        }
        parameters[parameter.name] = definition
        guard parameter.isGlobal else { return }
        try engine.assetRegistry.registerGlobalMetaParameter(metaParameterDefinition: definition)
        registered.append(parameter.name)
    }

    private func register(_ described: SceneGroup) throws {
        guard engine.groups[described.name] == nil else {
            throw PHASEAssetError(
                .alreadyExists, object: "Group “\(described.name)”", value: "the engine has one of this name",
                rule: "Groups have names of their own.",
                cure: "Load the scene into another engine, or rename one of the two.")
        }
        let group = PHASEGroup(identifier: described.name)
        (group.gain, group.rate) = (described.gain, described.rate)
        if described.muted { group.mute() }
        if described.soloed { group.solo() }
        group.register(engine: engine)
        groups[described.name] = group
    }

    private func made(_ preset: SceneGroupPreset) -> PHASEGroupPreset {
        let settings = preset.settings.map { setting in
            (
                setting.group,
                PHASEGroupPresetSetting(
                    gain: setting.gain, rate: setting.rate, gainCurveType: PHASECurveType(setting.gainCurve),
                    rateCurveType: PHASECurveType(setting.rateCurve))
            )
        }
        return PHASEGroupPreset(
            engine: engine, settings: Dictionary(settings, uniquingKeysWith: { $1 }), timeToTarget: preset.timeToTarget,
            timeToReset: preset.timeToReset)
    }

    private func made(_ described: SceneDucker) -> PHASEDucker {
        let ducker = PHASEDucker(
            engine: engine, sourceGroups: Set(described.sources.compactMap { groups[$0] }),
            targetGroups: Set(described.targets.compactMap { groups[$0] }), gain: described.gain,
            attackTime: described.attack, releaseTime: described.release,
            attackCurve: PHASECurveType(described.attackCurve), releaseCurve: PHASECurveType(described.releaseCurve))
        if described.active { ducker.activate() }
        return ducker
    }

    func number(_ name: String?) -> PHASENumberMetaParameterDefinition? {
        name.flatMap { parameters[$0] as? PHASENumberMetaParameterDefinition }
    }
}
