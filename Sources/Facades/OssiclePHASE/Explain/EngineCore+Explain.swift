import OssicleAcoustics
import OssicleCore
import OssicleRender
import OssicleSoundEvents
import OssicleSpatial

/// Why an event sounds as it does. Reads only.
extension EngineCore {
    func explain(_ event: EventInstance) -> PHASEExplanation {
        locked {
            let voices = event.stage == .playing ? explainVoices(of: event) : []
            return PHASEExplanation(
                event: event.parts.assetIdentifier, state: state(of: event), time: now,
                lastUpdate: seconds(ofFrame: spatial.player.lastUpdate),
                voices: voices,
                secondsBehindDevice: session.overload.isOverloaded && session.device != nil
                    ? session.overload.lag : nil,
                silentBecause: causes(of: event, voices))
        }
    }

    private func seconds(ofFrame frame: Int64) -> Double { Double(frame) / (output?.sampleRate ?? 48_000) }

    private func state(of event: EventInstance) -> String {
        switch event.stage {
        case .made: "not started"
        case .waiting: event.transport.isPaused ? "started, and paused before it began" : "started, waiting to begin"
        case .playing: event.transport.isPaused ? "paused" : "playing"
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
            if event.transport.isPaused {
                causes.append(.eventPaused)
            } else if renderingState == .started {
                causes.append(.waitingForUpdate)
            }
        case .playing: causes += silence(ofPlaying: event, voices)
        case .ending: break
        case .ended:
            causes +=
                [.ended(PHASESoundEvent.StartHandlerReason(event.endReason ?? .terminated))]
                + event.voices.compactMap { culled($0, event) }.withoutRepetition
        }
        return causes
    }

    /// Those of the voices, if all are inaudible.
    private func silence(ofPlaying event: EventInstance, _ voices: [PHASEExplanation.Voice]) -> [PHASEExplanation.Cause]
    {
        var causes: [PHASEExplanation.Cause] = event.transport.isPaused ? [.eventPaused] : []
        if voices.isEmpty { causes.append(event.hasFailed ? .ended(.failure) : .nothingChosen) }
        let sounding = voices.filter { $0.silentBecause != [.ended(.finishedPlaying)] }
        if sounding.allSatisfy({ !$0.silentBecause.isEmpty }) {
            causes += sounding.flatMap(\.silentBecause).withoutRepetition
        }
        return causes
    }

    private func culled(_ voice: Voice, _ event: EventInstance) -> PHASEExplanation.Cause? {
        guard let distance = voice.culledAt, let limit = cullDistance(event.tree.mixers[voice.generator.mixer]) else {
            return nil
        }
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
        let distances = spatial.paths.distances(of: event, spatial.scene)
        let gains = event.tree.gains(of: event.activations, parameters: values, distances: distances)
        let groups = spatial.levels.groups.levels(gainAt: now, rateAt: now)
        return event.voices.map { voice in
            let level = VoiceLevel(of: voice, treeGain: gains[voice.activation], values, groups: groups)
            let way = event.tree.way(to: voice.node, parameters: values, distances: distances)
            return explain(voice, of: event, level, way, values)
        }
    }

    private func explain(
        _ voice: Voice, of event: EventInstance, _ level: VoiceLevel, _ way: [EventTree.Step],
        _ values: ParameterValues
    ) -> PHASEExplanation.Voice {
        let mixer = event.tree.mixers[voice.generator.mixer]
        let binding = boundObjects(event.parts.bindings[voice.generator.mixer])
        let strip =
            event.channels[voice.generator.mixer].map {
                self.level(of: $0, binding, values)
            } ?? ChannelLevel()
        let links =
            treeLinks(way) + generatorLinks(voice, level, values) + groupLinks(level.group) + limitLinks(voice)
            + stripLinks(mixer, binding, strip)
        let sends = self.sends(mixer, strip, links, event.channels[voice.generator.mixer])
        let obstacles = strip.path?.obstacles ?? []
        return PHASEExplanation.Voice(
            node: event.tree.nodes[voice.node].identifier, sound: voice.soundName, way: way.map(\.words),
            state: state(of: voice, event),
            position: Double(voice.player.status.pointee.position.load()) / voice.sampleRate, rate: level.speed,
            factors: links.map(\.factor), sends: sends,
            distance: strip.path?.centreDistance, cullDistance: cullDistance(mixer),
            occluders: obstacles.map { PHASEDirectPathReport.Occluder($0, name: name(of: $0)) },
            paths: explainWays(binding),
            reverbTimes: reverbTimes(binding),
            silentBecause: causes(of: voice, event, links, sends))
    }

    /// As the client calls it by now.
    func name(of obstacle: DirectPath.Obstacle) -> String { requested { objects.names[obstacle.id] } ?? obstacle.name }

    private func state(of voice: Voice, _ event: EventInstance) -> String {
        switch voice.state {
        case .playing where voice.begins > executor.position: "waiting"
        case .playing: event.transport.isHalted ? "paused" : voice.standing.isUnheard ? "playing unheard" : "playing"
        case .asleep: "culled, asleep"
        case .finished: "finished"
        case .terminated: voice.culledAt == nil ? "stopped" : "culled, over"
        }
    }

