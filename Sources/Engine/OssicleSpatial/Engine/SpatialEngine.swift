import OssicleAcoustics
import OssicleCore
import OssicleDSP
import OssiclePlayback
import OssicleRender
import OssicleSoundEvents

/// The control side of a spatial-audio engine: sound events, their levels, the paths and rooms of the scene. Under the
/// engine's lock, which the render thread never takes.
///
/// A client's calls change values and raise a flag. An update turns the values into plans, parameters and commands, and
/// sends those across the real-time line.
package final class SpatialEngine {
    /// Frames by which updates and blocks are out of step with each other at a device.
    private static let deviceSlack = 1024

    package let player: EventPlayer
    package let levels: LevelWriter
    package let paths = ScenePaths()
    package let rooms = RoomFields()
    /// As of the last update in which anything had changed.
    package private(set) var scene = SceneSnapshot()
    /// Version of the events that it was made for.
    private var scenesEvents: UInt64 = 0
    // What has changed since the last update.
    package private(set) var needsUpdate = true
    /// An obstacle has changed, or the tree of objects.
    private var sceneIsStale = true
    package let plans: PlanBuilder
    /// Where the sound goes; nil before the first start.
    package var output: OutputStage? {
        didSet { player.sampleRate = output?.sampleRate ?? 48_000 }
    }
    private(set) weak var source: (any SceneSource)?
    /// Whether engine time is rendered time.
    package var isManual = false

    /// - Parameter presumedFormat: of taps, before the output's is known.
    package init(_ session: RenderSession, presumedFormat: any TapFormat) {
        plans = PlanBuilder(session, presumedFormat: presumedFormat)
        player = EventPlayer(executor: session.executor, clock: session.clock)
        levels = LevelWriter(player, GroupMix())
    }

    package func serve(_ host: any SpatialHost, _ source: any SceneSource) {
        player.host = host
        plans.host = host
        self.source = source
    }

    // MARK: Changes

    package func valuesChanged() { needsUpdate = true }

    package func sceneChanged() {
        sceneIsStale = true
        needsUpdate = true
    }

    /// A plan is due with the next update.
    package func planChanged() {
        player.hasChangedPlan = true
        needsUpdate = true
    }

    // MARK: Updating

    /// What an update goes by besides the scene.
    package struct Conditions {
        /// The reverb preset's room; nil for none.
        let preset: ReverbPreset?
        /// A measured room in the preset's place.
        let response: MeasuredRoom?
        /// Whether reflections and reverberation come from the scene's geometry.
        let usesGeometry: Bool
        /// Whether updates follow each other at `EventPlayer.updateInterval` of rendered time.
        let isPeriodic: Bool
        /// Whether the client waits for what is rendered: there is no budget of time, and files are read at once.
        let isOffline: Bool

        package init(
            preset: ReverbPreset?, response: MeasuredRoom?, usesGeometry: Bool, isPeriodic: Bool, isOffline: Bool
        ) {
            self.preset = preset
            self.response = response
            self.usesGeometry = usesGeometry
            self.isPeriodic = isPeriodic
            self.isOffline = isOffline
        }
    }

    /// No effect without an output.
    package func update(_ conditions: Conditions) {
        guard let output else { return }
        let position = player.executor.position
        player.executor.collect()
        plans.applyHRTF(to: output, player.events, at: position)
        player.endFinished()
        player.carryOutCalls()
        let hasBegun = player.beginWaiting(output, room: levels.voiceLimit)
        player.scheduleSequences(output, groups: levels.groups.levels, room: levels.voiceLimit)
        let gone = player.dropSilent(at: position)
        let rampFrames = min(max(Int(position - player.lastUpdate), Grid.quantum), 4096)
        tracePaths(output, conditions, hasBegun: hasBegun, rampFrames: rampFrames, at: position)
        let room = rooms.update(
            paths,
            RoomFields.Conditions(
                preset: conditions.preset, response: conditions.response, usesGeometry: conditions.usesGeometry,
                isOffline: conditions.isOffline, seed: player.seed, sampleRate: output.sampleRate),
            at: position)
        plans.prepare(
            output, player.events, room: room, rooms, usesGeometry: conditions.usesGeometry, at: position)
        levels.write(output, paths, rooms: rooms, scene: scene, rampFrames: rampFrames)
        plans.install(player.events, on: output, player.executor, isDue: player.hasChangedPlan)
        player.hasChangedPlan = false
        levels.carryOutVoiceLimit()
        // Players may read an event's memory until the plan without them is in place.
        for event in gone { player.executor.release(event) }
        player.feedStreams(now: conditions.isOffline)
        player.lastUpdate = position
        needsUpdate = false
        sceneIsStale = false
    }

    private func tracePaths(
        _ output: OutputStage, _ conditions: Conditions, hasBegun: Bool, rampFrames: Int, at position: Int64
    ) {
        if needsUpdate || hasBegun { takeScene() }
        if sceneIsStale { rooms.setZones(source?.zones() ?? []) }
        // Offline in automatic mode the next update is known; otherwise it is expected to take as long to come as this
        // one.
        let interval = EventPlayer.updateInterval
        let ahead = conditions.isPeriodic ? max(Int(interval - position % interval), Grid.quantum) : rampFrames
        let slack = isManual ? 0 : Self.deviceSlack
        let moment = ScenePaths.Moment(
            position: position, ahead: ahead + slack, sampleRate: output.sampleRate, stepFrames: rampFrames,
            slack: slack, medium: scene.medium, delays: scene.delays)
        let request = ScenePaths.Request(
            isStale: needsUpdate || hasBegun, sceneIsStale: sceneIsStale,
            quality: conditions.usesGeometry ? rooms.budget.quality : nil, seed: player.seed)
        paths.trace(request, at: moment, candidates: rooms.candidates, occluders: { source?.occluders() ?? [] })
    }

    /// All of the scene where events or the tree of objects have changed, otherwise what has moved.
    private func takeScene() {
        guard let source else { return scene = SceneSnapshot() }
        if sceneIsStale || player.eventsVersion != scenesEvents {
            scenesEvents = player.eventsVersion
            scene = source.scene(of: player.events)
            paths.arrange(scene.pairs(of: player.events))
        } else {
            source.follow(&scene)
            paths.move(scene)
        }
    }

    // MARK: Halting

    /// Nothing rings on after a stop: the next start begins in silence.
    package func forgetEnded() {
        player.forgetEnded()
        plans.halt()
        levels.hasRecordedVoiceLimit = false
    }

    /// The engine is going away.
    package func forgetAll() {
        levels.groups.forget()
        player.forgetAll()
        scene = SceneSnapshot()
        paths.forget()
        rooms.forget()
    }
}

/// Where the engine takes the scene from. Under the engine's lock.
package protocol SceneSource: AnyObject {
    /// The objects that events are bound to, as they are now.
    func snapshot(of events: [EventInstance]) -> SceneSnapshot
    /// The same, to be followed from now on.
    func scene(of events: [EventInstance]) -> SceneSnapshot
    /// Brings the scene to be followed up to date with what has moved since the last time.
    func follow(_ scene: inout SceneSnapshot)
    /// In order of their numbers.
    func occluders() -> [Occluder]
    func zones() -> [SceneSnapshot.Zone]
    /// What the client has called an object; nil if it has no name.
    func name(of object: UInt64) -> String?
}
