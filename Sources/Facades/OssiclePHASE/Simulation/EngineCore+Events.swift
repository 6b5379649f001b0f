import OssicleAVFAudio
import OssicleSoundEvents
import OssicleSpatial

/// A sound event that was made: the engine's side of it, and what its client sees.
struct MadeEvent {
    let instance: EventInstance
    let parameters: [String: PHASEMetaParameter]
    let mixers: [String: PHASEMixer]
    let streams: EventStreams?
    /// Sources and listeners, which live as long as the event.
    let objects: [PHASEObject]
}

/// Sound events, from the client's call to the engine's event player.
extension EngineCore {
    func makeEvent(_ identifier: String, _ mixerParameters: PHASEMixerParameters) throws -> MadeEvent {
        try locked {
            guard let asset = asset(identifier) as? PHASESoundEventNodeAsset else {
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
            let streams = try EventStreams(of: asset, mixers, parameters, self)
            self.objects.bind(objects)
            let parts = EventParts(
                number: spatial.player.nextNumber(), assetIdentifier: identifier, event: asset.event,
                bindings: bindings,
                sounds: sounds, parameters: parameters.map { $0?.state }, outlets: outlets(of: tree, mixers),
                streams: streams)
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
            guard object.core === self else {
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
            guard let asset = asset(leaf.asset) as? PHASESoundAsset else {
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

    /// A parameter of the event's own, or the shared one of that name; nil for a mapped one, which follows its input.
    private func makeParameter(_ blueprint: ParameterBlueprint) -> PHASEMetaParameter? {
        (asset(blueprint.identifier) as? PHASEGlobalMetaParameterAsset)?.parameter
            ?? PHASEMetaParameter.make(blueprint, core: self)
    }

    private func makeMixers(_ tree: EventTree, _ parameters: [PHASEMetaParameter?]) -> [String: PHASEMixer] {
        let mixers = tree.mixers.map { mixer in
            PHASEMixer(
                core: self, identifier: mixer.identifier, gain: mixer.gain,
                gainMetaParameter: mixer.gainParameter.flatMap { parameters[$0] })
        }
        return Dictionary(mixers.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// By mixer index; nil for one whose name another had before.
    private func outlets(of tree: EventTree, _ mixers: [String: PHASEMixer]) -> [MixerOutlets?] {
        var seen: Set<String> = []
        return tree.mixers.map { seen.insert($0.identifier).inserted ? mixers[$0.identifier]?.outlets : nil }
    }

    /// The asset of that name; nil if there is none.
    func asset(_ identifier: String) -> PHASEAsset? { locked { store.assets[identifier] } }

    // MARK: Calls

    func prepare(_ event: PHASESoundEvent, _ handler: (@Sendable (PHASESoundEvent.PrepareHandlerReason) -> Void)?) {
        locked {
            let reason: PHASESoundEvent.PrepareHandlerReason =
                event.instance.stage == .ended ? .terminated : engine == nil ? .failure : .prepared
            if reason == .prepared { event.preparation = .prepared }
            if let handler { call { handler(reason) } }
        }
    }

    /// - Parameter time: nil is at once.
    /// - Returns: false if the event was started before, or is over; the handler is not kept then.
    @discardableResult
    func start(
        _ event: PHASESoundEvent, at time: AVAudioTime? = nil, call name: String = "start(at:)",
        _ handler: (@Sendable (PHASESoundEvent.StartHandlerReason) -> Void)?
    ) -> Bool {
        locked {
            let instance = event.instance
            guard instance.stage == .made else { return false }
            guard engine != nil else {
                // Nothing will ever play it, and a waiting event would keep this core.
                spatial.player.fail(instance)
                if let handler { call { handler(.failure) } }
                return true
            }
            event.preparation = .prepared
            let wrapped = handler.map { handler in
                { @Sendable (end: EventEnd) in handler(PHASESoundEvent.StartHandlerReason(end)) }
            }
            spatial.player.start(instance, at: engineTime(time, instance, name), owner: event, wrapped)
            spatial.valuesChanged()
            return true
        }
    }

    /// Halts a started event at the next update.
    func pause(_ event: EventInstance) {
        locked {
            guard event.stage == .waiting || event.stage == .playing, !event.transport.isPaused else { return }
            spatial.player.pause(event)
            spatial.valuesChanged()
        }
    }

    /// Lets a paused event go on at the next update, and starts one that is prepared and was never started, as PHASE
    /// does.
    /// - Parameter time: when it continues; nil is at once.
    func resume(_ event: PHASESoundEvent, at time: AVAudioTime? = nil) {
        locked {
            let instance = event.instance
            switch instance.stage {
            case .made where event.preparation == .prepared:
                start(event, at: time, call: "resume(at:)", nil)
            case .made:
                record(
                    PHASESoundEventError(
                        .apiMisuse,
                        "Event “\(instance.parts.assetIdentifier)”: resume() did nothing, because the event was neither prepared nor started; call prepare() or start() first."
                    ))
            case .waiting, .playing:
                guard instance.transport.isPaused else { return }
                spatial.player.resume(instance, at: engineTime(time, instance, "resume(at:)"))
                spatial.valuesChanged()
            case .ending, .ended: return
            }
        }
    }

    func seek(
        _ event: EventInstance, to time: Double, resumeAt when: AVAudioTime?,
        _ handler: (@Sendable (PHASESoundEvent.SeekHandlerReason) -> Void)?
    ) {
        locked {
            guard time.isFinite, time >= 0 else {
                record(
                    PHASESoundEventError(
                        .apiMisuse,
                        "Event “\(event.parts.assetIdentifier)”: seek(to: \(time)) did nothing; a place in a sound is a finite number of seconds, 0 or more."
                    ))
                if let handler { call { handler(.failure) } }
                return
            }
            let wrapped = handler.map { handler in
                { @Sendable (result: SeekResult) in handler(PHASESoundEvent.SeekHandlerReason(result)) }
            }
            let isPending = spatial.player.seek(
                event, to: time / settings.current.unitsPerSecond, at: engineTime(when, event, "seek(to:resumeAt:)"),
                isAlive: engine != nil, wrapped)
            if isPending { spatial.valuesChanged() }
        }
    }

    /// Ends the event: in manual mode at the next update, otherwise with the next frame that is rendered.
    func terminate(_ event: EventInstance) {
        locked {
            guard event.stage != .ended, event.stage != .ending else { return }
            spatial.player.terminate(
                event, waits: updateMode == .manual && renderingState != .stopped && event.stage != .made)
            spatial.valuesChanged()
        }
    }

    /// Nil, with a recorded error, for a time that names no moment.
    private func engineTime(_ time: AVAudioTime?, _ event: EventInstance, _ call: String) -> EngineTime? {
        guard let time else { return nil }
        if time.isSampleTimeValid { return .sample(time.sampleTime, rate: time.sampleRate) }
        if time.isHostTimeValid { return .host(seconds: AVAudioTime.seconds(forHostTime: time.hostTime)) }
        record(
            PHASESoundEventError(
                .apiMisuse,
                "Event “\(event.parts.assetIdentifier)”: \(call) was given a time without sample time and host time, which counts as now; make it from lastRenderTime."
            ))
        return nil
    }
}

extension PHASESoundEvent.StartHandlerReason {
    init(_ end: EventEnd) {
        self =
            switch end {
            case .failure: .failure
            case .finished: .finishedPlaying
            case .terminated: .terminated
            }
    }
}

extension PHASESoundEvent.SeekHandlerReason {
    fileprivate init(_ result: SeekResult) {
        self =
            switch result {
            case .failure: .failure
            case .alreadyInProgress: .failureSeekAlreadyInProgress
            case .successful: .seekSuccessful
            }
    }
}
