import Foundation
import OssicleAVFAudio
import OssicleInspection
import OssiclePHASE
import Synchronization
import Testing

/// An inspector that keeps the engine it was given.
final class HeldInspector: EngineInspector {
    private struct Content: @unchecked Sendable { weak var engine: (any InspectedEngine)? }
    private let content = Mutex(Content())
    let ends = Atomic(0)

    var engine: (any InspectedEngine)? { content.withLock { $0.engine } }

    func begin(_ engine: any InspectedEngine) { content.withLock { $0.engine = engine } }
    func end(_ engine: any InspectedEngine) { ends.add(1, ordering: .relaxed) }
}

/// A source with noise 2 m in front of a listener, another to the right, in a group.
struct NoisyScene {
    let engine = PHASEEngine(updateMode: .manual)
    let sources: [PHASESource]
    let listener: PHASEListener
    let group = PHASEGroup(identifier: "noise")
    let buffer: AVAudioPCMBuffer

    init() throws {
        engine.outputSpatializationMode = .alwaysUseBinaural
        engine.defaultReverbPreset = .mediumRoom
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 512))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 512)
        group.register(engine: engine)
        listener = PHASEListener(engine: engine)
        try engine.rootObject.addChild(listener)
        var random = SystemSeed()
        let samples = (0..<9600).map { _ in Float.random(in: -0.2...0.2, using: &random) }
        try engine.assetRegistry.registerSoundAsset(
            data: samples.withUnsafeBytes { Data($0) }, identifier: "noise", format: mono, normalizationMode: .none)
        let pipeline = try #require(PHASESpatialPipeline(flags: [.directPathTransmission, .lateReverb]))
        let mixer = PHASESpatialMixerDefinition(spatialPipeline: pipeline, identifier: "mixer")
        let law = PHASEGeometricSpreadingDistanceModelParameters()
        law.fadeOutParameters = PHASEDistanceModelFadeOutParameters(cullDistance: 40)
        mixer.distanceModelParameters = law
        let sampler = PHASESamplerNodeDefinition(soundAssetIdentifier: "noise", mixerDefinition: mixer)
        sampler.playbackMode = .looping
        sampler.group = group
        try engine.assetRegistry.registerSoundEventAsset(rootNode: sampler, identifier: "event")
        var made: [PHASESource] = []
        for (place, name) in [(SIMD3<Float>(0, 0, -2), "front"), (SIMD3<Float>(4, 0, 0), "right")] {
            let source = PHASESource(engine: engine)
            source.name = name
            source.transform.columns.3 = SIMD4(place, 1)
            try engine.rootObject.addChild(source)
            made.append(source)
        }
        sources = made
        try engine.start()
        for source in sources {
            let parameters = PHASEMixerParameters()
            parameters.addSpatialMixerParameters(identifier: "mixer", source: source, listener: listener)
            try PHASESoundEvent(engine: engine, assetIdentifier: "event", mixerParameters: parameters).start(
                completion: nil)
        }
    }

    struct SystemSeed: RandomNumberGenerator {
        private var seeded = SeededRandom(state: 7)
        mutating func next() -> UInt64 { seeded.next() }
    }

    /// Renders blocks with `act` before each, and gives all samples.
    func render(_ blocks: Int, _ act: (Int) -> Void = { _ in }) throws -> [Float] {
        var all: [Float] = []
        for block in 0..<blocks {
            sources[1].transform.columns.3.x = 4 + Float(block) / 50
            act(block)
            engine.update()
            try engine.renderOffline(512, to: buffer)
            for channel in 0..<2 {
                if let plane = buffer.floatChannelData?[channel] {
                    all += UnsafeBufferPointer(start: plane, count: 512)
                }
            }
        }
        return all
    }
}

