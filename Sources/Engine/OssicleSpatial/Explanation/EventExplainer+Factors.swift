import OssicleAcoustics
import OssicleCore
import OssicleSoundEvents

/// The factors of a mixer channel's gain: what the client set as of now, what the scene makes of it as of the last
/// update.
extension EventExplainer {
    /// A channel's level with the gains of the moment.
    func level(of channel: MixerChannel, _ objects: ChannelWriter.Binding) -> ChannelLevel {
        var level = channel.level
        level.mixer = channel.blueprint.gain(values)
        switch objects {
        case .channel: break
        case .ambient(let listener): level.listener = listener.gain
        case .spatial(let source, let listener):
            level.source = source.gain
            level.listener = listener.gain
            if !source.isInScene || !listener.isInScene { level.path = nil }
        }
        if case .spatial(let spatial) = channel.blueprint.kind {
            level.direct = spatial.direct?.value(values)
            level.early = spatial.earlyReflections?.value(values)
            level.late = spatial.lateReverb?.value(values)
        }
        return level
    }

    func channelFactors(
        _ mixer: MixerBlueprint, _ objects: ChannelWriter.Binding, _ level: ChannelLevel
    ) -> [GainFactor] {
        let own = GainFactor("mixer “\(mixer.identifier)”", level.mixer)
        switch objects {
        case .channel: return [own]
        case .ambient(let listener): return [own] + listenerFactors(listener, level)
        case .spatial(let source, let listener):
            return [own] + sourceFactors(source, level) + listenerFactors(listener, level) + sceneFactors(mixer, level)
        }
    }

    private func sourceFactors(_ source: SceneSnapshot.Source, _ level: ChannelLevel) -> [GainFactor] {
        let name = engine.source?.name(of: source.number) ?? "Source \(source.number)"
        let gain = GainFactor("source “\(name)”", level.source, "its gain")
        let absence = GainFactor("scene", 0, "source “\(name)” is not in it", cause: .sourceNotInScene(name))
        return [gain] + (source.isInScene ? [] : [absence])
    }

    private func listenerFactors(_ listener: SceneSnapshot.Listener, _ level: ChannelLevel) -> [GainFactor] {
        let name = engine.source?.name(of: listener.number) ?? "Listener \(listener.number)"
        let gain = GainFactor("listener “\(name)”", level.listener, "its gain", cause: .listenerGain(name))
        let absence = GainFactor("scene", 0, "listener “\(name)” is not in it", cause: .listenerNotInScene(name))
        return [gain] + (listener.isInScene ? [] : [absence])
    }

    private func sceneFactors(_ mixer: MixerBlueprint, _ level: ChannelLevel) -> [GainFactor] {
        let send = GainFactor(
            "direct sound's send", level.direct ?? 0, level.direct == nil ? "not in the pipeline" : "",
            on: .directSound, cause: .sends(mixer: mixer.identifier))
        guard let path = level.path else { return [send] }
        let distance = path.centreDistance
        var factors = [send, GainFactor("distance", level.distance, "\(distance.words(2)) m", on: .directSound)]
        if let limit = cullDistance(mixer) {
            factors.append(
                GainFactor(
                    "fade-out", level.cull, "culled from \(limit.words(2)) m on",
                    cause: .culled(distance: distance, cullDistance: limit)))
        }
        factors += [
            bandFactor("air", level.air), bandFactor("directivity of the source", level.sourceDirectivity),
            bandFactor("directivity of the listener", level.listenerDirectivity),
        ]
        .compactMap(\.self)
        // What is left after 30 dB in every band is masked by almost anything.
        let isHidden = level.passing.values.allSatisfy { Double($0) < Decibels.energy(-30) }
        let occlusion = bandFactor(
            "occlusion", path.bandGains, cause: .behind(occluders: path.obstacles.map(name)), silences: isHidden)
        return factors + [occlusion].compactMap(\.self)
    }

