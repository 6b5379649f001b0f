import OssicleCore
import OssicleRender
import OssicleSoundEvents

/// Writes the levels of everything that plays, once per update. Under the engine's lock.
///
///     voice    tree × calibration × normalisation × group × preset × duckers
///     channel  mixer × source × distance × obstruction × listener (`ChannelWriter`)
package final class LevelWriter {
    /// Voices that are heard at once where the client names no limit.
    package static let defaultVoiceLimit = 512

    let player: EventPlayer
    package let groups: GroupMix
    /// The client's; nil for the default.
    package var requestedVoiceLimit: Int?
    /// The default limit of voices was met, which is recorded once.
    package var hasRecordedVoiceLimit = false

    package init(_ player: EventPlayer, _ groups: GroupMix) {
        self.player = player
        self.groups = groups
    }

    package var voiceLimit: Int { requestedVoiceLimit ?? Self.defaultVoiceLimit }

    /// - Parameter rampFrames: frames in which gains glide.
    package func write(
        _ output: OutputStage, _ paths: ScenePaths, rooms: RoomFields, scene: SceneSnapshot, rampFrames: Int
    ) {
        if groups.followTime(player.now) { player.host?.timeHasBegunAnew() }
        groups.update(
            sounding: soundingGroups(), at: player.now, ahead: Double(rampFrames) / output.sampleRate,
            unitsPerSecond: scene.unitsPerSecond)
        let writer = ChannelWriter(
            output, paths, rooms: rooms, scene: scene, position: player.executor.position, rampFrames: rampFrames)
        for event in player.events where event.stage == .playing || event.silentFrom != nil {
            let values = event.values(at: player.now)
            var audible: [Int: Bool] = [:]
            for (mixer, channel) in event.channels {
                audible[mixer] = writer.write(channel, scene.binding(event.parts.bindings[mixer]), values)
            }
            if event.stage == .playing {
                setLevels(of: event, values, distances: paths.distances(of: event, scene), audible: audible)
            }
        }
        limitVoices()
        settleChannels(output, writer, scene)
        writeVoices(output, rampFrames: rampFrames)
    }

    /// The groups that a voice is playing in: not waiting, paused, culled, finished, or virtual for want of room.
    private func soundingGroups() -> Set<String> {
        guard !groups.duckers.isEmpty else { return [] }
        var sounding: Set<String> = []
        for event in player.events where event.stage == .playing && !event.transport.isHalted {
            for voice in event.voices
            where voice.isPlaying && voice.begins <= player.executor.position && !voice.priority.isVirtual {
                if let group = voice.generator.group { sounding.insert(group) }
            }
        }
        return sounding
    }

    // MARK: Voices

    /// - Parameter audible: whether a mixer can be heard where it is.
    private func setLevels(
        of event: EventInstance, _ values: ParameterValues, distances: [Double], audible: [Int: Bool]
    ) {
        let gains = event.tree.gains(of: event.activations, parameters: values, distances: distances)
        for voice in event.voices where !voice.isOver {
            if voice.begins <= player.executor.position {
                cull(voice, event, isAudible: audible[voice.generator.mixer] ?? true)
            }
            voice.level = VoiceLevel(of: voice, treeGain: gains[voice.activation], values, groups: groups.levels)
        }
    }

    /// Once it is known who is to be heard.
    private func writeVoices(_ output: OutputStage, rampFrames: Int) {
        for event in player.events where event.stage == .playing {
            for voice in event.voices where !voice.isOver {
                let gain = voice.priority.isVirtual ? 0 : voice.level.gain
                voice.player.write(
                    output.playback(voice.sampleRate, rate: voice.level.speed, gain: gain, rampFrames: rampFrames))
            }
        }
    }

    /// Stops, or puts to sleep, a voice that is beyond its cull distance, and wakes it when it is back.
    private func cull(_ voice: Voice, _ event: EventInstance, isAudible: Bool) {
        // What is paused keeps its position, and must not be woken into playing.
        if event.transport.isHalted { return }
        switch (voice.state, isAudible) {
        case (.playing, false):
            switch voice.cull {
            case .doNotCull: return
            case .terminate:
                player.send(.stop, to: voice)
                voice.state = .terminated
                voice.culledAt = event.channels[voice.generator.mixer]?.level.path?.centreDistance
                return
            case .sleepWakeAtZero, .sleepWakeAtRandomOffset, .sleepWakeAtRealtimeOffset:
                player.send(.sleep(advancing: voice.sleepsInRealTime), to: voice)
            }
            voice.state = .asleep
        case (.asleep, true):
            voice.state = .playing
            wake(voice, event)
        default: break
        }
    }

    private func wake(_ voice: Voice, _ event: EventInstance) {
        voice.wakings += 1
        guard case .sound(let leaf, let sound) = voice.content else { return player.send(.wake, to: voice) }
        let frame: Int64
        switch leaf.cull {
        case .sleepWakeAtZero: frame = 0
        case .sleepWakeAtRandomOffset:
            let random = CounterRandom(seed: player.seed, object: event.parts.number &* 65_537 &+ UInt64(voice.node))
            frame = Int64(random.unit(voice.wakings) * Double(sound.frameCount))
        case .sleepWakeAtRealtimeOffset, .terminate, .doNotCull: return player.send(.wake, to: voice)
        }
        player.restart(voice, at: frame)
        player.send(.wakeAt(frame), to: voice)
    }
}

extension ScenePaths {
    /// Source to listener by mixer, in the client's units; not a number where there is no path.
    package func distances(of event: EventInstance, _ scene: SceneSnapshot) -> [Double] {
        event.parts.bindings.map { binding in
            guard case .spatial(let source, let listener) = binding, let path = heard(source, listener) else {
                return .nan
            }
            return path.direct.centreDistance * scene.unitsPerMeter
        }
    }
}

extension SceneSnapshot {
    /// Sources and listeners that have a path between them, each pair once.
    func pairs(of events: [EventInstance]) -> [ScenePaths.Pair] {
        var seen: Set<ScenePaths.Key> = []
        return events.flatMap(\.parts.bindings).compactMap { binding in
            guard case .spatial(let source, let listener) = self.binding(binding), source.isInScene, listener.isInScene,
                seen.insert(ScenePaths.Key(source: source.number, listener: listener.number)).inserted
            else { return nil }
            return ScenePaths.Pair(source: source, listener: listener)
        }
    }

    /// A mixer's source and listener. An object that is gone is not in the scene.
    func binding(_ binding: EventParts.Binding) -> ChannelWriter.Binding {
        func listener(_ number: UInt64) -> Listener {
            listeners[number] ?? Listener(number: number, head: Pose(), gain: 1, isInScene: false)
        }
        switch binding {
        case .spatial(let number, let other):
            let source = sources[number] ?? Source(number: number, pose: Pose(), gain: 1, meshes: [], isInScene: false)
            return .spatial(source, listener(other))
        case .ambient(let number): return .ambient(listener(number))
        case .channel: return .channel
        }
    }
}
