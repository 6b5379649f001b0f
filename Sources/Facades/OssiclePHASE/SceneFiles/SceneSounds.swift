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
    private var parameters: [String: PHASEMetaParameterDefinition] = [:]
    private var mixers: [String: PHASEMixerDefinition] = [:]
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

    private func number(_ name: String?) -> PHASENumberMetaParameterDefinition? {
        name.flatMap { parameters[$0] as? PHASENumberMetaParameterDefinition }
    }
}

// MARK: Mixers

extension SceneSounds {
    private func made(_ described: SceneMixer) throws -> PHASEMixerDefinition {
        let mixer: PHASEMixerDefinition
        switch described.kind {
        case .spatial(let spatial): mixer = try made(spatial, described.name)
        case .ambient(let ambient):
            let turn = ambient.orientation.map(Float.init)
            mixer = PHASEAmbientMixerDefinition(
                channelLayout: try AVAudioChannelLayout(ambient.layout),
                orientation: simd_quatf(ix: turn[0], iy: turn[1], iz: turn[2], r: turn[3]), identifier: described.name)
        case .channel(let channel):
            mixer = PHASEChannelMixerDefinition(
                channelLayout: try AVAudioChannelLayout(channel.layout), identifier: described.name)
        }
        mixer.gain = described.gain
        mixer.gainMetaParameterDefinition = number(described.gainParameter)
        return mixer
    }

    private func made(_ spatial: SceneSpatialMixer, _ name: String) throws -> PHASEMixerDefinition {
        let sends: [(PHASESpatialPipeline.Flags, PHASESpatialCategory, SceneSend?)] = [
            (.directPathTransmission, .directPathTransmission, spatial.direct),
            (.earlyReflections, .earlyReflections, spatial.early), (.lateReverb, .lateReverb, spatial.late),
        ]
        let flags = sends.reduce(into: PHASESpatialPipeline.Flags()) { if $1.2 != nil { $0.formUnion($1.0) } }
        guard let pipeline = PHASESpatialPipeline(flags: flags) else {
            throw PHASEAssetError(
                .badParameters, object: "Mixer “\(name)”", value: "it renders nothing",
                rule: "A spatial mixer has direct, early or late sound.", cure: "Add one.")
        }
        for (_, category, send) in sends {
            guard let send, let entry = pipeline.entries[category] else { continue }
            entry.sendLevel = send.level
            entry.sendLevelMetaParameterDefinition = number(send.parameter)
        }
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: name)
        mixer.distanceModelParameters = try spatial.distance.map { try made($0) }
        mixer.sourceDirectivityModelParameters = spatial.sourceDirectivity.map { made($0) }
        mixer.listenerDirectivityModelParameters = spatial.listenerDirectivity.map { made($0) }
        return mixer
    }

    private func made(_ distance: SceneDistance) throws -> PHASEDistanceModelParameters {
        let model: PHASEDistanceModelParameters
        switch distance.model {
        case .geometric(let part):
            let geometric = PHASEGeometricSpreadingDistanceModelParameters()
            geometric.rolloffFactor = part.rolloff
            model = geometric
        case .envelope(let part):
            model = PHASEEnvelopeDistanceModelParameters(envelope: try PHASEEnvelope.made(part.envelope))
        }
        model.fadeOutParameters = distance.cullDistance.map { PHASEDistanceModelFadeOutParameters(cullDistance: $0) }
        return model
    }

    private func made(_ directivity: SceneDirectivity) -> PHASEDirectivityModelParameters {
        switch directivity.model {
        case .cardioid(let cardioid):
            PHASECardioidDirectivityModelParameters(
                subbandParameters: cardioid.bands.map { band in
                    let made = PHASECardioidDirectivityModelSubbandParameters()
                    (made.frequency, made.pattern, made.sharpness) = (band.frequency, band.pattern, band.sharpness)
                    return made
                })
        case .cone(let cone):
            PHASEConeDirectivityModelParameters(
                subbandParameters: cone.bands.map { band in
                    let made = PHASEConeDirectivityModelSubbandParameters()
                    (made.frequency, made.outerGain) = (band.frequency, band.outerGain)
                    made.setAngles(innerAngle: band.innerAngle, outerAngle: band.outerAngle)
                    return made
                })
        }
    }
}