    /// nil where nothing is taken away.
    private func bandFactor(
        _ name: String, _ bands: OctaveBands, cause: SilenceCause? = nil, silences: Bool? = nil
    ) -> GainFactor? {
        guard bands != .ones else { return nil }
        let decibels = bands.values.map { EventExplanation.decibels(Double($0)) }
        let worst = decibels.indices.min { decibels[$0] < decibels[$1] } ?? 0
        let detail = "at 1 kHz; at worst \(decibels[worst].words(1)) dB at \(OctaveBands.centre(worst).words(0)) Hz"
        return GainFactor(
            name, Double(bands[5]), detail, bands: decibels, on: .directSound, cause: cause, silences: silences)
    }

    // MARK: Sends

    /// - Parameter factors: all of the direct sound's.
    func sends(
        _ mixer: MixerBlueprint, _ level: ChannelLevel, _ factors: [GainFactor], _ channel: MixerChannel?
    ) -> [SendGain] {
        guard case .spatial = mixer.kind else { return [] }
        let common = factors.filter { $0.reach == .everything }.reduce(1) { $0 * $1.gain }
        let direct = factors.reduce(1) { $0 * $1.gain }
        // A source that radiates to one side gives the room less.
        let toRoom = Double(channel?.laws.source.meanPower[5] ?? 1).squareRoot()
        let sends: [(SendGain.Kind, Double?, Double)] = [
            (.direct, level.direct, direct),
            (.early, level.early, common * (level.early ?? 0)),
            (.late, level.late, common * (level.late ?? 0) * toRoom),
        ]
        return sends.compactMap { kind, level, gain in level.map { SendGain(kind: kind, level: $0, gain: gain) } }
    }
}

/// The factors of a voice's own gain, as of now: tree, generator, group, preset, duckers, voice limit.
extension EventExplainer {
    func treeFactors(_ steps: [EventTree.Step]) -> [GainFactor] {
        steps.compactMap { step in
            guard let (input, gain) = step.blend else { return nil }
            return GainFactor(
                "blend “\(step.node.identifier)”", gain, "at \(input.words(3))",
                cause: .blend(node: step.node.identifier, input: input))
        }
    }

    func generatorFactors(_ voice: Voice, _ level: VoiceLevel) -> [GainFactor] {
        let generator = voice.generator
        var factors = [GainFactor("generator level", generator.calibration.gain(), generator.calibration.words)]
        if let index = generator.gainParameter, let value = values.number(index) {
            factors.append(
                GainFactor(
                    "gain meta-parameter “\(values.blueprints[index].identifier)”", max(value, 0), "= \(value.words(3))"
                ))
        }
        if level.normalisation != 1 {
            factors.append(GainFactor("normalisation of the asset", level.normalisation, "by its loudness"))
        }
        return factors
    }

    func groupFactors(_ level: GroupLevel) -> [GainFactor] {
        guard let group = level.identifier else { return [] }
        let name = "group “\(group)”"
        var factors = [GainFactor(name, level.base, "its gain")]
        if level.fade != 1 { factors.append(GainFactor("fade of \(name)", level.fade)) }
        if level.isMuted { factors.append(GainFactor("mute of \(name)", 0, "muted", cause: .groupMuted(group: group))) }
        if !level.silencedBy.isEmpty {
            factors.append(
                GainFactor(
                    "solo", 0, "\(name) is silenced by the solo of \(level.silencedBy.quotedList)",
                    cause: .silencedBySolo(group: group, of: level.silencedBy)))
        }
        if level.preset != 1 {
            factors.append(GainFactor("group preset", level.preset, "for \(name)", cause: .groupPreset(group: group)))
        }
        for ducker in level.duckers where ducker.gain != 1 {
            factors.append(
                GainFactor(
                    ducker.identifier, ducker.gain, "ducks \(name)", cause: .ducked(group: group, by: ducker.identifier)
                ))
        }
        return factors
    }

    func limitFactors(_ voice: Voice) -> [GainFactor] {
        guard voice.priority.isVirtual else { return [] }
        let limit = engine.levels.voiceLimit
        return [GainFactor("voice limit", 0, "\(limit) others come first", cause: .voiceLimit(maximum: limit))]
    }
}

extension Calibration {
    /// What the level says, in its own terms.
    fileprivate var words: String {
        switch mode {
        case .none: "linear \(level.words(3))"
        case .relativeSPL: "\(level.words(1)) dB relative"
        case .absoluteSPL: "\(level.words(1)) dB SPL, where \(Calibration.referenceLevel.words(0)) is unity"
        }
    }
}
