import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssicleRender
import OssicleSoundEvents

extension SpatialEngine {
    /// Why an event sounds as it does. Under the engine's lock; changes nothing.
    /// - Parameters:
    ///   - preset: the room of all; nil for none, and with geometry.
    ///   - isRunning: whether updates follow.
    package func explain(_ event: EventInstance, preset: ReverbPreset?, isRunning: Bool) -> EventExplanation {
        EventExplainer(self, event, preset: preset, isRunning: isRunning).explanation
    }
}

/// Explains one event: what its tree chose, which factors make its gain, which of them silences it.
struct EventExplainer {
    let engine: SpatialEngine
    let event: EventInstance
    /// Gains and poses of the moment, where `engine.scene` has those of the last update.
    let scene: SceneSnapshot
    let values: ParameterValues
    private let preset: ReverbPreset?
    private let isRunning: Bool

    fileprivate init(_ engine: SpatialEngine, _ event: EventInstance, preset: ReverbPreset?, isRunning: Bool) {
        self.engine = engine
        self.event = event
        self.preset = preset
        self.isRunning = isRunning
        scene = engine.source?.snapshot(of: [event]) ?? SceneSnapshot()
        values = event.values(at: engine.player.now)
    }

    fileprivate var explanation: EventExplanation {
        let voices = event.stage == .playing ? explainVoices() : []
        return EventExplanation(state: state, voices: voices, silentBecause: causes(voices))
    }

    private var position: Int64 { engine.player.executor.position }

    private var state: String {
        switch event.stage {
        case .made: "not started"
        case .waiting: event.transport.isPaused ? "started, and paused before it began" : "started, waiting to begin"
        case .playing: event.transport.isPaused ? "paused" : "playing"
        case .ending: "stopping"
        case .ended: "over"
        }
    }

    // MARK: The event

    private func causes(_ voices: [VoiceExplanation]) -> [SilenceCause] {
        switch event.stage {
        case .made: [.notStarted]
        case .waiting where event.transport.isPaused: [.eventPaused]
        case .waiting: isRunning ? [.waitingForUpdate] : []
        case .playing: causesWhilePlaying(voices)
        case .ending: []
        case .ended:
            [.ended(event.endReason ?? .terminated)] + event.voices.compactMap { culled($0) }.withoutRepetition
        }
    }

    /// Those of the voices, if all are inaudible.
    private func causesWhilePlaying(_ voices: [VoiceExplanation]) -> [SilenceCause] {
        var causes: [SilenceCause] = event.transport.isPaused ? [.eventPaused] : []
        if voices.isEmpty { causes.append(event.hasFailed ? .ended(.failure) : .nothingChosen) }
        let sounding = voices.filter { $0.silentBecause != [.ended(.finished)] }
        if sounding.allSatisfy({ !$0.silentBecause.isEmpty }) {
            causes += sounding.flatMap(\.silentBecause).withoutRepetition
        }
        return causes
    }

    private func culled(_ voice: Voice) -> SilenceCause? {
        guard let distance = voice.culling.distance, let limit = cullDistance(event.tree.mixers[voice.generator.mixer])
        else {
            return nil
        }
        return .culled(distance: distance, cullDistance: limit)
    }

    /// Metres.
    func cullDistance(_ mixer: MixerBlueprint) -> Double? {
        guard case .spatial(let spatial) = mixer.kind else { return nil }
        return spatial.distance?.cullDistance.map { $0 / scene.unitsPerMeter }
    }

    // MARK: Its voices

    private func explainVoices() -> [VoiceExplanation] {
        let now = engine.player.now
        let distances = engine.paths.distances(of: event, engine.scene)
        let gains = event.tree.gains(of: event.chosen.activations, parameters: values, distances: distances)
        let groups = engine.levels.groups.levels(gainAt: now, rateAt: now)
        return event.voices.map { voice in
            let level = VoiceLevel(of: voice, treeGain: gains[voice.activation], values, groups: groups)
            return explain(voice, level, event.tree.way(to: voice.node, parameters: values, distances: distances))
        }
    }