@Suite("A PHASE engine that is inspected") struct SceneInspectionTests {
    @Test func soundIsTheSameToTheBit() throws {
        let plain = try NoisyScene().render(30)
        let scene = try NoisyScene(), inspector = HeldInspector()
        scene.engine.inspector = inspector
        let inspected = try #require(inspector.engine)
        let watched = try scene.render(30) { block in
            // On, off and on again while it plays.
            if block % 12 == 3 { inspected.setWatched(true) }
            if block % 12 == 9 { inspected.setWatched(false) }
            _ = inspected.snapshot()
            _ = inspected.takeSound()
            _ = inspected.geometry()
            _ = inspected.detail(of: InspectedTarget(.voice, 1))
        }
        #expect(plain.contains { $0 != 0 })
        #expect(plain.map(\.bitPattern) == watched.map(\.bitPattern))
    }

    @Test func snapshotSaysWhereAllIsAndHowLoud() throws {
        let scene = try NoisyScene(), inspector = HeldInspector()
        scene.engine.inspector = inspector
        let inspected = try #require(inspector.engine)
        inspected.setWatched(true)
        _ = try scene.render(12)
        let snapshot = inspected.snapshot(), view = try #require(snapshot.scene)
        #expect(snapshot.state == .running)
        #expect(abs(snapshot.time - 12 * 512 / 48_000) < 0.002)
        #expect(view.sources.map(\.name) == ["front", "right"])
        #expect(view.sources[0].position == [0, 0, -2])
        #expect(view.sources[0].cullDistance == 40)
        #expect(view.listeners.count == 1 && view.listeners[0].forward == [0, 0, -1])
        #expect(view.voices.count == 2)
        let front = try #require(view.voices.first { $0.source == view.sources[0].id })
        #expect(front.state == "playing" && front.group == "noise" && front.tier == "HRTF" && front.sound == "noise")
        // 1/r at 2 m; the fade-out to 40 m begins later, and the air takes less than 0.02 dB at 1 kHz.
        #expect(abs(front.direct - 20 * log10(0.5)) < 0.05)
        #expect(abs((front.distance ?? 0) - 2) < 0.01)
        // The player plays noise of ±0.2.
        #expect(abs((front.peak ?? 0) - 20 * log10(0.2)) < 0.2)
        // Nothing was rendered since.
        #expect(inspected.snapshot(.motion).scene?.voices.map(\.peak) == view.voices.map(\.peak))
        #expect(view.groups.map(\.id) == ["noise"])
        let room = try #require(view.rooms.first)
        #expect(room.listener == nil && room.decay.count == 10 && room.decay[5] > 0.3)
        #expect(view.pathCount == 2)
        let paths = view.paths.values
        #expect(paths.count == 2 * 11 && paths[0] == 0 && abs(paths[3] + 6.02) < 0.05 && paths[4] == 2)
        #expect((snapshot.output.direct ?? -200) > -60 && (snapshot.output.direct ?? 0) < 0)
        #expect(snapshot.load.mean == nil)
        let sound = inspected.takeSound()
        #expect(sound.channels == 2 && sound.samples.values.count == 4096 && sound.samples.values.contains { $0 != 0 })
        // What the last call's meters held is not there twice.
        #expect(inspected.snapshot().output.limitedFrames == 0)
    }

