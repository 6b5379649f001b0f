import OssicleCore
import OssicleRender

/// Who is heard when more voices want to be than there is room for.
///
/// First those of higher priority, then the louder at the listener (in steps of 3 dB, each left only when it is missed by more than a step), then the
/// newer. What is too quiet to be heard at all stands behind everything else. The others sleep as one does that was culled
/// with `.sleepWakeAtRealtimeOffset`: their place moves on, one-shots end in time, and nothing is rendered.
extension EngineCore {
    private struct Contender {
        let voice: Voice
        let event: EventInstance

        func stands(before other: Contender) -> Bool {
            let (step, otherStep) = (voice.standing.step, other.voice.standing.step)
            if (step == nil) != (otherStep == nil) { return step != nil }
            let (priority, otherPriority) = (voice.generator.priority, other.voice.generator.priority)
            if priority != otherPriority { return priority > otherPriority }
            if let step, let otherStep, step != otherStep { return step > otherStep }
            if event.number != other.event.number { return event.number > other.event.number }
            return voice.node < other.voice.node
        }
    }

    /// Decides; levels have been set. `carryOutVoiceLimit` tells the players.
    func limitVoices() {
        var contenders: [Contender] = []
        let isLimited = maximumVoiceCount != nil || voiceCount > voiceLimit
        for event in events where event.stage == .playing {
            for voice in event.voices {
                voice.standing.isUnheard = false
                if voice.isPlaying && !event.isHalted {
                    guard isLimited, mayBegin(voice) else { continue }
                    voice.standing.note(gain: voice.level.gain * (event.strips[voice.generator.mixer]?.estimatedGain ?? 0))
                    contenders.append(Contender(voice: voice, event: event))
                } else {
                    // Paused, culled or over: its player has been told other things since.
                    voice.standing.wasTold = false
                }
            }
        }
        guard contenders.count > voiceLimit else { return }
        if maximumVoiceCount == nil { recordVoiceLimit(contenders.count) }
        contenders.sort { $0.stands(before: $1) }
        for contender in contenders.dropFirst(voiceLimit) { contender.voice.standing.isUnheard = true }
    }

    /// Whether it plays before there is another update. One that waits for its time takes nobody's place.
    private func mayBegin(_ voice: Voice) -> Bool { voice.begins < executor.position + Self.updateInterval }

    private func recordVoiceLimit(_ count: Int) {
        if hasRecordedVoiceLimit { return }
        hasRecordedVoiceLimit = true
        record(PHASESoundEventError(.apiMisuse, object: "The engine", value: "\(count) voices want to be heard at once",
                                    rule: "By default \(voiceLimit) are heard; the others go on unheard until there is room.",
                                    cure: "End events that are not needed, give generators a priority, or set maximumVoiceCount."))
    }

    /// After new voices were started: one without room begins unheard.
    func carryOutVoiceLimit() {
        for event in events where event.stage == .playing {
            for voice in event.voices where voice.standing.isUnheard != voice.standing.wasTold {
                send(voice.standing.isUnheard ? .sleep(advancing: true) : .wake, to: voice)
                voice.standing.wasTold = voice.standing.isUnheard
            }
        }
    }
}

extension MixerStrip {
    /// How loud something of level 1 gets through, by the loudest of its octave bands and of the ways it takes.
    var estimatedGain: Double {
        let level = self.level
        guard blueprint.isSpatial else { return level.mixer * level.listener }
        guard let path = level.path else { return 0 }
        let bands = path.bandGains * level.air * level.sourceDirectivity * level.listenerDirectivity
        let direct = (level.direct ?? 0) * level.distance * Double(bands.values.max() ?? 0)
        return level.mixer * level.source * level.listener * level.cull * max(direct, level.early ?? 0, level.late ?? 0)
    }
}
