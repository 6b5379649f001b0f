import OssicleAcoustics
import OssicleCore
import OssicleRender
import OssicleSoundEvents

/// Why an event sounds as it does. Looks only; nothing that is heard changes by it.
extension EngineCore {
    func explain(_ event: EventInstance) -> PHASEExplanation {
        locked {
            let voices = event.stage == .playing ? explainVoices(of: event) : []
            return PHASEExplanation(event: event.assetIdentifier, state: state(of: event), time: now, lastUpdate: seconds(ofFrame: lastUpdate),
                                    voices: voices, secondsBehindDevice: overload.isOverloaded && device != nil ? overload.lag : nil,
                                    silentBecause: causes(of: event, voices))
        }
    }

    private func seconds(ofFrame frame: Int64) -> Double { Double(frame) / (output?.sampleRate ?? 48_000) }

    private func state(of event: EventInstance) -> String {
        switch event.stage {
        case .made: "not started"
        case .waiting: event.isPaused ? "started, and paused before it began" : "started, waiting to begin"
        case .playing: event.isPaused ? "paused" : "playing"
        case .ending: "stopping"
        case .ended: "over"
        }
    }

    // MARK: The event

    private func causes(of event: EventInstance, _ voices: [PHASEExplanation.Voice]) -> [PHASEExplanation.Cause] {
        var causes: [PHASEExplanation.Cause] = []
        switch renderingState {
        case .stopped: causes.append(.engineStopped)
        case .paused: causes.append(.enginePaused)
        case .started: break
        }
        switch event.stage {
        case .made: causes.append(.notStarted)
        case .waiting:
            if event.isPaused { causes.append(.eventPaused) } else if renderingState == .started { causes.append(.waitingForUpdate) }
        case .playing: causes += silence(ofPlaying: event, voices)
        case .ending: break
        case .ended: causes += [.ended(event.endReason ?? .terminated)] + event.voices.compactMap { culled($0, event) }.withoutRepetition
        }
        return causes
    }

    /// Those of the voices, if none of them is heard.
    private func silence(ofPlaying event: EventInstance, _ voices: [PHASEExplanation.Voice]) -> [PHASEExplanation.Cause] {
        var causes: [PHASEExplanation.Cause] = event.isPaused ? [.eventPaused] : []
        if voices.isEmpty { causes.append(event.hasFailed ? .ended(.failure) : .nothingChosen) }
        let sounding = voices.filter { $0.silentBecause != [.ended(.finishedPlaying)] }
        if sounding.allSatisfy({ !$0.silentBecause.isEmpty }) { causes += sounding.flatMap(\.silentBecause).withoutRepetition }
        return causes
    }

    private func culled(_ voice: Voice, _ event: EventInstance) -> PHASEExplanation.Cause? {
        guard let distance = voice.culledAt, let limit = cullDistance(event.tree.mixers[voice.generator.mixer]) else { return nil }
        return .culled(distance: distance, cullDistance: limit)
    }

    /// Metres.
    func cullDistance(_ mixer: MixerBlueprint) -> Double? {
        guard case .spatial(let spatial) = mixer.kind else { return nil }
        return spatial.distance?.cullDistance.map { $0 / unitsPerMeter }
    }

    // MARK: Its voices

    private func explainVoices(of event: EventInstance) -> [PHASEExplanation.Voice] {
        let values = event.values(at: now)
        let distances = distances(of: event)
        let gains = event.tree.gains(of: event.activations, parameters: values, distances: distances)
        let groups = groupLevels(gainAt: now, rateAt: now)
        return event.voices.map { voice in
            let level = level(of: voice, treeGain: gains[voice.activation], values, groups)
            let way = event.tree.way(to: voice.node, parameters: values, distances: distances)
            return explain(voice, of: event, level, way, values)
        }
    }

