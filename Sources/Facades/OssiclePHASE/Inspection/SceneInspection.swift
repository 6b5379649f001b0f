import OssicleAVFAudio
import OssicleAcoustics
import OssicleCore
import OssicleInspection
import OssiclePlayback
import OssicleSpatial

/// One engine as its inspector sees it. The variables are under the engine's lock.
final class SceneInspection: @unchecked Sendable {
    let inspector: any EngineInspector
    private(set) weak var control: EngineControl?
    var silencing = Silencing<UInt64>()
    private var numbers = LiveNumbers()
    private var load = LoadReader()
    private let sound = SoundHistory()
    private var tap: Tap?
    /// Directivities as curves, by source.
    private var curves: [UInt64: (law: Directivity, curve: PackedNumbers)] = [:]

    private var peaks = HeldPeaks()
    /// Rays as they are drawn, and of which simulations they are.
    private var rays: (samples: [RaySample.Identity], numbers: PackedNumbers) = ([], PackedNumbers([]))

    /// The most rays that are drawn, and the most surfaces that each of them is followed to.
    private static let (rayLimit, bounceLimit) = (64, 4)
    /// The most paths that are sent; quieter ones are counted.
    static let pathLimit = 4096

    init(_ control: EngineControl, inspector: any EngineInspector) {
        self.control = control
        self.inspector = inspector
    }

    func begin() { inspector.begin(self) }

    /// Whatever was muted sounds again.
    func end() {
        inspector.end(self)
        setWatched(false)
        guard let control else { return }
        let sources: [PHASESource] = control.locked {
            silencing.clear()
            return control.objects.objectsInScene()
        }
        silence(sources)
    }

    /// A voice that was in the last snapshot, by its number. Under the engine's lock.
    func voice(_ number: UInt64) -> (voice: Voice, event: EventInstance)? {
        guard let control else { return nil }
        for event in control.spatial.player.events where event.stage == .playing {
            for voice in event.voices where numbers.number(of: voice) == number { return (voice, event) }
        }
        return nil
    }
}

extension SceneInspection: InspectedEngine {
    func setWatched(_ isWatched: Bool) {
        guard let control else { return }
        control.locked {
            guard isWatched != (tap != nil) else { return }
            control.outlets.metersVoices = isWatched
            if let tap {
                self.tap = nil
                control.outlets.end(control.outlets.taps.remove { $0 === tap })
                sound.forget()
            } else {
                let new = Tap(control.outlets, bufferSize: 512) { [sound] buffer, time in
                    guard let buffer = buffer as? AVAudioPCMBuffer, let planes = buffer.floatChannelData else { return }
                    let frames = Int(buffer.frameLength)
                    sound.append(
                        planes, channels: Int(buffer.format.channelCount), frames: frames,
                        end: time.frame + Int64(frames), sampleRate: time.sampleRate)
                }
                tap = new
                control.outlets.taps.add(new)
            }
            control.planChanged()
        }
    }

    func takeSound() -> InspectedSound { sound.sound }

    func snapshot(_ extent: SnapshotExtent) -> EngineSnapshot {
        guard let control else { return .ofNoEngine }
        return finished(control.locked { gathered(extent, control) }, extent, control)
    }

    func snapshot(_ extent: SnapshotExtent, within seconds: Double) -> EngineSnapshot? {
        guard let control else { return .ofNoEngine }
        let found = control.lock.locked(within: seconds) { [self] in gathered(extent, control) }
        return found.map { finished($0, extent, control) }
    }

    /// What was found under the lock.
    private struct Gathered {
        var snapshot: EngineSnapshot
        /// Simulations whose rays are to be traced, and those that have been.
        let samples: [RaySample]
        let rays: (samples: [RaySample.Identity], numbers: PackedNumbers)
        /// Sources some of which are silenced; empty where none are.
        let silenced: [PHASESource]
    }

