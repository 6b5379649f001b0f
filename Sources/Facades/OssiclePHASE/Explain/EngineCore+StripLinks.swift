import OssicleAcoustics
import OssicleCore
import OssicleSoundEvents

/// The factors of a mixer's gain: what the client set as of now, what the scene makes of it as of the last update.
extension EngineCore {
    /// A strip's level with the gains of the moment.
    func level(of strip: MixerStrip, _ binding: EventInstance.Binding, _ values: ParameterValues) -> StripLevel {
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

    func stripLinks(_ mixer: MixerBlueprint, _ binding: EventInstance.Binding, _ level: StripLevel) -> [Link] {
        let own = Link("mixer “\(mixer.identifier)”", level.mixer)
        switch binding {
        case .channel: return [own]
        case .ambient(let listener): return [own] + listenerLinks(listener, level)
        case .spatial(let source, let listener):
            return [own] + sourceLinks(source, level) + listenerLinks(listener, level) + sceneLinks(mixer, level)
        }
    }

    private func sourceLinks(_ source: PHASESource, _ level: StripLevel) -> [Link] {
        let absence = Link("scene", 0, "source \(source.reportName) is not in it", cause: .sourceNotInScene(source.name))
        return [Link("source \(source.reportName)", level.source, "its gain")] + (source.isInScene ? [] : [absence])
    }

    private func listenerLinks(_ listener: PHASEListener, _ level: StripLevel) -> [Link] {
        let absence = Link("scene", 0, "listener \(listener.reportName) is not in it", cause: .listenerNotInScene(listener.name))
        return [Link("listener \(listener.reportName)", level.listener, "its gain", cause: .listenerGain(listener.name))]
            + (listener.isInScene ? [] : [absence])
    }

    private func sceneLinks(_ mixer: MixerBlueprint, _ level: StripLevel) -> [Link] {
        let send = Link("direct sound's send", level.direct ?? 0, level.direct == nil ? "not in the pipeline" : "", on: .directSound,
                        cause: .sends(mixer: mixer.identifier))
        guard let path = level.path else { return [send] }
        let distance = path.centreDistance
        var links = [send, Link("distance", level.distance, "\(distance.words(2)) m", on: .directSound)]
        if let limit = cullDistance(mixer) {
            links.append(Link("fade-out", level.cull, "culled from \(limit.words(2)) m on", cause: .culled(distance: distance, cullDistance: limit)))
        }
        links += [bandLink("air", level.air), bandLink("directivity of the source", level.sourceDirectivity), bandLink("directivity of the listener", level.listenerDirectivity)]
            .compactMap(\.self)
        // What is left after 30 dB in every band is masked by almost anything.
        let isHidden = level.passing.values.allSatisfy { Double($0) < Decibels.energy(-30) }
        let occlusion = bandLink("occlusion", path.bandGains, cause: .behind(occluders: path.obstacles.map(name)), silences: isHidden)
        return links + [occlusion].compactMap(\.self)
    }

    /// nil where nothing is taken away.
    private func bandLink(_ name: String, _ bands: OctaveBands, cause: PHASEExplanation.Cause? = nil, silences: Bool? = nil) -> Link? {
        guard bands != .ones else { return nil }
        let decibels = bands.values.map { PHASEExplanation.decibels(Double($0)) }
        let worst = decibels.indices.min { decibels[$0] < decibels[$1] } ?? 0
        let detail = "at 1 kHz; at worst \(decibels[worst].words(1)) dB at \(OctaveBands.centre(worst).words(0)) Hz"
        return Link(name, Double(bands[5]), detail, bands: decibels, on: .directSound, cause: cause, silences: silences)
    }

    // MARK: Ways to the listener

    /// - Parameter links: all factors of the direct sound.
    func sends(_ mixer: MixerBlueprint, _ level: StripLevel, _ links: [Link], _ strip: MixerStrip?) -> [PHASEExplanation.Send] {
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
        return ways.compactMap { category, level, gain in level.map { PHASEExplanation.Send(category: category, level: $0, gain: gain) } }
    }
}
