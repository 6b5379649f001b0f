import OssicleAcoustics
import OssicleCore
import OssicleSoundEvents
import OssicleSpatial

/// The factors of a mixer's gain: what the client set as of now, what the scene makes of it as of the last update.
extension EngineCore {
    /// A strip's level with the gains of the moment.
    func level(of strip: MixerChannel, _ binding: BoundObjects, _ values: ParameterValues) -> ChannelLevel {
        var level = strip.level
        level.mixer = strip.blueprint.gain(values)
        switch binding {
        case .channel: break
        case .ambient(let listener): level.listener = listener.currentGain
        case .spatial(let source, let listener):
            (level.source, level.listener) = (source.currentGain, listener.currentGain)
            if !source.isInScene || !listener.isInScene { level.path = nil }
        }
        if case .spatial(let spatial) = strip.blueprint.kind {
            level.direct = spatial.direct?.value(values)
            level.early = spatial.earlyReflections?.value(values)
            level.late = spatial.lateReverb?.value(values)
        }
        return level
    }

    func stripLinks(_ mixer: MixerBlueprint, _ binding: BoundObjects, _ level: ChannelLevel) -> [Link] {
        let own = Link("mixer “\(mixer.identifier)”", level.mixer)
        switch binding {
        case .channel: return [own]
        case .ambient(let listener): return [own] + listenerLinks(listener, level)
        case .spatial(let source, let listener):
            return [own] + sourceLinks(source, level) + listenerLinks(listener, level) + sceneLinks(mixer, level)
        }
    }

    private func sourceLinks(_ source: PHASESource, _ level: ChannelLevel) -> [Link] {
        let absence = Link(
            "scene", 0, "source \(source.reportName) is not in it", cause: .sourceNotInScene(source.name))
        return [Link("source \(source.reportName)", level.source, "its gain")] + (source.isInScene ? [] : [absence])
    }

    private func listenerLinks(_ listener: PHASEListener, _ level: ChannelLevel) -> [Link] {
        let absence = Link(
            "scene", 0, "listener \(listener.reportName) is not in it", cause: .listenerNotInScene(listener.name))
        return [
            Link("listener \(listener.reportName)", level.listener, "its gain", cause: .listenerGain(listener.name))
        ]
            + (listener.isInScene ? [] : [absence])
    }

    private func sceneLinks(_ mixer: MixerBlueprint, _ level: ChannelLevel) -> [Link] {
        let send = Link(
            "direct sound's send", level.direct ?? 0, level.direct == nil ? "not in the pipeline" : "",
            on: .directSound,
            cause: .sends(mixer: mixer.identifier))
        guard let path = level.path else { return [send] }
        let distance = path.centreDistance
        var links = [send, Link("distance", level.distance, "\(distance.words(2)) m", on: .directSound)]
        if let limit = cullDistance(mixer) {
            links.append(
                Link(
                    "fade-out", level.cull, "culled from \(limit.words(2)) m on",
                    cause: .culled(distance: distance, cullDistance: limit)))
        }
        links += [
            bandLink("air", level.air), bandLink("directivity of the source", level.sourceDirectivity),
            bandLink("directivity of the listener", level.listenerDirectivity),
        ]
        .compactMap(\.self)
        // What is left after 30 dB in every band is masked by almost anything.
        let isHidden = level.passing.values.allSatisfy { Double($0) < Decibels.energy(-30) }
        let occlusion = bandLink(
            "occlusion", path.bandGains, cause: .behind(occluders: path.obstacles.map(name)), silences: isHidden)
        return links + [occlusion].compactMap(\.self)
    }

    /// nil where nothing is taken away.
    private func bandLink(
        _ name: String, _ bands: OctaveBands, cause: PHASEExplanation.Cause? = nil, silences: Bool? = nil
    ) -> Link? {
        guard bands != .ones else { return nil }
        let decibels = bands.values.map { PHASEExplanation.decibels(Double($0)) }
        let worst = decibels.indices.min { decibels[$0] < decibels[$1] } ?? 0
        let detail = "at 1 kHz; at worst \(decibels[worst].words(1)) dB at \(OctaveBands.centre(worst).words(0)) Hz"
        return Link(name, Double(bands[5]), detail, bands: decibels, on: .directSound, cause: cause, silences: silences)
    }

    // MARK: Paths to the listener

