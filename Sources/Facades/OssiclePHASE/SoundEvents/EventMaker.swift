import OssicleSoundEvents
import OssicleSpatial

/// A sound event that was made: the engine's side of it, and what its client sees.
struct MadeEvent {
    let instance: EventInstance
    let parameters: [String: PHASEMetaParameter]
    let mixers: [String: PHASEMixer]
    let streams: StreamNodes?
    /// Sources and listeners, which live as long as the event.
    let objects: [PHASEObject]
}

/// Makes sound events of registered assets.
struct EventMaker {
    let control: EngineControl

    func make(_ identifier: String, _ mixerParameters: PHASEMixerParameters) throws -> MadeEvent {
        try control.locked {
            guard let asset = control.store.assets[identifier] as? PHASESoundEventNodeAsset else {
                throw PHASESoundEventError(
                    .notFound,
                    "No sound-event asset “\(identifier)” is registered; register it before an event is made from it.")
            }
            let tree = asset.event.tree
            var objects: [PHASEObject] = []
            let bindings = try tree.mixers.map {
                try binding(of: $0, in: mixerParameters, event: identifier, &objects)
            }
            let sounds = try self.sounds(of: tree, event: identifier)
            let parameters = tree.parameters.map(makeParameter)
            let mixers = makeMixers(tree, parameters)
            let streams = try StreamNodes(of: asset, mixers, parameters, control)
            control.objects.bind(objects)
            let parts = EventParts(
                number: control.spatial.player.nextNumber(), assetIdentifier: identifier, event: asset.event,
                bindings: bindings,
                sounds: sounds, parameters: parameters.map { $0?.state }, outlets: outlets(of: tree, mixers),
                streams: streams?.streams)
            for parameter in parameters.compactMap(\.self) where !isShared(parameter) { parameter.owner = parts.number }
            for stream in streams?.all ?? [] { stream.event = parts.number }
            for mixer in mixers.values { mixer.event = parts.number }
            control.note(
                .event(
                    parts.number, asset: identifier,
                    placements: mixerParameters.placements.mapValues {
                        PHASECommand.Placement(source: $0.source?.number, listener: $0.listener.number)
                    }))
            return MadeEvent(
                instance: EventInstance(parts),
                parameters: Dictionary(
                    parameters.compactMap { $0 }.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first }),
                mixers: mixers, streams: streams, objects: objects)
        }
    }

    private func binding(
        of mixer: MixerBlueprint, in given: PHASEMixerParameters, event: String, _ objects: inout [PHASEObject]
    ) throws -> EventParts.Binding {
        func misuse(_ text: String) -> any Error { PHASESoundEventError(.apiMisuse, "Event “\(event)”: \(text)") }
        func usable<Object: PHASEObject>(_ object: Object) throws -> UInt64 {
            guard object.control === control else {
                throw misuse("\(object.reportName) belongs to another engine; use one of this engine.")
            }
            objects.append(object)
            return object.number
        }
        switch mixer.kind {
        case .channel:
            return .channel
        case .ambient:
            guard let listener = given.placements[mixer.identifier]?.listener else {
                throw misuse(
                    "ambient mixer “\(mixer.identifier)” has no listener; call addAmbientMixerParameters(identifier:listener:)."
                )
            }
            return .ambient(listener: try usable(listener))
        case .spatial:
            guard let placement = given.placements[mixer.identifier], let source = placement.source else {
                throw misuse(
                    "spatial mixer “\(mixer.identifier)” has no source and listener; call addSpatialMixerParameters(identifier:source:listener:)."
                )
            }
            return .spatial(source: try usable(source), listener: try usable(placement.listener))
        }
    }

    private func sounds(of tree: EventTree, event: String) throws -> [Int: RegisteredSound] {
        var sounds: [Int: RegisteredSound] = [:]
        for node in tree.leaves {
            guard let leaf = tree.sampler(node) else { continue }
            guard let asset = control.store.assets[leaf.asset] as? PHASESoundAsset else {
                throw PHASESoundEventError(
                    .notFound,
                    "Event “\(event)”: sampler “\(tree.nodes[node].identifier)” plays “\(leaf.asset)”, which is not a registered sound asset; register it first."
                )
            }
            let mixer = tree.mixers[leaf.generator.mixer]
            if let expected = mixer.inputChannelCount, expected != asset.sound.channelCount {
                throw PHASESoundEventError(
                    .badData,
                    "Event “\(event)”: sound “\(leaf.asset)” has \(asset.sound.channelCount) channels, mixer “\(mixer.identifier)” takes \(expected); give the mixer the sound's layout."
                )
            }
            sounds[node] = asset.sound
        }
        return sounds
    }

    private func isShared(_ parameter: PHASEMetaParameter) -> Bool {
        (control.store.assets[parameter.identifier] as? PHASEGlobalMetaParameterAsset)?.parameter === parameter
    }

    /// A parameter of the event's own, or the shared one of that name; nil for a mapped one, which follows its input.
    private func makeParameter(_ blueprint: ParameterBlueprint) -> PHASEMetaParameter? {
        (control.store.assets[blueprint.identifier] as? PHASEGlobalMetaParameterAsset)?.parameter
            ?? PHASEMetaParameter.make(blueprint, control: control)
    }

    private func makeMixers(_ tree: EventTree, _ parameters: [PHASEMetaParameter?]) -> [String: PHASEMixer] {
        let mixers = tree.mixers.map { mixer in
            PHASEMixer(
                control: control, identifier: mixer.identifier, gain: mixer.gain,
                gainMetaParameter: mixer.gainParameter.flatMap { parameters[$0] })
        }
        return Dictionary(mixers.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// By mixer index; nil for one whose name another had before.
    private func outlets(of tree: EventTree, _ mixers: [String: PHASEMixer]) -> [MixerOutlets?] {
        var seen: Set<String> = []
        return tree.mixers.map { seen.insert($0.identifier).inserted ? mixers[$0.identifier]?.outlets : nil }
    }
}
