import OssicleAVFAudio
import OssicleCore
import OssicleRender
import OssicleSoundEvents

/// Sound events, from the client's call to the flag that the next update looks at.
extension EngineCore {
    func makeEvent(_ identifier: String, _ mixerParameters: PHASEMixerParameters) throws -> EventInstance {
        try locked {
            guard let asset = asset(identifier) as? PHASESoundEventNodeAsset else {
                throw PHASESoundEventError(.notFound, "No sound-event asset “\(identifier)” is registered; register it before an event is made from it.")
            }
            let tree = asset.event.tree
            let bindings = try tree.mixers.map { try binding(of: $0, in: mixerParameters, event: identifier) }
            let sounds = try self.sounds(of: tree, event: identifier)
            let parameters = tree.parameters.map(makeParameter)
            eventCount += 1
            let event = EventInstance(number: eventCount, assetIdentifier: identifier, event: asset.event, bindings: bindings, sounds: sounds,
                                      parameters: parameters, mixers: makeMixers(tree, parameters))
            event.streams = try makeStreams(of: event)
            return event
        }
    }

    private func binding(of mixer: MixerBlueprint, in given: PHASEMixerParameters, event: String) throws -> EventInstance.Binding {
        func misuse(_ text: String) -> any Error { PHASESoundEventError(.apiMisuse, "Event “\(event)”: \(text)") }
        switch mixer.kind {
        case .channel:
            return .channel
        case .ambient:
            guard let listener = given.placements[mixer.identifier]?.listener else {
                throw misuse("ambient mixer “\(mixer.identifier)” has no listener; call addAmbientMixerParameters(identifier:listener:).")
            }
            guard listener.core === self else { throw misuse("\(listener.reportName) belongs to another engine; use one of this engine.") }
            return .ambient(listener)
        case .spatial:
            guard let placement = given.placements[mixer.identifier], let source = placement.source else {
                throw misuse("spatial mixer “\(mixer.identifier)” has no source and listener; call addSpatialMixerParameters(identifier:source:listener:).")
            }
            let listener = placement.listener
            for object in [source, listener] where object.core !== self {
                throw misuse("\(object.reportName) belongs to another engine; use one of this engine.")
            }
            return .spatial(source, listener)
        }
    }

    private func sounds(of tree: EventTree, event: String) throws -> [Int: RegisteredSound] {
        var sounds: [Int: RegisteredSound] = [:]
        for node in tree.leaves {
            guard let leaf = tree.sampler(node) else { continue }
            guard let asset = asset(leaf.asset) as? PHASESoundAsset else {
                throw PHASESoundEventError(.notFound,
                    "Event “\(event)”: sampler “\(tree.nodes[node].identifier)” plays “\(leaf.asset)”, which is not a registered sound asset; register it first.")
            }
            let mixer = tree.mixers[leaf.generator.mixer]
            if let expected = mixer.inputChannelCount, expected != asset.sound.channelCount {
                throw PHASESoundEventError(.badData,
                    "Event “\(event)”: sound “\(leaf.asset)” has \(asset.sound.channelCount) channels, mixer “\(mixer.identifier)” takes \(expected); give the mixer the sound's layout.")
            }
            sounds[node] = asset.sound
        }
        return sounds
    }

    /// A parameter of the event's own, or the shared one of that name; nil for a mapped one, which follows its input.
    private func makeParameter(_ blueprint: ParameterBlueprint) -> PHASEMetaParameter? {
        (asset(blueprint.identifier) as? PHASEGlobalMetaParameterAsset)?.parameter ?? PHASEMetaParameter.make(blueprint, core: self)
    }

