import OssicleRender
import OssicleSoundEvents

/// Voices for the leaves of an event that begins, and for sounds that continue elsewhere.
extension EventPlayer {
    /// Triggers the trees of the events that were started since the last update.
    /// - Parameter room: voices that can be heard at once.
    /// - Returns: whether there were any.
    package func beginWaiting(_ output: OutputStage, room: Int) -> Bool {
        guard needs.beginning else { return false }
        let waiting = events.filter {
            $0.stage == .waiting && !$0.transport.isPaused && !isEarly($0.transport.startTime)
                && !isEarly($0.transport.resumeTime) && !isEarly($0.transport.seek?.time)
        }
        for event in waiting {
            event.stage = .playing
            event.trigger(
                event.tree.activate(
                    parameters: event.values(at: now), trigger: Trigger(seed: seed, event: event.parts.number),
                    history: &event.parts.event.history))
            var time = max(frame(of: event.transport.startTime), frame(of: event.transport.resumeTime))
            if let seek = event.transport.seek {
                time = max(time, frame(of: seek.time))
                event.transport.startPosition = seek.seconds
                event.transport.seek?.takesEffectAt = time
            }
            event.transport.resumeTime = nil
            begin(0, of: event, Start(at: time, from: event.transport.startPosition, room: room), output)
        }
        if !waiting.isEmpty { needs = .all }
        return !waiting.isEmpty
    }

    /// How leaves begin.
    struct Start {
        /// Engine frame.
        let time: Int64
        /// Seconds into their sounds.
        let position: Double
        /// They wait for the end of others.
        let isFollower: Bool
        /// Voices that can be heard at once.
        let room: Int

        init(at time: Int64, from position: Double = 0, isFollower: Bool = false, room: Int) {
            self.time = time
            self.position = position
            self.isFollower = isFollower
            self.room = room
        }
    }

    /// Has everything at and below a node begin that begins with it.
    func begin(_ node: Int, of event: EventInstance, _ start: Start, _ output: OutputStage) {
        guard event.chosen.makesSound[node] else { return }
        let children = event.tree.nodes[node].children.filter { event.chosen.makesSound[$0] }
        switch event.tree.nodes[node].kind {
        case .sampler, .stream:
            beginLeaf(node, of: event, start, output)
        case .container, .random, .selection, .blend:
            for child in children { begin(child, of: event, start, output) }
        case .sequence:
            event.sequences[node] = SequenceProgress(of: children, from: start.time)
            if let first = children.first { begin(first, of: event, start, output) }
        }
    }

    private func beginLeaf(_ node: Int, of event: EventInstance, _ start: Start, _ output: OutputStage) {
        guard let generator = event.tree.generator(node), let activation = event.chosen.indices[node] else { return }
        let channel =
            event.channels[generator.mixer]
            ?? output.makeChannel(event.tree.mixers[generator.mixer], isVirtual: voiceCount >= start.room)
        voiceCount += 1
        event.channels[generator.mixer] = channel
        hasChangedPlan = true
        guard let voice = makeVoice(event, node, activation: activation, channel, output) else {
            event.hasFailed = true
            return
        }
        event.add(voice)
        voice.begins = start.time
        voice.position = voice.frame(at: start.position)
        voice.isFollower = start.isFollower
        if voice.position > 0 { restart(voice, at: voice.position) }
        send(.start(from: voice.position, at: start.time), to: voice)
    }

    /// - Returns: nil for a leaf that cannot play.
    private func makeVoice(
        _ event: EventInstance, _ node: Int, activation: Int, _ channel: MixerChannel, _ output: OutputStage
    ) -> Voice? {
        if let leaf = event.tree.sampler(node), let sound = event.parts.sounds[node] {
            // A streamed sound's file is not opened here: a failure comes later, and ends the voice.
            let loops = leaf.playback == .looping
            let feeder = StreamFeeder(sound, leaf.asset, loops: loops, from: 0)
            if let feeder { readers.add(feeder) }
            let player = PlayerRenderer(
                source: feeder?.source ?? sound.source(loops: loops), outputCount: channel.inputChannels,
                parameters: output.playback(sound.sampleRate, rate: leaf.generator.rate, gain: 0, rampFrames: 0))
            return Voice(
                .sound(leaf, sound), node: node, activation: activation, player: .sampler(ControlledBox(player)),
                feeder: feeder)
        }
        guard let leaf = event.tree.stream(node), let feed = event.parts.streams?.makeFeed(of: node) else { return nil }
        let renderer = StreamRenderer(
            feed: .block(feed.pointer), owner: feed, channelCount: leaf.channelCount,
            outputCount: channel.inputChannels,
            parameters: output.playback(leaf.sampleRate, rate: leaf.generator.rate, gain: 0, rampFrames: 0))
        let voice = Voice(.stream(leaf), node: node, activation: activation, player: .stream(ControlledBox(renderer)))
        event.parts.streams?.begin(node, playedBy: voice, engineRate: output.sampleRate)
        return voice
    }

    // MARK: Restarting

    /// Has a voice's frames ready from source frame `frame` on. A streamed sound gets a new window that begins there,
    /// and its player gets it (`.replace`); a resident one needs nothing. The command that moves the player is the
    /// caller's, right behind.
    ///
    /// - Parameters:
    ///   - frame: for a loop, modulo its length.
    ///   - time: engine time at which the player leaves its old position; until then, and for the fade there, the old
    ///     window is kept and filled.
    package func restart(_ voice: Voice, at frame: Int64, leavingAt time: Int64 = 0) {
        guard let old = voice.feeder, case .sound(let leaf, let sound) = voice.content else { return }
        let loops = leaf.playback == .looping
        let start = loops && sound.frameCount > 0 ? max(frame, 0) % sound.frameCount : max(frame, 0)
        guard let feeder = StreamFeeder(sound, leaf.asset, loops: loops, from: start) else { return }
        old.leavesAt = max(time, executor.position) + Int64(StreamFeeder.framesToFade)
        feeder.seen.starvedFrames = old.seen.starvedFrames
        feeder.seen.hasReportedStarving = old.seen.hasReportedStarving
        readers.add(feeder)
        voice.feeder = feeder
        send(.replace(feeder.source), to: voice)
    }

    /// Lets go of the windows that no player reads any more.
    func dropLeftStreams() {
        let left = readers.all.filter { stream in stream.leavesAt.map { $0 < executor.position } ?? false }
        guard !left.isEmpty else { return }
        readers.remove(left)
        for stream in left { executor.release(stream) }
    }
}