    /// - Parameter links: all factors of the direct sound.
    func sends(
        _ mixer: MixerBlueprint, _ level: ChannelLevel, _ links: [Link], _ strip: MixerChannel?
    ) -> [PHASEExplanation.Send] {
        guard case .spatial = mixer.kind else { return [] }
        let common = links.filter { $0.reach == .everything }.reduce(1) { $0 * $1.factor.gain }
        let direct = links.reduce(1) { $0 * $1.factor.gain }
        // A source that radiates to one side gives the room less.
        let toRoom = Double(strip?.sourceDirectivity.meanPower[5] ?? 1).squareRoot()
        let ways: [(PHASESpatialCategory, Double?, Double)] = [
            (.directPathTransmission, level.direct, direct),
            (.earlyReflections, level.early, common * (level.early ?? 0)),
            (.lateReverb, level.late, common * (level.late ?? 0) * toRoom),
        ]
        return ways.compactMap { category, level, gain in
            level.map { PHASEExplanation.Send(category: category, level: $0, gain: gain) }
        }
    }
}

/// The factors of a voice's own gain, as of now: tree, generator, group, preset, duckers, voice limit.
extension EngineCore {
    func treeLinks(_ way: [EventTree.Step]) -> [Link] {
        way.compactMap { step in
            guard let (input, gain) = step.blend else { return nil }
            return Link(
                "blend “\(step.node.identifier)”", gain, "at \(input.words(3))",
                cause: .blend(node: step.node.identifier, input: input))
        }
    }

    func generatorLinks(_ voice: Voice, _ level: VoiceLevel, _ values: ParameterValues) -> [Link] {
        let generator = voice.generator
        var links = [Link("generator level", generator.calibration.gain(), generator.calibration.words)]
        if let index = generator.gainParameter, let value = values.number(index) {
            links.append(
                Link(
                    "gain meta-parameter “\(values.blueprints[index].identifier)”", max(value, 0), "= \(value.words(3))"
                ))
        }
        if level.normalisation != 1 {
            links.append(Link("normalisation of the asset", level.normalisation, "by its loudness"))
        }
        return links
    }

    func groupLinks(_ level: GroupLevel) -> [Link] {
        guard let group = level.identifier else { return [] }
        let name = "group “\(group)”"
        var links = [Link(name, level.base, "its gain")]
        if level.fade != 1 { links.append(Link("fade of \(name)", level.fade)) }
        if level.isMuted { links.append(Link("mute of \(name)", 0, "muted", cause: .groupMuted(group: group))) }
        if !level.silencedBy.isEmpty {
            links.append(
                Link(
                    "solo", 0, "\(name) is silenced by the solo of \(level.silencedBy.quotedList)",
                    cause: .silencedBySolo(group: group, of: level.silencedBy)))
        }
        if level.preset != 1 {
            links.append(Link("group preset", level.preset, "for \(name)", cause: .groupPreset(group: group)))
        }
        for ducker in level.duckers where ducker.gain != 1 {
            links.append(
                Link(
                    ducker.identifier, ducker.gain, "ducks \(name)", cause: .ducked(group: group, by: ducker.identifier)
                ))
        }
        return links
    }

    func limitLinks(_ voice: Voice) -> [Link] {
        guard voice.standing.isUnheard else { return [] }
        let limit = spatial.levels.voiceLimit
        return [Link("voice limit", 0, "\(limit) others come first", cause: .voiceLimit(maximum: limit))]
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

/// One factor of a voice's gain, and what it means if it is next to nothing.
struct Link {
    /// Which paths to the listener it lies on.
    enum Reach { case everything, directSound }

    let factor: PHASEExplanation.Factor
    let reach: Reach
    let cause: PHASEExplanation.Cause
    /// Whether it alone makes a voice inaudible on that path.
    let silences: Bool

    /// - Parameters:
    ///   - cause: of silence; by default the factor's name. - silences: by default where the gain is inaudible.
    init(
        _ name: String, _ gain: Double, _ detail: String = "", bands: [Double]? = nil, on reach: Reach = .everything,
        cause: PHASEExplanation.Cause? = nil, silences: Bool? = nil
    ) {
        factor = PHASEExplanation.Factor(name: name, gain: gain, bands: bands, detail: detail)
        self.reach = reach
        self.cause = cause ?? .gain(of: name)
        self.silences = silences ?? !(gain > Self.inaudible)
    }

    /// Linear: −90 dB and below counts as silence.
    static let inaudible = Decibels.amplitude(-90)
}
