import OssicleCore
import OssicleRender
import OssicleSoundEvents

/// One update: the client's values become plans, parameters and commands.
///
///     collect what came back ─▶ end what has ended ─▶ stop, pause, seek ─▶ begin what was started or has its turn ─▶ trace paths ─▶ settle rooms ─▶ parameters ─▶ plan
extension EngineCore {
    /// Frames of engine time between two updates in automatic mode.
    static let updateInterval: Int64 = 512
    /// Frames.
    private static let deviceSlack = 1024

    /// Under the lock. What was posted until now takes effect together.
    func update() {
        applyMailbox()
        guard let output, renderingState != .stopped else { return }
        let position = executor.position
        followHead()
        executor.collect()
        if putOnHead(output, at: position) { planIsStale = true }
        endWhatHasEnded()
        carryOutStopsAndPauses()
        carryOutSeeks()
        countVoices()
        let hasBegun = beginWaitingEvents(output)
        takeTurns(output)
        let gone = dropSilentEvents(position)
        let rampFrames = min(max(Int(position - lastUpdate), Grid.quantum), 4096)
        paths.trace(pairs(), at: moment(position, rampFrames, output), isStale: needsUpdate || hasBegun, sceneIsStale: sceneIsStale,
                    quality: acousticsMode == .geometry ? budget.quality : nil, seed: seed,
                    candidates: { rooms.traced.candidates(of: $0.source, at: $0.listener) }, occluders: objectsInScene)
        let preset = settleRooms(output, at: position)
        if addWays(output) { planIsStale = true }
        if outlets.update(output, preset, rooms.fields, at: position) { planIsStale = true }
        writeParameters(output, rampFrames: rampFrames)
        if planIsStale { installPlan(output) }
        carryOutVoiceLimit()
        // Players may read an event's memory until the plan without them is in place.
        for event in gone { executor.release(event) }
        feedStreams()
        lastUpdate = position
        changesTaken()
    }

    /// Ends the events whose voices have all played their last frame.
    func endWhatHasEnded() {
        endSeeks()
        for event in events where event.stage == .playing {
            for voice in event.voices where !voice.isOver && voice.finishedAt != nil { voice.state = .finished }
            guard event.voices.allSatisfy(\.isOver), event.hasTakenAllTurns else { continue }
            let wasCut = event.voices.contains { voice in
                if case .terminated = voice.state { true } else { false }
            }
            end(event, event.hasFailed && event.voices.allSatisfy(\.hasFailed) ? .failure : wasCut ? .terminated : .finishedPlaying)
        }
    }

    /// What the client has called on events since the last update.
    private func carryOutStopsAndPauses() {
        for event in events {
            if event.stage == .ending { cut(event) }
            guard event.stage == .playing else { continue }
            // A pause that is over by now is still one if it ends later.
            if !event.isHalted && (event.isPaused || event.resumeTime != nil) { halt(event) }
            if event.isHalted && !event.isPaused { goOn(event) }
        }
    }

    private func halt(_ event: EventInstance) {
        event.isHalted = true
        putOffFollowers(of: event)
        for voice in event.voices where !voice.isOver { send(.pause, to: voice) }
    }

    private func goOn(_ event: EventInstance) {
        let time = frame(of: event.resumeTime)
        (event.isHalted, event.resumeTime, event.unsettledAt) = (false, nil, executor.position)
        for voice in event.voices where !voice.isOver {
            send(.resume(at: time), to: voice)
            voice.standing.wasTold = false
            if case .asleep = voice.state { send(.sleep(advancing: voice.sleepsInRealTime), to: voice) }
        }
    }

    /// Triggers the trees of the events that were started since the last update.
    /// - Returns: whether there were any.
    private func beginWaitingEvents(_ output: OutputStage) -> Bool {
        let waiting = events.filter { $0.stage == .waiting && !$0.isPaused }
        for event in waiting {
            event.stage = .playing
            event.trigger(event.tree.activate(parameters: event.values(at: now), trigger: Trigger(seed: seed, event: event.number),
                                              history: &event.event.history))
            var time = max(frame(of: event.startTime), frame(of: event.resumeTime))
            if let seek = event.seek {
                time = max(time, frame(of: seek.time))
                event.startPlace = seek.seconds
                event.seek?.takesEffectAt = time
            }
            event.resumeTime = nil
            begin(0, of: event, at: time, from: event.startPlace, output)
        }
        return !waiting.isEmpty
    }

    private func dropSilentEvents(_ position: Int64) -> [EventInstance] {
        let gone = events.filter { event in event.silentFrom.map { $0 <= position } ?? false }
        guard !gone.isEmpty else { return [] }
        events.removeAll { event in gone.contains { $0 === event } }
        readers.remove(gone.flatMap(\.voices).compactMap(\.feeder))
        for event in gone { event.dismissEffects() }
        planIsStale = true
        return gone
    }

    // MARK: Scene

    /// Offline in automatic mode the next update is known; otherwise it is expected to take as long to come as this one. At a device updates and
    /// blocks are out of step with each other by up to `deviceSlack`.
    private func moment(_ position: Int64, _ rampFrames: Int, _ output: OutputStage) -> ScenePaths.Moment {
        let isOffline = manual != nil
        let ahead = isOffline && updateMode == .automatic ? max(Int(Self.updateInterval - position % Self.updateInterval), Grid.quantum) : rampFrames
        let slack = isOffline ? 0 : Self.deviceSlack
        return ScenePaths.Moment(position: position, ahead: ahead + slack,
                                  pace: Trail.Pace(sampleRate: output.sampleRate, unknown: rampFrames, slack: slack), medium: medium?.medium ?? air,
                                  delays: medium?.delays ?? true)
    }

    private func pairs() -> [ScenePaths.Pair] {
        var seen: Set<ScenePaths.Key> = []
        return events.flatMap(\.bindings).compactMap { binding in
            guard case .spatial(let source, let listener) = binding, source.isInScene, listener.isInScene else { return nil }
            let pair = ScenePaths.Pair(source: source, listener: listener)
            return seen.insert(pair.key).inserted ? pair : nil
        }
    }

    /// In order of their numbers.
    func objectsInScene<Kind: PHASEObject>() -> [Kind] {
        var found: [Kind] = []
        var open: [PHASEObject] = [root].compactMap(\.self)
        while let object = open.popLast() {
            if let object = object as? Kind { found.append(object) }
            open.append(contentsOf: object.current.children)
        }
        return found.sorted { $0.number < $1.number }
    }

    // MARK: Plan

    private func installPlan(_ output: OutputStage) {
        planIsStale = false
        do {
            let made = try output.compile(events, outlets, at: executor.position)
            executor.install(made.plan, at: executor.position)
            outlets.installed(made.mixes, made.taps, made.fading)
            for strip in events.flatMap(\.strips.values) { strip.isPlanned = true }
        } catch {
            record(PHASEError(.initializeFailed, "The render graph could not be compiled: \(error)"))
        }
    }
}
