import OssicleSpatial

extension PHASEExplanation {
    /// As the engine explains an event, and what its life cycle adds. Under the engine's lock.
    init(of event: EventInstance, in control: EngineControl) {
        let explanation = control.spatial.explain(
            event, preset: control.settings.current.usesGeometry ? nil : control.settings.current.reverbPreset.room,
            isRunning: control.renderingState == .started)
        let ofEngine: [Cause] =
            switch control.renderingState {
            case .stopped: [.engineStopped]
            case .paused: [.enginePaused]
            case .started: []
            }
        let (player, session) = (control.spatial.player, control.session)
        self.init(
            event: event.parts.assetIdentifier, state: explanation.state, time: player.now,
            lastUpdate: Double(player.lastUpdate) / player.sampleRate, voices: explanation.voices.map(Voice.init),
            secondsBehindDevice: session.overload.isOverloaded && session.device != nil ? session.overload.lag : nil,
            silentBecause: ofEngine + explanation.silentBecause.map(Cause.init))
    }
}

extension PHASEExplanation.Voice {
    fileprivate init(_ voice: VoiceExplanation) {
        self.init(
            node: voice.node, sound: voice.sound, way: voice.choices, state: voice.state, position: voice.position,
            rate: voice.rate,
            factors: voice.factors.map {
                PHASEExplanation.Factor(name: $0.name, gain: $0.gain, bands: $0.bands, detail: $0.detail)
            },
            sends: voice.sends.map {
                PHASEExplanation.Send(category: $0.kind.category, level: $0.level, gain: $0.gain)
            },
            distance: voice.distance, cullDistance: voice.cullDistance,
            occluders: voice.obstacles.map { PHASEDirectPathReport.Occluder($0.obstacle, name: $0.name) },
            paths: voice.paths.map {
                PHASEExplanation.Path(
                    course: $0.course, delay: $0.delay, azimuth: $0.azimuth, elevation: $0.elevation,
                    decibels: $0.decibels, bands: $0.bands)
            },
            reverbTimes: voice.reverbTimes, tier: PHASEExplanation.Tier(voice.tier),
            silentBecause: voice.silentBecause.map(PHASEExplanation.Cause.init))
    }
}

extension SendGain.Kind {
    fileprivate var category: PHASESpatialCategory {
        switch self {
        case .direct: .directPathTransmission
        case .early: .earlyReflections
        case .late: .lateReverb
        }
    }
}

extension PHASEExplanation.Cause {
    fileprivate init(_ cause: SilenceCause) {
        self =
            switch cause {
            case .notStarted: .notStarted
            case .waitingForUpdate: .waitingForUpdate
            case .waitingForStartTime(let seconds): .waitingForStartTime(seconds: seconds)
            case .waitingForTurn: .waitingForTurn
            case .eventPaused: .eventPaused
            case .ended(let end): .ended(PHASESoundEvent.StartHandlerReason(end))
            case .nothingChosen: .nothingChosen
            case .culled(let distance, let limit): .culled(distance: distance, cullDistance: limit)
            case .groupMuted(let group): .groupMuted(group: group)
            case .silencedBySolo(let group, let soloed): .silencedBySolo(group: group, of: soloed)
            case .groupPreset(let group): .groupPreset(group: group)
            case .ducked(let group, let ducker): .ducked(group: group, by: ducker)
            case .blend(let node, let input): .blend(node: node, input: input)
            case .gain(let factor): .gain(of: factor)
            case .sends(let mixer): .sends(mixer: mixer)
            case .behind(let occluders): .behind(occluders: occluders)
            case .sourceNotInScene(let name): .sourceNotInScene(name)
            case .listenerNotInScene(let name): .listenerNotInScene(name)
            case .listenerGain(let name): .listenerGain(name)
            case .voiceLimit(let maximum): .voiceLimit(maximum: maximum)
            case .noFrames(let node): .noFrames(node: node)
            case .tooQuiet(let decibels): .tooQuiet(decibels: decibels)
            }
    }
}
