import OssicleCore

/// Strips that only unheard voices play into: virtual ones, without delay lines, filters and renderers.
///
///     more voices than room ─▶ begins virtual ─▶ a voice of it is heard: gets its renderer ─▶ all unheard, tail finished: virtual again
///
/// As long as there is room for all voices, no strip is ever virtual.
extension EngineCore {
    /// Of the client, or the default.
    var voiceLimit: Int { maximumVoiceCount ?? Self.defaultVoiceLimit }

    /// Voices that are heard at once where the client names no limit.
    static let defaultVoiceLimit = 512

    /// Whether another voice finds no room, unless it is preferred to one that is heard.
    var isCrowded: Bool { voiceCount >= voiceLimit }

    func countVoices() {
        voiceCount = events.reduce(0) { count, event in event.voices.reduce(count) { $0 + ($1.isOver ? 0 : 1) } }
    }

    /// Gives renderers to the strips that are heard, and takes them from those that have not been for as long as they ring.
    func settleStrips(_ output: OutputStage, rampFrames: Int) {
        for event in events where event.stage == .playing && !event.isHalted {
            for (mixer, strip) in event.strips.sorted(by: { $0.key < $1.key }) {
                let voices = event.voices.lazy.filter { $0.generator.mixer == mixer }
                let isListenedTo = event.facade(of: mixer)?.hasOutlets ?? false
                if strip.isVirtual {
                    guard isListenedTo || voices.contains(where: { $0.isPlaying && !$0.standing.isUnheard && beginsSoon($0) }) else { continue }
                    let new = output.makeStrip(strip.blueprint)
                    replace(strip, by: new, mixer, of: event)
                    _ = write(new, event.bindings[mixer], event.values(at: now), output, rampFrames)
                } else if !isListenedTo && voices.contains(where: { !$0.isOver })
                            && voices.allSatisfy({ $0.isOver || ($0.standing.isUnheard && $0.standing.wasTold) }) {
                    let since = strip.unheardSince ?? executor.position
                    strip.unheardSince = since
                    guard executor.position > since + strip.tail + Int64(4 * Grid.quantum) else { continue }
                    let new = output.makeStrip(strip.blueprint, isVirtual: true)
                    if new.isVirtual { replace(strip, by: new, mixer, of: event) }
                } else {
                    strip.unheardSince = nil
                }
            }
        }
    }

    /// Within a few updates, so that its renderer is in place when it begins.
    private func beginsSoon(_ voice: Voice) -> Bool { voice.begins < executor.position + 4 * Self.updateInterval }

    private func replace(_ old: MixerStrip, by new: MixerStrip, _ mixer: Int, of event: EventInstance) {
        new.level = old.level
        event.strips[mixer] = new
        // The plan in place may read it until the next one is.
        executor.release(old)
        planIsStale = true
    }
}

extension PHASEMixer {
    /// Whether a client taps it, or has put effects into it.
    fileprivate var hasOutlets: Bool { !inserts.units.isEmpty || !taps.taps.isEmpty }
}