    private func causes(
        of voice: Voice, _ event: EventInstance, _ links: [Link], _ sends: [PHASEExplanation.Send]
    ) -> [PHASEExplanation.Cause] {
        switch voice.state {
        case .finished: return [.ended(.finishedPlaying)]
        case .terminated: return [culled(voice, event) ?? .ended(.terminated)]
        case .playing where voice.begins > executor.position:
            return [
                voice.isFollower
                    ? .waitingForTurn
                    : .waitingForStartTime(seconds: seconds(ofFrame: voice.begins - executor.position))
            ]
        case .playing, .asleep: break
        }
        if event.parts.streams?.hasNothingToPlay(at: voice.node) == true {
            return [.noFrames(node: event.tree.nodes[voice.node].identifier)]
        }
        let onEveryWay = links.filter { $0.silences && $0.reach == .everything }.map(\.cause)
        if !onEveryWay.isEmpty { return onEveryWay.withoutRepetition }
        let isElsewhere = sends.contains { $0.category != .directPathTransmission && $0.gain > Link.inaudible }
        guard !isElsewhere || !hasRoom(boundObjects(event.parts.bindings[voice.generator.mixer])) else { return [] }
        let onDirectWay = links.filter { $0.silences && $0.reach == .directSound }.map(\.cause)
        if !onDirectWay.isEmpty { return onDirectWay.withoutRepetition }
        let product = links.reduce(1) { $0 * $1.factor.gain }
        return product > Link.inaudible ? [] : [.tooQuiet(decibels: PHASEExplanation.decibels(product))]
    }
}

/// The objects that a mixer of an event is bound to.
enum BoundObjects {
    case spatial(PHASESource, PHASEListener)
    case ambient(PHASEListener)
    case channel

    /// nil for a channel mixer.
    var listener: PHASEListener? {
        switch self {
        case .spatial(_, let listener), .ambient(let listener): listener
        case .channel: nil
        }
    }
}

extension EngineCore {
    func boundObjects(_ binding: EventParts.Binding) -> BoundObjects {
        guard let number = binding.listener, let listener = objects.listener(number) else {
            return .channel
        }
        guard case .spatial(let number, _) = binding, let source = objects.source(number) else {
            return .ambient(listener)
        }
        return .spatial(source, listener)
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
    /// Which child it chose there.
    fileprivate var words: String {
        let (name, place) = ("“\(node.identifier)”", "child \(child + 1) of \(node.children.count)")
        return switch node.kind {
        case .container: "container \(name): \(place)"
        case .random: "random \(name) chose \(place)"
        case .selection(_, let texts):
            "switch \(name) chose “\(texts.indices.contains(child) ? texts[child] : "")”, \(place)"
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

/// What the scene's geometry makes of a sound, as of the last update.
extension EngineCore {
    func explainWays(_ binding: BoundObjects) -> [PHASEExplanation.Path] {
        guard case .spatial(let source, let listener) = binding,
            let heard = spatial.paths.heard(source.number, listener.number)
        else {
            return []
        }
        let ways = heard.acoustics.diffractions + heard.acoustics.reflections
        return ways.map {
            PHASEExplanation.Path($0, heard, milliseconds: 1000 / (medium?.medium ?? Medium()).speedOfSound)
        }
        .sorted { ($1.decibels, $0.delay) < ($0.decibels, $1.delay) }
    }

    func reverbTimes(_ binding: BoundObjects) -> [Double]? {
        guard let listener = binding.listener else { return nil }
        let field =
            spatial.rooms.field(at: listener.number)
            ?? (reverbPreset == .none || acousticsMode == .geometry ? nil : LateField(reverbPreset.room))
        return field.flatMap { field in
            field.energy.values.contains { $0 > 0 } ? field.t60.values.map(Double.init) : nil
        }
    }

    /// Whether anything but the direct sound is audible.
    func hasRoom(_ binding: BoundObjects) -> Bool {
        reverbTimes(binding) != nil || !explainWays(binding).isEmpty
    }
}

extension PHASEExplanation.Path {
    fileprivate init(_ way: SoundPath, _ heard: ReceivedPath, milliseconds perMetre: Double) {
        course = way.kind.words
        delay = (way.length - heard.direct.centreDistance) * perMetre
        let seen = heard.head.toLocalUnscaled(heard.head.position + way.arrival)
        azimuth = DeterministicMath.atan2(-seen.x, -seen.z) * 180 / DeterministicMath.pi
        elevation = DeterministicMath.asin(min(max(seen.y, -1), 1)) * 180 / DeterministicMath.pi
        bands = way.bandGains.values.map { PHASEExplanation.decibels(Double($0) / max(way.length, 1e-6)) }
        decibels = bands[5]
    }
}

extension SoundPath.Kind {
    fileprivate var words: String {
        func count(_ number: Int, _ thing: String) -> String { "\(number) \(thing)\(number == 1 ? "" : "s")" }
        return switch self {
        case .reflection(let order): "off \(count(order, "surface"))"
        case .diffraction(let edges): "around \(count(edges, "edge"))"
        case .diffractedReflection(let order): "off \(count(order, "surface")) and around an edge"
        }
    }
}
