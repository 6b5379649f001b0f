import OssicleAcoustics
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
    /// Spatial mixers that have an HRTF of their own where the client names no number.
    package static let defaultFullVoiceLimit = 128

    let player: EventPlayer
    package let groups: GroupMix
    /// The client's; nil for the default.
    package var requestedVoiceLimit: Int?
    /// The default limit of voices was met, which is recorded once.
    package var hasRecordedVoiceLimit = false
    /// The client's number of spatial mixers with an HRTF of their own; nil for the default.
    package var requestedFullVoiceLimit: Int?
    /// Voices that want to be heard, while there is a limit; kept for its memory.
    @exclusivity(unchecked) var contenders: [Contender] = []
    /// Spatial mixers that want an HRTF of their own; kept for its memory.
    @exclusivity(unchecked) var tierContenders: [TierContender] = []
    /// Not all have one.
    var hasTiers = false
    /// Events that updates pass over.
    var idleCount = 0
    /// A voice is to become virtual, or to be heard again.
    private(set) var hasVoiceCommands = false
    private var conditions = ChannelConditions()

    package init(_ player: EventPlayer, _ groups: GroupMix) {
        self.player = player
        self.groups = groups
    }

    package var voiceLimit: Int { requestedVoiceLimit ?? Self.defaultVoiceLimit }
    package var fullVoiceLimit: Int { requestedFullVoiceLimit ?? Self.defaultFullVoiceLimit }

    /// - Parameter rampFrames: frames in which gains glide.
    package func write(
        _ output: OutputStage, _ paths: ScenePaths, rooms: RoomFields, scene: SceneSnapshot, rampFrames: Int
    ) {
        if groups.followTime(player.now) { player.host?.timeHasBegunAnew() }
        groups.update(
            sounding: soundingGroups(), at: player.now, ahead: Double(rampFrames) / output.sampleRate,
            unitsPerSecond: scene.unitsPerSecond)
        let position = player.executor.position
        let writer = ChannelWriter(
            output, paths, rooms: rooms, scene: scene, conditions: conditions.update(output, scene),
            position: position, rampFrames: rampFrames)
        var pass = LevelPass(
            output, paths, scene, rampFrames: rampFrames, position: position,
            isLimited: requestedVoiceLimit != nil || player.voiceCount > voiceLimit || idleCount > 0)
        contenders.removeAll(keepingCapacity: true)
        let now = player.now
        player.events.forEachAhead({ $0.prefetchChannels($1) }) { event in
            guard event.stage == .playing || event.silentFrom != nil else { return }
            if passOver(event, paths, isLimited: pass.isLimited) { return }
            event.evaluate(at: now)
            event.channels.forEachUncounted { mixer, channel in
                writer.write(channel, event.parts.bindings[mixer], event)
                if channel.isVirtual || channel.inaudibleSince != nil { pass.settles = true }
            }
            if event.stage == .playing { setLevels(of: event, &pass) }
        }
        if pass.isLimited { limitVoices() }
        if pass.settles { settleChannels(output, writer) }
        idleCount = 0
        if pass.isLimited { writeVoices(&pass) }
        paths.skipsUnattended = pass.isLimited
        if chooseTiers(output) { player.hasChangedPlan = true }
        hasVoiceCommands = pass.hasVoiceCommands
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

    /// What the tree makes of its leaves.
    private func findGains(of event: EventInstance, _ paths: ScenePaths, _ scene: SceneSnapshot) {
        guard event.isBlended else { return }
        let distances = event.tree.isBlendedByDistance ? paths.distances(of: event, scene) : []
        event.tree.findGains(parameters: event.currentValues, distances: distances, into: &event.treeGains)
    }

    private func setLevels(of event: EventInstance, _ pass: inout LevelPass) {
        findGains(of: event, pass.paths, pass.scene)
        let isBlended = event.isBlended
        let (version, groupsVersion, isHalted) = (event.valuesVersion, groups.version, event.transport.isHalted)
        event.voices.forEachUncounted { voice in
            if !voice.isOver {
                if voice.begins <= pass.position { cull(voice, event) }
                let inputs = VoiceLevel.Inputs(
                    treeGain: isBlended ? event.treeGains[voice.node] : 1, values: version, groups: groupsVersion)
                voice.setLevel(inputs, of: event, groups)
            }
            // All are heard, or those that are not are found below.
            if voice.priority.isVirtual { voice.priority.isVirtual = false }
            if !voice.isPlaying || isHalted {
                // Paused, culled or over: its player has been sent other commands since.
                voice.priority.sentVirtual = false
            } else if pass.isLimited, voice.begins < pass.nextUpdate {
                contend(voice, event, pass.paths)
            }
            if !pass.isLimited { write(voice, event, &pass) }
        }
    }

    /// Once it is known who is to be heard.
    private func writeVoices(_ pass: inout LevelPass) {
        for event in player.events where event.stage == .playing || event.silentFrom != nil {
            if event.idle != nil {
                idleCount += 1
                continue
            }
            if event.stage == .playing { for voice in event.voices { write(voice, event, &pass) } }
            settleIdle(event, pass.paths)
        }
    }

    private func write(_ voice: Voice, _ event: EventInstance, _ pass: inout LevelPass) {
        let isVirtual = voice.priority.isVirtual
        if isVirtual != voice.priority.sentVirtual { pass.hasVoiceCommands = true }
        if voice.isOver { return }
        let isRendered =
            !isVirtual && voice.isPlaying && !event.transport.isHalted && voice.begins <= pass.position
        if let new = voice.sent.update(
            gain: isVirtual ? 0 : voice.gain, speed: voice.speed, of: voice, pass.output,
            rampFrames: pass.rampFrames, isRendered: isRendered, at: pass.position)
        {
            voice.control.cell.write(new)
        }
    }

    /// Stops, or puts to sleep, a voice that is beyond its cull distance, and wakes it when it is back.
    private func cull(_ voice: Voice, _ event: EventInstance) {
        // What is never culled never sleeps. What is paused keeps its position, and must not be woken into playing.
        if voice.culling.rule == .doNotCull || event.transport.isHalted { return }
        let isAudible = event.channels[voice.generator.mixer]?.isAudible ?? true
        switch (voice.state, isAudible) {
        case (.playing, false):
            switch voice.culling.rule {
            case .doNotCull: return
            case .terminate:
                player.send(.stop, to: voice)
                voice.state = .terminated
                voice.culling.distance = event.channels[voice.generator.mixer]?.level.path?.centreDistance
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
        voice.culling.wakings += 1
        guard case .sound(let leaf, let sound) = voice.content else { return player.send(.wake, to: voice) }
        let frame: Int64
        switch leaf.cull {
        case .sleepWakeAtZero: frame = 0
        case .sleepWakeAtRandomOffset:
            let random = CounterRandom(seed: player.seed, object: event.parts.number &* 65_537 &+ UInt64(voice.node))
            frame = Int64(random.unit(voice.culling.wakings) * Double(sound.frameCount))
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
        var pairs: [ScenePaths.Pair] = []
        for event in events {
            for case .spatial(let number, let other) in event.parts.bindings {
                guard let source = source(number), let listener = listener(other), source.isInScene,
                    listener.isInScene, seen.insert(ScenePaths.Key(source: number, listener: other)).inserted
                else { continue }
                pairs.append(ScenePaths.Pair(source: source, listener: listener))
            }
        }
        return pairs
    }
}

extension SceneSnapshot.Listener {
    /// One that is gone is not in the scene.
    static func gone(_ number: UInt64) -> Self { Self(number: number, head: Pose(), gain: 1, isInScene: false) }
}

/// What one pass over the events goes by, and what it has found.
private struct LevelPass {
    let output: OutputStage
    let paths: ScenePaths
    let scene: SceneSnapshot
    let rampFrames: Int
    let position: Int64
    /// More voices may want to be heard than there is room for.
    let isLimited: Bool
    /// A channel is virtual, or may become so.
    var settles: Bool
    var hasVoiceCommands = false

    init(
        _ output: OutputStage, _ paths: ScenePaths, _ scene: SceneSnapshot, rampFrames: Int, position: Int64,
        isLimited: Bool
    ) {
        self.output = output
        self.paths = paths
        self.scene = scene
        self.rampFrames = rampFrames
        self.position = position
        self.isLimited = isLimited
        settles = isLimited
    }

    /// A voice that waits for its time beyond that takes no room.
    var nextUpdate: Int64 { position + EventPlayer.updateInterval }
}

/// What all channels have in common, by a number that changes with it.
private struct ChannelConditions {
    private var version: UInt64 = 0
    /// By its number: a weak reference would slow down every other one.
    private var output = 0
    private var room: UInt32?
    private var medium: Medium?
    private var unitsPerMeter = 1.0

    mutating func update(_ output: OutputStage, _ scene: SceneSnapshot) -> UInt64 {
        let air = scene.absorbs ? scene.medium : nil
        if self.output != output.number || room != output.earlyRoom?.version || medium != air
            || unitsPerMeter != scene.unitsPerMeter
        {
            version &+= 1
            (self.output, room, medium, unitsPerMeter) = (
                output.number, output.earlyRoom?.version, air, scene.unitsPerMeter
            )
        }
        return version
    }
}
