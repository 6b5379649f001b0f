import OssicleCore
import OssicleRender
import OssicleSoundEvents

/// One update: the client's values become plans, parameters and commands.
///
///     collect what came back ─▶ end what has ended ─▶ begin what was started ─▶ trace paths ─▶ parameters ─▶ plan ─▶ commands
extension EngineCore {
    /// Frames of engine time between two updates in automatic mode.
    static let updateInterval: Int64 = 512

    /// Under the lock.
    func update() {
        guard let output, renderingState != .stopped else { return }
        let position = executor.position
        executor.collect()
        endWhatHasEnded()
        carryOutStopsAndPauses()
        let begun = beginWaitingEvents(output)
        let gone = dropSilentEvents(position)
        if needsUpdate || !begun.isEmpty {
            paths.trace(pairs(), after: moves, occluders: occludersInScene)
        }
        let rampFrames = min(max(Int(position - lastUpdate), Grid.quantum), 4096)
        if output.setReverb(reverbPreset, at: position) { planIsStale = true }
        writeParameters(output, rampFrames: rampFrames)
        if planIsStale { installPlan(output) }
        for voice in begun where voice.isPlaying { send(.start(from: 0), to: voice) }
        // Players may read an event's memory until the plan without them is in place.
        for event in gone { executor.release(event, at: position) }
        feedStreams()
        lastUpdate = position
        changesTaken()
    }

    /// Ends the events whose voices have all played their last frame.
    func endWhatHasEnded() {
        for event in events where event.stage == .playing {
            for voice in event.voices where !voice.isOver && voice.finishedAt != nil { voice.state = .finished }
            guard event.voices.allSatisfy(\.isOver) else { continue }
            let wasCut = event.voices.contains { voice in
                if case .terminated = voice.state { true } else { false }
            }
            end(event, event.hasFailed && event.voices.isEmpty ? .failure : wasCut ? .terminated : .finishedPlaying)
        }
    }

    /// What the client has called on events since the last update.
    private func carryOutStopsAndPauses() {
        for event in events {
            if event.stage == .ending { cut(event) }
            guard event.stage == .playing, event.isHalted != event.isPaused else { continue }
            event.isHalted = event.isPaused
            for voice in event.voices {
                switch voice.state {
                case .playing: send(event.isHalted ? .pause : .resume, to: voice)
                case .asleep: send(event.isHalted ? .pause : .sleep(advancing: voice.sleepsInRealTime), to: voice)
                case .finished, .terminated: break
                }
            }
        }
    }

    /// Triggers the trees of the events that were started since the last update.
    /// - Returns: the voices that are to sound from now on.
    private func beginWaitingEvents(_ output: OutputStage) -> [Voice] {
        var begun: [Voice] = []
        for event in events where event.stage == .waiting && !event.isPaused {
            event.stage = .playing
            let values = event.values(at: now)
            event.activations = event.tree.activate(parameters: values, trigger: Trigger(seed: seed, event: event.number), history: &event.event.history)
            for (index, activation) in event.activations.enumerated() {
                guard let leaf = event.tree.sampler(activation.node), let sound = event.sounds[activation.node] else { continue }
                let mixer = leaf.generator.mixer
                let strip = event.strips[mixer] ?? output.makeStrip(event.tree.mixers[mixer])
                event.strips[mixer] = strip
                guard let voice = makeVoice(leaf, activation.node, index, sound, strip, output) else {
                    event.hasFailed = true
                    continue
                }
                event.voices.append(voice)
                begun.append(voice)
            }
            planIsStale = true
        }
        return begun
    }

    /// - Returns: nil, with a recorded error, for a streamed sound whose file is gone.
    private func makeVoice(_ leaf: SamplerLeaf, _ node: Int, _ activation: Int, _ sound: RegisteredSound, _ strip: MixerStrip,
                           _ output: OutputStage) -> Voice? {
        let loops = leaf.playback == .looping
        let feeder = StreamFeeder(sound, loops: loops, from: 0)
        if let feeder { streams.append(feeder) }
        if case .streamed(let path) = sound.samples, feeder == nil {
            record(PHASESoundEventError(.badData, "Sound “\(leaf.asset)” cannot be played: its file \(path) could not be opened again; keep it while it is registered."))
            return nil
        }
        let source = feeder?.source ?? sound.source(loops: loops)
        let player = PlayerRenderer(source: source, outputCount: strip.inputChannels,
                                    parameters: output.playback(sound.sampleRate, rate: leaf.generator.rate, gain: 0, rampFrames: 0))
        return Voice(leaf: leaf, node: node, activation: activation, sound: sound, player: RendererBox(player), feeder: feeder)
    }

    private func dropSilentEvents(_ position: Int64) -> [EventInstance] {
        let gone = events.filter { event in event.silentFrom.map { $0 <= position } ?? false }
        guard !gone.isEmpty else { return [] }
        events.removeAll { event in gone.contains { $0 === event } }
        let feeders = gone.flatMap(\.voices).compactMap(\.feeder)
        streams.removeAll { stream in feeders.contains { $0 === stream } }
        planIsStale = true
        return gone
    }

    // MARK: Scene

    private func pairs() -> [DirectPaths.Pair] {
        var seen: Set<DirectPaths.Key> = []
        return events.flatMap(\.bindings).compactMap { binding in
            guard case .spatial(let source, let listener) = binding, source.isInScene, listener.isInScene else { return nil }
            let pair = DirectPaths.Pair(source: source, listener: listener)
            return seen.insert(pair.key).inserted ? pair : nil
        }
    }

    private func occludersInScene() -> [PHASEOccluder] {
        var found: [PHASEOccluder] = []
        var open: [PHASEObject] = [root].compactMap(\.self)
        while let object = open.popLast() {
            if let occluder = object as? PHASEOccluder { found.append(occluder) }
            open.append(contentsOf: object.children)
        }
        return found.sorted { $0.number < $1.number }
    }

    // MARK: Plan

    private func installPlan(_ output: OutputStage) {
        planIsStale = false
        do {
            executor.install(try output.compile(events), at: executor.position)
        } catch {
            record(PHASEError(.initializeFailed, "The render graph could not be compiled: \(error)"))
        }
    }

    // MARK: Streams

    func feedStreams() {
        for stream in streams {
            if let error = stream.feed() { record(error) }
        }
    }
}
