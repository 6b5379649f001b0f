import OssicleInspection
import OssicleSpatial

/// One source, listener, group or voice in full.
extension SceneInspection {
    func detail(of target: InspectedTarget) -> InspectedDetail? {
        guard let control else { return nil }
        return control.locked {
            switch target.kind {
            case .source:
                let sources: [PHASESource] = control.objects.objectsInScene()
                return sources.first { $0.number == target.number }.map {
                    detail(target, $0, gain: silencing.keptLevel(of: $0.number) ?? $0.currentGain)
                }
            case .listener:
                let listeners: [PHASEListener] = control.objects.objectsInScene()
                return listeners.first { $0.number == target.number }.map { detail(target, $0, gain: $0.currentGain) }
            case .group: return control.spatial.levels.groups.groups[target.id].map { detail(target, $0) }
            case .voice: return target.number.flatMap(voice).map { detail(target, $0.voice, $0.event, control) }
            case .engine: return engineDetail(target, control)
            case .node: return nil
            }
        }
    }

    private func detail(_ target: InspectedTarget, _ object: PHASEObject, gain: Double) -> InspectedDetail {
        var detail = InspectedDetail(target: target, title: object.name)
        let position = object.worldPose.position
        detail.notes = ["at \(position.x.words(2)), \(position.y.words(2)), \(position.z.words(2)) m"]
        detail.parameters = [.init("gain", title: "Gain", value: gain.brief, minimum: 0, maximum: 1)]
        return detail
    }

    private func detail(_ target: InspectedTarget, _ controls: GroupControls) -> InspectedDetail {
        var detail = InspectedDetail(target: target, title: "Group “\(target.id)”")
        detail.parameters = [
            .init("gain", title: "Gain", value: controls.gain.brief, minimum: 0, maximum: 1),
            .init("rate", title: "Rate", value: controls.rate.brief, minimum: 0.25, maximum: 4),
        ]
        return detail
    }

    private func engineDetail(_ target: InspectedTarget, _ control: EngineControl) -> InspectedDetail {
        var detail = InspectedDetail(target: target, title: "Engine")
        detail.notes = control.lock.recordedErrors.suffix(5).map { "\($0)" }
        detail.parameters = inspected(parameters(of: target, control))
        return detail
    }

    private func inspected(_ parameters: [String: PHASENumberMetaParameter]) -> [InspectedDetail.Parameter] {
        parameters.sorted { $0.key < $1.key }.map { name, parameter in
            InspectedDetail.Parameter(
                name, title: name, value: ((parameter.value as? Double) ?? 0).brief, minimum: parameter.minimum.brief,
                maximum: parameter.maximum.brief)
        }
    }

    /// What `explain(_:)` says of the voice.
    private func detail(
        _ target: InspectedTarget, _ voice: Voice, _ event: EventInstance, _ control: EngineControl
    ) -> InspectedDetail {
        let explanation = PHASEExplanation(of: event, in: control)
        var detail = InspectedDetail(target: target, title: "\(explanation.event) — \(voice.soundName)")
        detail.state = explanation.state
        detail.parameters = inspected(parameters(of: target, control))
        let place = event.voices.firstIndex { $0 === voice }
        guard let place, explanation.voices.indices.contains(place) else {
            detail.silentBecause = explanation.silentBecause.map(\.description)
            return detail
        }
        let own = explanation.voices[place]
        detail.state = own.state
        detail.chain = own.factors.map { .init(name: $0.name, level: $0.decibels.briefLevel, note: $0.detail) }
        detail.sends = own.sends.map { send in
            let name =
                switch send.category {
                case .directPathTransmission: "direct sound"
                case .earlyReflections: "early reflections"
                case .lateReverb: "late reverb"
                default: "\(send.category)"
                }
            return .init(name: name, level: send.decibels.briefLevel, note: "send \(send.level.words(2))")
        }
        detail.paths = own.paths.prefix(12).map { path in
            .init(
                name: path.course, level: path.decibels.briefLevel,
                note:
                    "+\(path.delay.words(1)) ms, \(abs(path.azimuth).words(0))° \(path.azimuth < 0 ? "right" : "left"), \(path.elevation.words(0))° up"
            )
        }
        detail.notes = own.way + [own.tier.map(\.description)].compactMap(\.self)
        detail.notes += own.occluders.map { occluder in
            "\(occluder.name) takes \((occluder.loss.count > 5 ? occluder.loss[5] : 0).words(1)) dB at 1 kHz from \((100 * occluder.share).words(0)) % of the rays"
        }
        let causes = own.silentBecause.isEmpty ? [] : explanation.silentBecause + own.silentBecause
        detail.silentBecause = causes.map(\.description).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        detail.decay = own.reverbTimes?.map(\.brief)
        return detail
    }
}
