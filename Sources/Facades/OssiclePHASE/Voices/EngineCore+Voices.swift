import OssicleCore
import OssicleRender
import OssicleSoundEvents

/// Level, speed and culling of the voices, evaluated at every update.
extension EngineCore {
    /// - Parameter audible: whether a mixer can be heard where it is.
    func setLevels(of event: EventInstance, _ values: ParameterValues, _ audible: [Int: Bool]) {
        let gains = event.tree.gains(of: event.activations, parameters: values, distances: distances(of: event))
        for voice in event.voices where !voice.isOver {
            if voice.begins <= executor.position { cull(voice, event, isAudible: audible[voice.generator.mixer] ?? true) }
            voice.level = level(of: voice, treeGain: gains[voice.activation], values, groupMix.levels)
        }
    }

    func level(of voice: Voice, treeGain: Double, _ values: ParameterValues, _ groups: [String: GroupLevel]) -> VoiceLevel {
        var level = VoiceLevel()
        level.tree = treeGain
        level.generator = voice.generator.gain(values)
        if case .sound(_, let sound) = voice.content { level.normalisation = sound.normalisation }
        level.group = voice.generator.group.flatMap { groups[$0] } ?? GroupLevel()
        level.rate = voice.generator.rate(values)
        return level
    }

    /// Tells the players, once it is known who is to be heard.
    func writeVoices(_ output: OutputStage, rampFrames: Int) {
        for event in events where event.stage == .playing {
            for voice in event.voices where !voice.isOver {
                let gain = voice.standing.isUnheard ? 0 : voice.level.gain
                voice.player.write(output.playback(voice.sampleRate, rate: voice.level.speed, gain: gain, rampFrames: rampFrames))
            }
        }
    }

    // MARK: Culling

    /// Stops, or puts to sleep, a voice that is beyond its cull distance, and wakes it when it is back.
    private func cull(_ voice: Voice, _ event: EventInstance, isAudible: Bool) {
        // What is paused keeps its place, and must not be woken into playing.
        if event.isHalted { return }
        switch (voice.state, isAudible) {
        case (.playing, false):
            switch voice.cull {
            case .doNotCull: return
            case .terminate:
                send(.stop, to: voice)
                voice.state = .terminated
                voice.culledAt = event.strips[voice.generator.mixer]?.level.path?.centreDistance
                return
            case .sleepWakeAtZero, .sleepWakeAtRandomOffset, .sleepWakeAtRealtimeOffset:
                send(.sleep(advancing: voice.sleepsInRealTime), to: voice)
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
        guard case .sound(let leaf, let sound) = voice.content else { return send(.wake, to: voice) }
        let frame: Int64
        switch leaf.cull {
        case .sleepWakeAtZero: frame = 0
        case .sleepWakeAtRandomOffset:
            let random = CounterRandom(seed: seed, object: event.number &* 65_537 &+ UInt64(voice.node))
            frame = Int64(random.unit(voice.wakings) * Double(sound.frameCount))
        case .sleepWakeAtRealtimeOffset, .terminate, .doNotCull: return send(.wake, to: voice)
        }
        restart(voice, at: frame)
        send(.wakeAt(frame), to: voice)
    }
}