    @Test func detailIsTheExplanation() throws {
        let scene = try NoisyScene(), inspector = HeldInspector()
        scene.engine.inspector = inspector
        let inspected = try #require(inspector.engine)
        _ = try scene.render(4)
        let voice = try #require(inspected.snapshot().scene?.voices.first)
        let detail = try #require(inspected.detail(of: InspectedTarget(.voice, voice.id)))
        let explanation = scene.engine.explain(try #require(scene.engine.soundEvents.first))
        #expect(detail.chain.map(\.name) == explanation.voices[0].factors.map(\.name))
        #expect(detail.silentBecause.isEmpty && detail.sends.map(\.name) == ["direct sound", "late reverb"])
        // The chain's product is what the list of voices says.
        #expect(abs(detail.chain.reduce(0) { $0 + $1.level } - voice.direct) < 0.05)
        #expect(inspected.detail(of: InspectedTarget(.voice, 99)) == nil)
        #expect(inspected.detail(of: InspectedTarget(.group, "noise"))?.parameters.map(\.name) == ["gain", "rate"])
    }

    @Test func commandsDoWhatTheySay() throws {
        let scene = try NoisyScene(), inspector = HeldInspector()
        scene.engine.inspector = inspector
        let inspected = try #require(inspector.engine)
        _ = try scene.render(2)
        let view = try #require(inspected.snapshot().scene)
        let (front, right) = (
            InspectedTarget(.source, view.sources[0].id), InspectedTarget(.source, view.sources[1].id)
        )
        scene.sources[0].gain = 0.5
        try inspected.perform(InspectorCommand(.mute, front, value: 1))
        #expect(scene.sources[0].gain == 0)
        let muted = try #require(inspected.snapshot().scene?.sources[0])
        #expect(muted.isMuted && muted.gain == 0.5)
        // Set while it is muted: heard afterwards.
        try inspected.perform(InspectorCommand(.set, front, parameter: "gain", value: 0.25))
        #expect(scene.sources[0].gain == 0)
        try inspected.perform(InspectorCommand(.mute, front, value: 0))
        #expect(scene.sources[0].gain == 0.25)
        try inspected.perform(InspectorCommand(.solo, right, value: 1))
        #expect(scene.sources.map(\.gain) == [0, 1])
        try inspected.perform(InspectorCommand(.solo, right, value: 0))
        #expect(scene.sources.map(\.gain) == [0.25, 1])
        try inspected.perform(InspectorCommand(.move, front, position: [1, 2, 3]))
        #expect(scene.sources[0].worldTransform.columns.3 == SIMD4(1, 2, 3, 1))
        try inspected.perform(InspectorCommand(.turn, front, value: 90))
        let forward = scene.sources[0].worldTransform * SIMD4<Float>(0, 0, -1, 0)
        #expect(abs(forward.x + 1) < 1e-6 && scene.sources[0].worldTransform.columns.3 == SIMD4(1, 2, 3, 1))
        try inspected.perform(InspectorCommand(.mute, InspectedTarget(.group, "noise"), value: 1))
        #expect(scene.group.isMuted)
        // What is muted sounds again when nobody looks any more.
        try inspected.perform(InspectorCommand(.mute, right, value: 1))
        scene.engine.inspector = nil
        #expect(scene.sources[1].gain == 1 && inspector.ends.load(ordering: .relaxed) == 1)
    }

    @Test func commandsThatCannotBeAreErrors() throws {
        let scene = try NoisyScene(), inspector = HeldInspector()
        scene.engine.inspector = inspector
        let inspected = try #require(inspector.engine)
        let source = InspectedTarget(.source, try #require(inspected.snapshot().scene?.sources.first?.id))
        for command in [
            InspectorCommand(.move, source, position: [.nan, 0, 0]), InspectorCommand(.move, source, position: [1]),
            InspectorCommand(.move, source), InspectorCommand(.turn, source, value: .infinity),
            InspectorCommand(.set, source, parameter: "colour", value: 1), InspectorCommand(.set, source, value: 1),
            InspectorCommand(.mute, InspectedTarget(.source, 999), value: 1),
            InspectorCommand(.mute, InspectedTarget(.group, "none"), value: 1),
            InspectorCommand(.mute, InspectedTarget(.node, 1), value: 1),
            InspectorCommand(.set, InspectedTarget(.voice, "x"), parameter: "y", value: 1),
        ] {
            #expect(throws: InspectorCommandError.self, "\(command)") { try inspected.perform(command) }
        }
        #expect(scene.sources[0].worldTransform.columns.3 == SIMD4(0, 0, -2, 1))
    }

    @Test func engineGoesThoughItIsInspected() throws {
        let inspector = HeldInspector()
        weak var engine: PHASEEngine?
        do {
            let scene = try NoisyScene()
            engine = scene.engine
            scene.engine.inspector = inspector
            inspector.engine?.setWatched(true)
            _ = try scene.render(2)
        }
        #expect(engine == nil)
        #expect(inspector.ends.load(ordering: .relaxed) == 1)
    }
}