    /// Under the engine's lock, which is taken once: each time may be a wait for an update.
    private func gathered(_ extent: SnapshotExtent, _ control: EngineControl) -> Gathered {
        let isAll = extent == .all
        numbers.begin()
        peaks.begin(at: control.session.executor.position, isRunning: control.renderingState == .started)
        let state: EngineSnapshot.State =
            switch control.renderingState {
            case .stopped: .stopped
            case .started: .running
            case .paused: .paused
            }
        let sources: [PHASESource] = control.objects.objectsInScene()
        let snapshot = EngineSnapshot(
            state: state, time: control.now.brief, output: isAll ? output(control) : InspectedOutput(),
            load: isAll ? load.read(control.session) : InspectedLoad(),
            scene: scene(control, sources, control.objects.objectsInScene(), extent))
        return Gathered(
            snapshot: snapshot, samples: tap == nil || !isAll ? [] : control.spatial.rooms.raySamples, rays: rays,
            silenced: silencing.isIdle ? [] : sources)
    }

    /// With what needs no lock. Sources that are new are silenced like the others.
    private func finished(
        _ found: Gathered, _ extent: SnapshotExtent, _ control: EngineControl
    ) -> EngineSnapshot {
        if !found.silenced.isEmpty { silence(found.silenced) }
        guard extent == .all else { return found.snapshot }
        var snapshot = found.snapshot
        snapshot.scene?.rayCourses = rays(of: found.samples, known: found.rays, control)
        return snapshot
    }

    /// Rays are traced again without the lock, and only where there was another simulation.
    private func rays(
        of samples: [RaySample], known: (samples: [RaySample.Identity], numbers: PackedNumbers),
        _ control: EngineControl
    ) -> PackedNumbers {
        let identities = samples.map(\.identity)
        if known.samples == identities { return known.numbers }
        var numbers: [Float] = []
        for sample in samples {
            for course in sample.courses(count: Self.rayLimit / max(samples.count, 1), most: Self.bounceLimit) {
                numbers += [Float(sample.identity.listener), Float(course.points.count)]
                for (place, point) in course.points.enumerated() {
                    let energy = place == 0 ? 1 : Double(course.energies[place - 1])
                    numbers += [
                        Float(point.x), Float(point.y), Float(point.z),
                        Float(Decibels.of(energy: max(energy, 1e-20)).briefLevel),
                    ]
                }
            }
        }
        return control.locked {
            rays = (identities, PackedNumbers(numbers))
            return rays.numbers
        }
    }

    private func output(_ control: EngineControl) -> InspectedOutput {
        var output = InspectedOutput()
        guard let stage = control.spatial.output else { return output }
        (output.sampleRate, output.channels) = (stage.sampleRate, stage.channelCount)
        let ears = stage.hrtf == nil ? "\(stage.channelCount) channels" : "binaural, \(control.spatial.plans.hrtf.name)"
        output.form = control.manual == nil ? ears : "\(ears), manual rendering"
        output.latency = (control.session.device?.latency ?? 0).brief
        let meters = stage.main.inspectedMeters
        let samples = Double(max(meters.frames, 1)) * Double(max(stage.channelCount, 1))
        output.direct = Decibels.of(energy: max(meters.directEnergy / samples, 1e-20)).briefLevel
        output.reverb = Decibels.of(energy: max(meters.reverbEnergy / samples, 1e-20)).briefLevel
        output.peak = Decibels.of(amplitude: max(Double(meters.peak), 1e-10)).briefLevel
        (output.limitedFrames, output.nonFiniteFrames) = (meters.limitedFrames, meters.nonFiniteFrames)
        return output
    }

