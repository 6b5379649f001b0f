import OssicleCore
import OssicleRender

/// Which voices are heard when more want to be than there is room for.
///
/// First those of higher priority, then the louder at the listener (in steps of 3 dB, each left only when it is missed
/// by more than a step), then the newer. What is too quiet to be heard at all comes last. The others are virtual, as a
/// voice that was culled with `.sleepWakeAtRealtimeOffset`: their position moves on, one-shots end in time, and nothing
/// is rendered.
extension LevelWriter {
    /// A voice whose level has been set wants to be heard.
    func contend(_ voice: Voice, _ event: EventInstance, _ paths: ScenePaths) {
        let channel = event.channels[voice.generator.mixer]
        voice.priority.update(gain: voice.gain * (channel?.estimatedGain ?? 0))
        var isStale = false
        if let channel, channel.isVirtual, let place = channel.pathPlace(paths) { isStale = !paths.isFresh(place) }
        contenders.append(Contender(voice, of: event, isStale: isStale))
    }

    /// Decides. `carryOutVoiceLimit` sends it to the players.
    func limitVoices() {
        if contenders.count > voiceLimit {
            if requestedVoiceLimit == nil { recordVoiceLimit(contenders.count) }
            contenders.moveForward(highest: voiceLimit)
        }
        let heard = min(max(voiceLimit, 0), contenders.count)
        for place in heard..<contenders.count where !contenders[place].isIdle {
            contenders[place].voice.priority.isVirtual = true
        }
        // There is room for these, but not at a place and level that are not those of now.
        for place in 0..<heard where contenders[place].isStale {
            contenders[place].voice.priority.isVirtual = true
            contenders[place].voice.priority.waits = true
            contenders[place].event.idle = nil
        }
    }

    private func recordVoiceLimit(_ count: Int) {
        if hasRecordedVoiceLimit { return }
        hasRecordedVoiceLimit = true
        player.host?.record(
            SpatialError(
                .misuse, object: "The engine", found: "\(count) voices want to be heard at once",
                rule: "By default \(voiceLimit) are heard; the others are virtual until there is room.",
                cure: "End events that are not needed, give generators a priority, or set maximumVoiceCount."))
    }

    /// After new voices were started: one without room begins virtual.
    package func carryOutVoiceLimit() {
        guard hasVoiceCommands else { return }
        for event in player.events where event.stage == .playing && event.idle == nil {
            for voice in event.voices where voice.priority.isVirtual != voice.priority.sentVirtual {
                player.send(voice.priority.isVirtual ? .sleep(advancing: true) : .wake, to: voice)
                voice.priority.sentVirtual = voice.priority.isVirtual
            }
        }
    }

    // MARK: Virtual channels

    /// Channels that only virtual voices play into are virtual, too: without delay lines, filters and renderers. Gives
    /// renderers to those that are heard, and takes them from those that have not been for as long as their tail.
    ///
    ///     more voices than room ─▶ begins virtual ─▶ a voice of it is heard: gets its renderer ─▶ all virtual, tail finished: virtual again
    ///
    /// As long as there is room for all voices, no channel is ever virtual.
    func settleChannels(_ output: OutputStage, _ writer: ChannelWriter) {
        let position = player.executor.position
        // Within a few updates, so that a renderer is in place when its voice begins.
        let soon = position + 4 * EventPlayer.updateInterval
        for event in player.events
        where event.stage == .playing && event.idle == nil && !event.transport.isHalted {
            for entry in event.channels.all {
                let (mixer, channel) = (entry.mixer, entry.channel)
                let isHeard = isHeard(mixer, of: event)
                if isHeard && !channel.isVirtual && channel.inaudibleSince == nil { continue }
                let voices = event.voices.lazy.filter { $0.generator.mixer == mixer }
                let isTapped = event.parts.outlets[mixer]?.isUsed ?? false
                if channel.isVirtual {
                    guard
                        isTapped
                            || voices.contains(where: { $0.isPlaying && !$0.priority.isVirtual && $0.begins < soon })
                    else { continue }
                    let new = output.makeChannel(channel.blueprint, isVirtual: false)
                    replace(channel, by: new, mixer, of: event)
                    event.evaluate(at: player.now)
                    writer.write(new, event.parts.bindings[mixer], event)
                } else if !isTapped && voices.contains(where: { !$0.isOver })
                    && voices.allSatisfy({ $0.isOver || ($0.priority.isVirtual && $0.priority.sentVirtual) })
                {
                    let since = channel.inaudibleSince ?? position
                    channel.inaudibleSince = since
                    guard position > since + channel.tail + Int64(4 * Grid.quantum) else { continue }
                    let new = output.makeChannel(channel.blueprint, isVirtual: true)
                    if new.isVirtual { replace(channel, by: new, mixer, of: event) }
                } else {
                    channel.inaudibleSince = nil
                }
            }
        }
    }

    /// Whether a voice plays into a mixer that is not virtual.
    private func isHeard(_ mixer: Int, of event: EventInstance) -> Bool {
        for voice in event.voices where voice.generator.mixer == mixer && !voice.isOver {
            if !voice.priority.isVirtual || !voice.priority.sentVirtual { return true }
        }
        return false
    }

    private func replace(_ old: MixerChannel, by new: MixerChannel, _ mixer: Int, of event: EventInstance) {
        new.level = old.level
        event.channels[mixer] = new
        // The plan in place may read it until the next one is.
        player.executor.release(old)
        player.hasChangedPlan = true
    }
}

extension MixerChannel {
    /// How loud something of level 1 gets through, by the loudest of its octave bands and of its paths.
    var estimatedGain: Double {
        if laws.distance == nil && !blueprint.isSpatial { return level.mixer * level.listener }
        guard let bandGains = level.path?.bandGains else { return 0 }
        let bands = bandGains * level.air * level.sourceDirectivity * level.listenerDirectivity
        var loudest = bands[0]
        for band in 1..<OctaveBands.count where bands[band] > loudest { loudest = bands[band] }
        let direct = (level.direct ?? 0) * level.distance * Double(loudest)
        return level.mixer * level.source * level.listener * level.cull * max(direct, level.early ?? 0, level.late ?? 0)
    }
}
