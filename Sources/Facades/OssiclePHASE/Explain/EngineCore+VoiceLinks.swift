import OssicleCore
import OssicleSoundEvents

/// The factors of a voice's own gain, as of now: tree, generator, group, preset, duckers, voice limit.
extension EngineCore {
    func treeLinks(_ way: [EventTree.Step]) -> [Link] {
        way.compactMap { step in
            guard let (input, gain) = step.blend else { return nil }
            return Link("blend “\(step.node.identifier)”", gain, "at \(input.words(3))", cause: .blend(node: step.node.identifier, input: input))
        }
    }

    func generatorLinks(_ voice: Voice, _ level: VoiceLevel, _ values: ParameterValues) -> [Link] {
        let generator = voice.generator
        var links = [Link("generator level", generator.calibration.gain(), generator.calibration.words)]
        if let index = generator.gainParameter, let value = values.number(index) {
            links.append(Link("gain meta-parameter “\(values.blueprints[index].identifier)”", max(value, 0), "= \(value.words(3))"))
        }
        if level.normalisation != 1 { links.append(Link("normalisation of the asset", level.normalisation, "by its loudness")) }
        return links
    }

    func groupLinks(_ level: GroupLevel) -> [Link] {
        guard let group = level.identifier else { return [] }
        let name = "group “\(group)”"
        var links = [Link(name, level.base, "its gain")]
        if level.fade != 1 { links.append(Link("fade of \(name)", level.fade)) }
        if level.isMuted { links.append(Link("mute of \(name)", 0, "muted", cause: .groupMuted(group: group))) }
        if !level.silencedBy.isEmpty {
            links.append(Link("solo", 0, "\(name) is silenced by the solo of \(level.silencedBy.quotedList)",
                              cause: .silencedBySolo(group: group, of: level.silencedBy)))
        }
        if level.preset != 1 { links.append(Link("group preset", level.preset, "for \(name)", cause: .groupPreset(group: group))) }
        for ducker in level.duckers where ducker.gain != 1 {
            links.append(Link(ducker.identifier, ducker.gain, "ducks \(name)", cause: .ducked(group: group, by: ducker.identifier)))
        }
        return links
    }

    func limitLinks(_ voice: Voice) -> [Link] {
        guard voice.standing.isUnheard else { return [] }
        return [Link("voice limit", 0, "\(voiceLimit) others come first", cause: .voiceLimit(maximum: voiceLimit))]
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
