import OssicleAcoustics
import OssicleCore
import OssicleRender
import OssicleSoundEvents

/// One voice at a glance, as of the last update. `SpatialEngine.explain` puts an event into words; this is made for all
/// voices many times a second.
package struct VoiceSummary {
    package let voice: Voice
    package let event: EventInstance
    package let state: String
    /// Seconds into its sound.
    package let position: Double
    package let source, listener: UInt64?
    /// Linear, at 1 kHz: the product of the gain chain, and what is sent to reflections and reverb. The latter are nil
    /// where the pipeline does not have them.
    package let direct: Double
    package let early, late: Double?
    /// Metres; nil without a path.
    package let distance, cullDistance: Double?
    package let tier: TierExplanation
    /// Of the source.
    package let directivity: Directivity?

    package var node: String { event.tree.nodes[voice.node].identifier }
    package var group: String? { voice.generator.group }
}

extension SpatialEngine {
    /// Of all events that play, one voice after the other. Under the engine's lock; changes nothing.
    package func forEachVoiceSummary(_ body: (VoiceSummary) -> Void) {
        let position = player.executor.position
        for event in player.events where event.stage == .playing {
            for voice in event.voices where !voice.isOver { body(summary(of: voice, event, at: position)) }
        }
    }

    private func summary(of voice: Voice, _ event: EventInstance, at position: Int64) -> VoiceSummary {
        let mixer = event.tree.mixers[voice.generator.mixer]
        let channel = event.channels[voice.generator.mixer]
        let level = channel?.level ?? ChannelLevel()
        let binding = event.parts.bindings[voice.generator.mixer]
        var spatial: MixerBlueprint.Spatial?
        if case .spatial(let settings) = mixer.kind { spatial = settings }
        let own = voice.priority.isVirtual ? 0 : voice.gain
        let common = own * level.mixer * level.listener * level.source * level.cull
        var source: UInt64?
        if case .spatial(let number, _) = binding { source = number }
        let path = level.path
        let onTheWay =
            Double(level.air[5]) * Double(level.sourceDirectivity[5]) * Double(level.listenerDirectivity[5])
            * Double(path?.bandGains[5] ?? 0)
        let toRoom = Double(channel?.laws.source.meanPower[5] ?? 1).squareRoot()
        let isReceived = spatial == nil || path != nil
        return VoiceSummary(
            voice: voice, event: event, state: event.state(of: voice, at: position),
            position: Double(voice.player.status.pointee.position.load()) / voice.sampleRate, source: source,
            listener: binding.listener,
            direct: spatial == nil ? common : common * (level.direct ?? 0) * level.distance * onTheWay,
            early: level.early.map { isReceived ? common * $0 : 0 },
            late: level.late.map { isReceived ? common * $0 * toRoom : 0 }, distance: path?.centreDistance,
            cullDistance: spatial?.distance?.cullDistance.map { $0 / scene.unitsPerMeter },
            tier: tier(of: voice, channel), directivity: spatial?.sourceDirectivity == nil ? nil : channel?.laws.source)
    }

    /// How the direct sound of a voice is rendered.
    func tier(of voice: Voice, _ channel: MixerChannel?) -> TierExplanation {
        guard let channel, channel.blueprint.isSpatial else { return .none }
        if voice.priority.isVirtual { return .virtual(limit: levels.voiceLimit) }
        let limit = levels.fullVoiceLimit
        return channel.tier == .bus ? .bus(limit: limit) : .full(limit: levels.hasTiers ? limit : nil)
    }
}

extension EventInstance {
    /// In words.
    /// - Parameter position: of the engine, in frames.
    func state(of voice: Voice, at position: Int64) -> String {
        switch voice.state {
        case .playing where voice.begins > position: "waiting"
        case .playing: transport.isHalted ? "paused" : voice.priority.isVirtual ? "playing unheard" : "playing"
        case .asleep: "culled, asleep"
        case .finished: "finished"
        case .terminated: voice.culling.distance == nil ? "stopped" : "culled, over"
        }
    }
}

extension Voice {
    /// What it plays.
    package var soundName: String {
        switch content {
        case .sound(let leaf, _): leaf.asset
        case .stream(let leaf): leaf.direction == .push ? "push stream" : "pull stream"
        }
    }
}