// MARK: Trees

extension SceneSounds {
    private func made(_ node: SceneEventNode) throws -> PHASESoundEventNodeDefinition {
        let definition: PHASESoundEventNodeDefinition
        switch node.kind {
        case .sampler(let part): definition = try made(part)
        case .container(let part):
            let container = PHASEContainerNodeDefinition()
            for child in part.children { container.addSubtree(try made(child)) }
            definition = container
        case .sequence(let part):
            let sequence = PHASESequenceNodeDefinition()
            sequence.overlap = part.overlap
            for child in part.children { sequence.addSubtree(try made(child)) }
            definition = sequence
        case .random(let part):
            let random = PHASERandomNodeDefinition()
            random.uniqueSelectionQueueLength = part.uniqueSelectionQueueLength
            for child in part.children {
                random.addSubtree(try made(child.node), weight: NSNumber(value: child.weight))
            }
            definition = random
        case .selection(let part): definition = try made(part)
        case .blend(let part): definition = try made(part)
        }
        if let name = node.name { definition.identifier = name }
        return definition
    }

    private func made(_ part: SceneSampler) throws -> PHASESoundEventNodeDefinition {
        let sampler = PHASESamplerNodeDefinition(
            soundAssetIdentifier: part.sound, mixerDefinition: try found(mixers[part.mixer], "mixer", part.mixer))
        sampler.playbackMode = part.playback == .looping ? .looping : .oneShot
        sampler.cullOption = PHASECullOption(part.culling)
        sampler.setCalibrationMode(calibrationMode: PHASECalibrationMode(part.calibration), level: part.level)
        sampler.rate = part.rate
        sampler.group = part.group.flatMap { groups[$0] }
        sampler.gainMetaParameterDefinition = number(part.gainParameter)
        sampler.rateMetaParameterDefinition = number(part.rateParameter)
        sampler.priority = part.priority
        return sampler
    }

    private func made(_ part: SceneSwitch) throws -> PHASESoundEventNodeDefinition {
        let parameter = parameters[part.parameter] as? PHASEStringMetaParameterDefinition
        let node = PHASESwitchNodeDefinition(
            switchMetaParameterDefinition: try found(parameter, "parameter", part.parameter))
        for child in part.children { node.addSubtree(try made(child.node), switchValue: child.value) }
        return node
    }

    private func made(_ part: SceneBlend) throws -> PHASESoundEventNodeDefinition {
        let node: PHASEBlendNodeDefinition
        if let name = part.distanceMixer {
            let mixer = try found(mixers[name] as? PHASESpatialMixerDefinition, "mixer", name)
            node = PHASEBlendNodeDefinition(spatialMixerDefinition: mixer)
        } else {
            let parameter = try found(number(part.parameter), "parameter", part.parameter ?? "")
            node = PHASEBlendNodeDefinition(blendMetaParameterDefinition: parameter)
        }
        for child in part.children {
            node.addRange(envelope: try PHASEEnvelope.made(child.envelope), subtree: try made(child.node))
        }
        return node
    }

    /// What a checked document names is there.
    private func found<Thing>(_ thing: Thing?, _ kind: String, _ name: String) throws -> Thing {
        guard let thing else {
            throw PHASEAssetError(
                .badParameters, object: "A sound event of the scene", value: "its \(kind) “\(name)” is not there",
                rule: "A tree names what the scene has.", cure: "Add it to the file.")
        }
        return thing
    }
}

extension PHASEEnvelope {
    fileprivate static func made(_ described: SceneEnvelope) throws -> PHASEEnvelope {
        let segments = described.segments.map {
            PHASEEnvelopeSegment(endPoint: simd_double2($0.end[0], $0.end[1]), curveType: PHASECurveType($0.curve))
        }
        guard
            let envelope = PHASEEnvelope(
                startPoint: simd_double2(described.start[0], described.start[1]), segments: segments)
        else {
            throw PHASEAssetError(
                .badParameters, object: "An envelope of the scene", value: "its start is \(described.start)",
                rule: "An envelope begins left of its first end.", cure: "Move its start.")
        }
        return envelope
    }
}