    private func scene(
        _ control: EngineControl, _ sources: [PHASESource], _ listeners: [PHASEListener], _ extent: SnapshotExtent
    ) -> InspectedScene {
        var scene = InspectedScene()
        let engine = control.spatial
        scene.geometryVersion = UInt64(engine.paths.sceneVersion)
        var ofSources: [UInt64: SourceFacts] = [:]
        ofSources.reserveCapacity(sources.count)
        scene.voices.reserveCapacity(sources.count)
        engine.forEachVoiceSummary { summary in
            scene.voices.append(inspected(summary))
            if let source = summary.source { ofSources[source, default: SourceFacts()].add(summary) }
        }
        scene.sources.reserveCapacity(sources.count)
        for source in sources { scene.sources.append(inspected(source, ofSources[source.number] ?? SourceFacts())) }
        scene.listeners = listeners.map { listener in
            object(listener, at: listener.headPose, gain: listener.currentGain)
        }
        let paths = engine.pathRows(limit: Self.pathLimit)
        scene.paths = PackedNumbers(paths.numbers)
        (scene.pathCount, scene.omittedPaths) = (paths.count, paths.omitted)
        if extent == .all { addRooms(to: &scene, control, listeners) }
        return scene
    }

    /// What changes slowly: groups, rooms, and how the acoustics are simulated.
    private func addRooms(to scene: inout InspectedScene, _ control: EngineControl, _ listeners: [PHASEListener]) {
        let engine = control.spatial
        scene.groups = engine.levels.groups.inspected
        scene.rooms = rooms(control, listeners)
        if control.settings.current.usesGeometry {
            let budget = engine.rooms.budget
            scene.acoustics = "geometry, \(budget.description)"
            scene.rays = PHASEAcousticsQuality(budget.quality).rays
            scene.simulationLoad = budget.lastLoad?.brief
            scene.sacrifices = budget.sacrifices
        } else {
            scene.acoustics =
                "preset, \(control.settings.current.measuredRoom?.name ?? "\(control.settings.current.reverbPreset)")"
        }
    }

    /// What the voices of one source say of it.
    private struct SourceFacts {
        var cullDistance: Double?
        var directivity: Directivity?

        mutating func add(_ voice: VoiceSummary) {
            if let distance = voice.cullDistance { cullDistance = max(cullDistance ?? distance, distance) }
            if directivity == nil { directivity = voice.directivity }
        }
    }

    private func object(_ object: PHASEObject, at pose: Pose, gain: Double) -> InspectedObject {
        InspectedObject(
            id: object.number, name: object.name, position: pose.position.brief, forward: pose.forward.brief,
            up: pose.up.brief, gain: gain.brief)
    }

    private func inspected(_ source: PHASESource, _ facts: SourceFacts) -> InspectedObject {
        let pose = source.worldPose
        var new = object(
            source, at: pose, gain: silencing.keptLevel(of: source.number) ?? source.currentGain)
        new.isMuted = silencing.muted.contains(source.number)
        new.isSoloed = silencing.soloed.contains(source.number)
        new.radius = (source.shapes.lazy.map(\.mesh.radius).max().map { $0 * pose.scale } ?? 0).brief
        new.cullDistance = facts.cullDistance?.brief
        if let law = facts.directivity {
            if curves[source.number]?.law != law {
                let curve = (0...18).map { law.gains(angle: Double($0) / 18 * .pi)[5] }
                curves[source.number] = (law, PackedNumbers(curve))
            }
            new.directivity = curves[source.number]?.curve
        }
        return new
    }

    private func inspected(_ summary: VoiceSummary) -> InspectedVoice {
        func level(_ gain: Double) -> Double { Decibels.of(amplitude: max(gain, 1e-10)).briefLevel }
        var voice = InspectedVoice(
            id: numbers.number(of: summary.voice), event: summary.event.parts.assetIdentifier, node: summary.node,
            sound: summary.voice.soundName, state: summary.state, position: summary.position.brief,
            direct: level(summary.direct))
        (voice.source, voice.listener, voice.group) = (summary.source, summary.listener, summary.group)
        (voice.early, voice.late) = (summary.early.map(level), summary.late.map(level))
        voice.distance = summary.distance?.brief
        if tap != nil {
            voice.peak = level(Double(peaks.peak(of: voice.id, summary.voice.meter.pointer.pointee.takePeak())))
        }
        voice.tier =
            switch summary.tier {
            case .full: "HRTF"
            case .bus: "bus"
            case .virtual: "virtual"
            case .none: nil
            }
        return voice
    }

