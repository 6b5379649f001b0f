import OssicleAVFAudio
import OssicleScenes

// What PHASE's mixers and trees are defined by, from the values of a scene.

extension SceneSounds {
    func made(_ described: SceneMixer) throws -> PHASEMixerDefinition {
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
    func made(_ node: SceneEventNode) throws -> PHASESoundEventNodeDefinition {
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
    static func made(_ described: SceneEnvelope) throws -> PHASEEnvelope {
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