    private func makeMixers(_ tree: EventTree, _ parameters: [PHASEMetaParameter?]) -> [String: PHASEMixer] {
        let mixers = tree.mixers.map { mixer in
            PHASEMixer(core: self, identifier: mixer.identifier, gain: mixer.gain, gainMetaParameter: mixer.gainParameter.flatMap { parameters[$0] })
        }
        return Dictionary(mixers.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The asset of that name; nil if there is none.
    func asset(_ identifier: String) -> PHASEAsset? { locked { assets[identifier] } }

    // MARK: Calls

    func prepare(_ event: EventInstance, _ handler: (@Sendable (PHASESoundEvent.PrepareHandlerReason) -> Void)?) {
        locked {
            let reason: PHASESoundEvent.PrepareHandlerReason = event.stage == .ended ? .terminated : engine == nil ? .failure : .prepared
            if reason == .prepared { event.prepareState = .prepared }
            if let handler { hand { handler(reason) } }
        }
    }

    /// - Parameter time: nil is at once.
    /// - Returns: false if the event was started before, or is over; the handler is not kept then.
    @discardableResult
    func start(_ event: EventInstance, _ facade: PHASESoundEvent, at time: AVAudioTime? = nil, call: String = "start(at:)",
               _ handler: (@Sendable (PHASESoundEvent.StartHandlerReason) -> Void)?) -> Bool {
        locked {
            guard event.stage == .made else { return false }
            guard engine != nil else {
                // Nothing will ever play it, and a waiting event would keep this core.
                (event.stage, event.endReason) = (.ended, .failure)
                if let handler { hand { handler(.failure) } }
                return true
            }
            event.stage = .waiting
            event.startTime = usable(time, event, call)
            event.prepareState = .prepared
            event.keptFacade = facade
            event.startHandler = handler
            events.append(event)
            valuesChanged()
            return true
        }
    }

    /// Halts a started event at the next update.
    func pause(_ event: EventInstance) {
        locked {
            guard event.stage == .waiting || event.stage == .playing, !event.isPaused else { return }
            event.isPaused = true
            event.resumeTime = nil
            if event.stage == .waiting { settleSeek(of: event) }
            valuesChanged()
        }
    }

    /// Lets a paused event go on at the next update, and starts one that is prepared and was never started, as PHASE does.
    /// - Parameter time: when it continues; nil is at once.
    func resume(_ event: EventInstance, _ facade: PHASESoundEvent, at time: AVAudioTime? = nil) {
        locked {
            switch event.stage {
            case .made where event.prepareState == .prepared:
                start(event, facade, at: time, call: "resume(at:)", nil)
            case .made:
                record(PHASESoundEventError(.apiMisuse,
                    "Event “\(event.assetIdentifier)”: resume() did nothing, because the event was neither prepared nor started; call prepare() or start() first."))
            case .waiting, .playing:
                guard event.isPaused else { return }
                event.isPaused = false
                event.resumeTime = usable(time, event, "resume(at:)")
                valuesChanged()
            case .ending, .ended: return
            }
        }
    }

    /// Ends the event: in manual mode at the next update, otherwise with the next frame that is rendered.
    func terminate(_ event: EventInstance) {
        locked {
            guard event.stage != .ended, event.stage != .ending else { return }
            let waitsForUpdate = updateMode == .manual && renderingState != .stopped && event.stage != .made
            if waitsForUpdate { event.stage = .ending } else { cut(event) }
            valuesChanged()
        }
    }

    /// Stops what the event plays, and ends it.
    func cut(_ event: EventInstance) {
        for voice in event.voices where !voice.isOver {
            send(.stop, to: voice)
            voice.state = .terminated
        }
        end(event, .terminated)
    }

    /// The voice keeps its player and what that plays.
    func send(_ command: VoiceCommand, to voice: Voice) {
        executor.send(.voice(voice.player.voice, command), keeping: voice, at: executor.position)
    }

    /// Marks an event as over, tells its handler, and lets what still rings ring out.
    func end(_ event: EventInstance, _ reason: PHASESoundEvent.StartHandlerReason) {
        event.stage = .ended
        event.endReason = reason
        event.isPaused = false
        let tail = event.tail(sampleRate: output?.sampleRate ?? 48_000)
        event.silentFrom = executor.position + tail + Int64(2 * Grid.quantum)
        if let facade = event.keptFacade { letGo(facade) }
        event.keptFacade = nil
        endSeek(of: event)
        event.streams?.stop()
        if let handler = event.startHandler { hand { handler(reason) } }
        event.startHandler = nil
        releaseAssets()
    }

    // MARK: Handlers

    /// Keeps a handler for the end of the update (manual mode), or lets it run on the callback queue (automatic mode).
    func hand(_ handler: @escaping @Sendable () -> Void) {
        if updateMode == .manual && !isShutDown {
            pendingHandlers.append(handler)
        } else {
            outlets.callbacks.run("A handler of a PHASEEngine", on: callbacks, handler)
        }
    }
}