    private func explain(_ voice: Voice, of event: EventInstance, _ level: VoiceLevel, _ way: [EventTree.Step],
                         _ values: ParameterValues) -> PHASEExplanation.Voice {
        let mixer = event.tree.mixers[voice.generator.mixer]
        let strip = event.strips[voice.generator.mixer].map { self.level(of: $0, event.bindings[voice.generator.mixer], values) } ?? StripLevel()
        let links = treeLinks(way) + generatorLinks(voice, level, values) + groupLinks(level.group) + limitLinks(voice)
            + stripLinks(mixer, event.bindings[voice.generator.mixer], strip)
        let sends = self.sends(mixer, strip, links, event.strips[voice.generator.mixer])
        let obstacles = strip.path?.obstacles ?? []
        return PHASEExplanation.Voice(
            node: event.tree.nodes[voice.node].identifier, sound: voice.soundName, way: way.map(\.words), state: state(of: voice, event),
            position: Double(voice.player.status.pointee.position.load()) / voice.sampleRate, rate: level.speed, factors: links.map(\.factor), sends: sends,
            distance: strip.path?.centreDistance, cullDistance: cullDistance(mixer),
            occluders: obstacles.map { PHASEDirectPathReport.Occluder(name: name(of: $0), loss: $0.loss.values.map(Double.init), share: $0.share) },
            paths: explainWays(event.bindings[voice.generator.mixer]), reverbTimes: reverbTimes(event.bindings[voice.generator.mixer]),
            silentBecause: causes(of: voice, event, links, sends))
    }

    /// As the client calls it by now.
    func name(of obstacle: DirectPath.Obstacle) -> String { requested { names[obstacle.id] } ?? obstacle.name }

    private func state(of voice: Voice, _ event: EventInstance) -> String {
        switch voice.state {
        case .playing where voice.begins > executor.position: "waiting"
        case .playing: event.isHalted ? "paused" : voice.standing.isUnheard ? "playing unheard" : "playing"
        case .asleep: "culled, asleep"
        case .finished: "finished"
        case .terminated: voice.culledAt == nil ? "stopped" : "culled, over"
        }
    }

    private func causes(of voice: Voice, _ event: EventInstance, _ links: [Link], _ sends: [PHASEExplanation.Send]) -> [PHASEExplanation.Cause] {
        switch voice.state {
        case .finished: return [.ended(.finishedPlaying)]
        case .terminated: return [culled(voice, event) ?? .ended(.terminated)]
        case .playing where voice.begins > executor.position:
            return [voice.isFollower ? .waitingForTurn : .waitingForStartTime(seconds: seconds(ofFrame: voice.begins - executor.position))]
        case .playing, .asleep: break
        }
        if event.streams?.byNode[voice.node]?.hasNothingToPlay == true { return [.noFrames(node: event.tree.nodes[voice.node].identifier)] }
        let onEveryWay = links.filter { $0.silences && $0.reach == .everything }.map(\.cause)
        if !onEveryWay.isEmpty { return onEveryWay.withoutRepetition }
        let isElsewhere = sends.contains { $0.category != .directPathTransmission && $0.gain > Link.inaudible }
        guard !isElsewhere || !hasRoom(event.bindings[voice.generator.mixer]) else { return [] }
        let onDirectWay = links.filter { $0.silences && $0.reach == .directSound }.map(\.cause)
        if !onDirectWay.isEmpty { return onDirectWay.withoutRepetition }
        let product = links.reduce(1) { $0 * $1.factor.gain }
        return product > Link.inaudible ? [] : [.tooQuiet(decibels: PHASEExplanation.decibels(product))]
    }
}

extension Voice {
    fileprivate var soundName: String {
        switch content {
        case .sound(let leaf, _): leaf.asset
        case .stream(let leaf): leaf.direction == .push ? "push stream" : "pull stream"
        }
    }
}

extension EventTree.Step {
    /// Which way it went there.
    fileprivate var words: String {
        let (name, place) = ("“\(node.identifier)”", "child \(child + 1) of \(node.children.count)")
        return switch node.kind {
        case .container: "container \(name): \(place)"
        case .random: "random \(name) chose \(place)"
        case .selection(_, let texts): "switch \(name) chose “\(texts.indices.contains(child) ? texts[child] : "")”, \(place)"
        case .blend: "blend \(name): \(place)"
        case .sequence: "sequence \(name): \(place)"
        case .sampler, .stream: name
        }
    }
}

extension [PHASEExplanation.Cause] {
    /// Each cause once, where it comes first.
    fileprivate var withoutRepetition: Self { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