    private func rooms(_ control: EngineControl, _ listeners: [PHASEListener]) -> [InspectedRoom] {
        let own = control.spatial.rooms.fields.compactMap { room in
            control.spatial.rooms.field(at: room.listener).map { InspectedRoom($0, of: room.listener) }
        }
        if !own.isEmpty { return own }
        let preset = control.settings.current.usesGeometry ? nil : control.settings.current.reverbPreset.room
        let field =
            listeners.first.flatMap { control.spatial.rooms.field(at: $0.number) } ?? preset.map { LateField($0) }
        return field.map { [InspectedRoom($0, of: nil)] } ?? []
    }

    func geometry() -> InspectedGeometry {
        var geometry = InspectedGeometry()
        guard let control else { return geometry }
        let (occluders, zones): ([Occluder], [PHASEReverbZone]) = control.locked {
            geometry.version = UInt64(control.spatial.paths.sceneVersion)
            return (control.objects.occluders(), control.objects.objectsInScene())
        }
        var room = InspectedGeometry.triangleLimit
        func body(_ id: UInt64, _ mesh: TriangleMesh, _ pose: Pose) -> InspectedGeometry.Body {
            let count = min(mesh.triangles.count, room)
            room -= count
            geometry.omittedTriangles += mesh.triangles.count - count
            return InspectedGeometry.Body(
                id: id, name: control.objects.name(of: id) ?? "",
                triangles: PackedNumbers(mesh.worldNumbers(count, at: pose)))
        }
        geometry.walls = occluders.map { body($0.id, $0.geometry.mesh, $0.pose) }
        for zone in zones {
            let pose = control.locked { zone.worldPose }
            for shape in zone.shapes {
                var added = body(zone.number, shape.mesh, pose)
                added.name = zone.name
                geometry.zones.append(added)
            }
        }
        return geometry
    }
}

extension TriangleMesh {
    /// The corners of the first triangles.
    fileprivate func worldNumbers(_ count: Int, at pose: Pose) -> [Float] {
        (0..<count).flatMap { triangle -> [Float] in
            let (a, b, c) = corners(triangle)
            return [a, b, c].map(pose.toWorld).flatMap { [Float($0.x), Float($0.y), Float($0.z)] }
        }
    }

    /// Of the ball around the origin of its axes that holds it.
    fileprivate var radius: Double { vertices.map(\.magnitude).max() ?? 0 }
}

extension InspectedRoom {
    fileprivate init(_ field: LateField, of listener: UInt64?) {
        self.init(
            listener: listener, decay: field.t60.values.map { Double($0).brief },
            level: field.energy.values.map { Decibels.of(energy: max(Double($0), 1e-20)).briefLevel })
    }
}

extension GroupMix {
    /// In order of their identifiers.
    fileprivate var inspected: [InspectedGroup] {
        groups.sorted { $0.key < $1.key }.map { identifier, controls in
            let level = levels[identifier] ?? GroupLevel()
            var notes = level.silencedBy.isEmpty ? [] : ["silenced by the solo of \(level.silencedBy.quotedList)"]
            notes += level.duckers.filter { $0.gain < 0.999 }.map { "ducked by \($0.identifier)" }
            return InspectedGroup(
                id: identifier, level: Decibels.of(amplitude: max(level.gain, 1e-10)).briefLevel,
                gain: controls.gain.brief, rate: level.rate.brief, isMuted: controls.isMuted,
                isSoloed: controls.isSoloed, note: notes.joined(separator: "; "))
        }
    }
}