    private func explain(_ voice: Voice, _ level: VoiceLevel, _ steps: [EventTree.Step]) -> VoiceExplanation {
        let mixer = event.tree.mixers[voice.generator.mixer]
        let objects = boundObjects(event.parts.bindings[voice.generator.mixer])
        let channel = event.channels[voice.generator.mixer]
        let channelLevel = channel.map { self.level(of: $0, objects) } ?? ChannelLevel()
        let factors =
            treeFactors(steps) + generatorFactors(voice, level) + groupFactors(level.group) + limitFactors(voice)
            + channelFactors(mixer, objects, channelLevel)
        let sends = self.sends(mixer, channelLevel, factors, channel)
        let paths = self.paths(objects)
        let reverbTimes = self.reverbTimes(objects)
        let hasRoom = reverbTimes != nil || !paths.isEmpty
        return VoiceExplanation(
            node: event.tree.nodes[voice.node].identifier, sound: voice.soundName, choices: steps.map(\.words),
            state: event.state(of: voice, at: position),
            position: Double(voice.player.status.pointee.position.load()) / voice.sampleRate, rate: level.speed,
            factors: factors, sends: sends, distance: channelLevel.path?.centreDistance,
            cullDistance: cullDistance(mixer),
            obstacles: (channelLevel.path?.obstacles ?? []).map { (name(of: $0), $0) }, paths: paths,
            reverbTimes: reverbTimes, tier: engine.tier(of: voice, channel),
            silentBecause: causes(of: voice, factors, sends, hasRoom: hasRoom))
    }

    /// As the client calls it by now.
    func name(of obstacle: DirectPath.Obstacle) -> String { engine.source?.name(of: obstacle.id) ?? obstacle.name }

    /// - Parameter hasRoom: whether anything but the direct sound can reach the listener.
    private func causes(
        of voice: Voice, _ factors: [GainFactor], _ sends: [SendGain], hasRoom: Bool
    ) -> [SilenceCause] {
        switch voice.state {
        case .finished: return [.ended(.finished)]
        case .terminated: return [culled(voice) ?? .ended(.terminated)]
        case .playing where voice.begins > position:
            return [
                voice.isFollower
                    ? .waitingForTurn
                    : .waitingForStartTime(seconds: Double(voice.begins - position) / engine.player.sampleRate)
            ]
        case .playing, .asleep: break
        }
        if event.parts.streams?.hasNothingToPlay(at: voice.node) == true {
            return [.noFrames(node: event.tree.nodes[voice.node].identifier)]
        }
        let ofEverything = factors.filter { $0.silences && $0.reach == .everything }.map(\.cause)
        if !ofEverything.isEmpty { return ofEverything.withoutRepetition }
        let isInRoom = sends.contains { $0.kind != .direct && $0.gain > EventExplanation.inaudible }
        guard !isInRoom || !hasRoom else { return [] }
        let ofDirectSound = factors.filter { $0.silences && $0.reach == .directSound }.map(\.cause)
        if !ofDirectSound.isEmpty { return ofDirectSound.withoutRepetition }
        let product = factors.reduce(1) { $0 * $1.gain }
        return product > EventExplanation.inaudible ? [] : [.tooQuiet(decibels: EventExplanation.decibels(product))]
    }

    // MARK: What the scene makes of a sound, as of the last update

    private func paths(_ objects: ChannelWriter.Binding) -> [PathExplanation] {
        guard case .spatial(let source, let listener) = objects,
            let received = engine.paths.heard(source.number, listener.number)
        else { return [] }
        return (received.acoustics.diffractions + received.acoustics.reflections)
            .map { PathExplanation($0, received, milliseconds: 1000 / scene.medium.speedOfSound) }
            .sorted { ($1.decibels, $0.delay) < ($0.decibels, $1.delay) }
    }

    private func reverbTimes(_ objects: ChannelWriter.Binding) -> [Double]? {
        let listener: SceneSnapshot.Listener
        switch objects {
        case .spatial(_, let bound), .ambient(let bound): listener = bound
        case .channel: return nil
        }
        let field = engine.rooms.field(at: listener.number) ?? preset.map { LateField($0) }
        return field.flatMap { field in
            field.energy.values.contains { $0 > 0 } ? field.t60.values.map(Double.init) : nil
        }
    }

    /// The objects that a mixer is bound to, as they are now; without those that are gone.
    private func boundObjects(_ binding: EventParts.Binding) -> ChannelWriter.Binding {
        guard let number = binding.listener, let listener = scene.listener(number) else { return .channel }
        guard case .spatial(let number, _) = binding, let source = scene.source(number) else {
            return .ambient(listener)
        }
        return .spatial(source, listener)
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

extension [SilenceCause] {
    /// Each cause once, where it comes first.
    fileprivate var withoutRepetition: Self { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
